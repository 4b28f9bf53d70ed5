// Poses glTF files with three.js on the CPU: node pose.mjs < QUERIES
// QUERIES is an array of {file, poses: [{clip, time}]}; clip -1 is the static pose. Prints, for each file and pose, an array
// of {node, primitive, positions}: world space, x y z for each vertex of each skinned primitive.
import { readFileSync } from 'node:fs';
import { AnimationMixer, LoopOnce, Texture, Vector3 } from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';

async function load(file) {
	const loader = new GLTFLoader();
	// There is no picture decoder here, and none is needed.
	loader.register(() => ({ name: 'no-pictures', loadTexture: async () => new Texture() }));
	const bytes = readFileSync(file);
	return loader.parseAsync(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength), '');
}

// nodeOf finds the glTF node that an object comes from: itself, or the group of its primitives.
function nodeOf(gltf, object) {
	for (let o = object; o; o = o.parent) {
		const place = gltf.parser.associations.get(o);
		if (place?.nodes !== undefined) return place.nodes;
	}
	return -1;
}

function skinnedPositions(gltf) {
	const out = [];
	gltf.scene.updateMatrixWorld(true);
	gltf.scene.traverse((mesh) => {
		if (!mesh.isSkinnedMesh) return;
		const positions = [];
		const v = new Vector3();
		for (let i = 0; i < mesh.geometry.attributes.position.count; i++) {
			mesh.getVertexPosition(i, v).applyMatrix4(mesh.matrixWorld);
			positions.push(v.x, v.y, v.z);
		}
		out.push({ node: nodeOf(gltf, mesh), primitive: gltf.parser.associations.get(mesh)?.primitives ?? -1, positions });
	});
	return out;
}

const answers = [];
for (const query of JSON.parse(readFileSync(0, 'utf8'))) {
	const answer = [];
	for (const { clip, time } of query.poses) {
		const gltf = await load(query.file); // afresh: a clip leaves what it animates where it was
		if (clip >= 0) {
			const mixer = new AnimationMixer(gltf.scene);
			const action = mixer.clipAction(gltf.animations[clip]);
			action.setLoop(LoopOnce);
			action.clampWhenFinished = true;
			action.play();
			mixer.setTime(time);
		}
		answer.push(skinnedPositions(gltf));
	}
	answers.push(answer);
}
console.log(JSON.stringify(answers));
