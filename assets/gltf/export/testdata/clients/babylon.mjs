// Poses glTF files with Babylon.js on the CPU: node babylon.mjs < QUERIES 3> ANSWERS, see answers.mjs.
import { readFileSync } from 'node:fs';
import { Logger, Matrix, NullEngine, Scene, Vector3 } from '@babylonjs/core';
import { ImportMeshAsync } from '@babylonjs/core/Loading/sceneLoader.js';
import '@babylonjs/loaders/glTF/index.js';
import { GLTFLoaderAnimationStartMode } from '@babylonjs/loaders/glTF/glTFFileLoader.js';
import { Answer, queries } from './answers.mjs';

Logger.LogLevels = Logger.ErrorLogLevel;
const engine = new NullEngine();

async function load(file) {
	const scene = new Scene(engine);
	const nodes = new Map(); // the glTF node of a skinned mesh or of the group of its primitives
	const { meshes, animationGroups } = await ImportMeshAsync(new Uint8Array(readFileSync(file)), scene, {
		pluginExtension: '.glb',
		pluginOptions: {
			gltf: {
				skipMaterials: true,
				animationStartMode: GLTFLoaderAnimationStartMode.NONE,
				onSkinLoaded: (node, skinnedNode) => nodes.set(skinnedNode, indexIn(node, 'nodes')),
			},
		},
	});
	return { scene, meshes, nodes, groups: animationGroups, playing: null, atRest: state(scene) };
}

// state returns what puts all that a clip may move back to where it is now.
function state(scene) {
	const moves = [];
	for (const o of [...scene.transformNodes, ...scene.meshes]) {
		const [position, rotation, scaling] = [o.position.clone(), o.rotationQuaternion?.clone(), o.scaling.clone()];
		moves.push(() => {
			o.position.copyFrom(position);
			if (rotation) o.rotationQuaternion.copyFrom(rotation);
			o.scaling.copyFrom(scaling);
		});
	}
	for (const manager of scene.morphTargetManagers) {
		for (let i = 0; i < manager.numTargets; i++) {
			const target = manager.getTarget(i), influence = target.influence;
			moves.push(() => { target.influence = influence; });
		}
	}
	return () => moves.forEach((move) => move());
}

// indexIn reads an index from the JSON pointers that the loader leaves, such as /nodes/3 or /meshes/0/primitives/1.
function indexIn(object, list) {
	for (const pointer of object._internalMetadata?.gltf?.pointers ?? []) {
		const found = pointer.match(new RegExp(`/${list}/(\\d+)$`));
		if (found) return Number(found[1]);
	}
	throw new Error(`${object.name}: no pointer to ${list}`);
}

// play puts a clip at a time, stopping what played before, which stays where it was stopped.
function play(loaded, clip, time) {
	const group = loaded.groups[clip];
	if (loaded.playing !== group) {
		loaded.playing?.stop();
		group.start(false);
		group.pause();
		loaded.playing = group;
	}
	group.goToFrame(time * 60); // the loader's frames a second
}

function skinned({ scene, meshes, nodes }) {
	// The loader hangs everything below a node that mirrors into Babylon's left-handed space.
	const back = Matrix.Invert(meshes[0].computeWorldMatrix(true));
	for (const node of scene.transformNodes) node.computeWorldMatrix(true);
	for (const skeleton of scene.skeletons) skeleton.prepare(true);
	const out = [];
	for (const mesh of meshes) {
		if (!mesh.skeleton) continue;
		const toFile = mesh.computeWorldMatrix(true).multiply(back);
		const positions = mesh.getPositionData(true, true);
		const v = new Vector3();
		for (let i = 0; i < positions.length; i += 3) {
			Vector3.TransformCoordinatesFromFloatsToRef(positions[i], positions[i + 1], positions[i + 2], toFile, v);
			positions[i] = v.x;
			positions[i + 1] = v.y;
			positions[i + 2] = v.z;
		}
		out.push({ node: nodes.get(mesh) ?? nodes.get(mesh.parent), primitive: indexIn(mesh, 'primitives'), positions });
	}
	return out;
}

let loaded = null;
for (const { file, after, poses } of queries) {
	if (loaded?.file !== file) {
		loaded?.scene.dispose();
		loaded = { file, ...(await load(file)) };
	}
	const answer = new Answer();
	let last = null;
	for (const { clip, time } of poses) {
		if (clip !== last && (last === null || !after)) {
			loaded.playing?.stop();
			loaded.playing = null;
			loaded.atRest();
		}
		if (clip >= 0) play(loaded, clip, time);
		last = clip;
		answer.pose(skinned(loaded));
	}
}
process.exit(0); // the engine keeps a timer
