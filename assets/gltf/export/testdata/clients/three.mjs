// Poses glTF files with three.js on the CPU: node three.mjs < QUERIES 3> ANSWERS, see answers.mjs.
import { readFileSync } from 'node:fs';
import { AnimationMixer, LoopOnce, Texture, Vector3 } from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { Answer, queries } from './answers.mjs';

async function load(file) {
	const loader = new GLTFLoader();
	// There is no picture decoder here, and none is needed.
	loader.register(() => ({ name: 'no-pictures', loadTexture: async () => new Texture() }));
	const bytes = readFileSync(file);
	const gltf = await loader.parseAsync(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength), '');
	return { gltf, mixer: new AnimationMixer(gltf.scene), playing: null };
}

// play puts a clip at a time, stopping what played before.
function play(loaded, clip, time) {
	const action = loaded.mixer.clipAction(loaded.gltf.animations[clip]);
	if (loaded.playing !== action) {
		loaded.playing?.stop();
		action.setLoop(LoopOnce);
		action.clampWhenFinished = true;
		action.play();
		loaded.playing = action;
	}
	action.reset();
	action.time = time;
	loaded.mixer.update(0);
}

// nodeOf finds the glTF node that an object comes from: itself, or the group of its primitives.
function nodeOf(gltf, object) {
	for (let o = object; o; o = o.parent) {
		const place = gltf.parser.associations.get(o);
		if (place?.nodes !== undefined) return place.nodes;
	}
	throw new Error(`${object.name}: no node of the file`);
}

function skinned({ gltf }) {
	const out = [];
	gltf.scene.updateMatrixWorld(true);
	gltf.scene.traverse((mesh) => {
		if (!mesh.isSkinnedMesh) return;
		const positions = new Float64Array(3 * mesh.geometry.attributes.position.count);
		const v = new Vector3();
		for (let i = 0; i < positions.length; i += 3) {
			mesh.getVertexPosition(i / 3, v).applyMatrix4(mesh.matrixWorld).toArray(positions, i);
		}
		out.push({ node: nodeOf(gltf, mesh), primitive: gltf.parser.associations.get(mesh)?.primitives ?? 0, positions });
	});
	return out;
}

let loaded = null;
for (const { file, after, poses } of queries) {
	if (loaded?.file !== file) loaded = { file, ...(await load(file)) };
	const answer = new Answer();
	let last = null;
	for (const { clip, time } of poses) {
		if (clip !== last && (last === null || !after)) {
			loaded.playing?.stop(); // which puts back what it moved
			loaded.playing = null;
		}
		if (clip >= 0) play(loaded, clip, time);
		last = clip;
		answer.pose(skinned(loaded));
	}
}
