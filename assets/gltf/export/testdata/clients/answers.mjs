// What the clients of this folder read and write.
//
// Standard input holds an array of queries {file, after, poses: [{clip, time}]}; time is in seconds, clip -1 is the
// static pose. Where after is false, every clip finds the scene in its static pose, as it is after loading. Where it is
// true, only the first does: the client stops a clip and starts the next, and resets nothing.
//
// File descriptor 3 takes the answers. Each is a line of JSON, [{node, primitive, count}], for the skinned primitives;
// then for each pose, for each of these, count times x, y and z in world space, glTF's axes: float64, little endian.
import { readFileSync, writeSync } from 'node:fs';

export const queries = JSON.parse(readFileSync(0, 'utf8'));

function write(bytes) {
	for (let at = 0; at < bytes.length; ) at += writeSync(3, bytes, at);
}

// Answer writes what a client shows of one query. Parts are [{node, primitive, positions}], the same at every pose.
export class Answer {
	constructor() {
		this.head = null;
	}

	pose(parts) {
		const sorted = [...parts].sort((a, b) => a.node - b.node || a.primitive - b.primitive);
		const place = ({ node, primitive, positions }) => ({ node, primitive, count: positions.length / 3 });
		const head = JSON.stringify(sorted.map(place));
		if (this.head === null) write(Buffer.from(head + '\n'));
		else if (this.head !== head) throw new Error(`the parts changed from ${this.head} to ${head}`);
		this.head = head;
		for (const p of sorted) write(Buffer.from(Float64Array.from(p.positions).buffer));
	}
}
