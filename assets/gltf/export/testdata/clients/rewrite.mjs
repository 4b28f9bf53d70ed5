// Writes a glTF file anew with gltf-transform, which interleaves vertices: node rewrite.mjs IN OUT.
import { NodeIO } from '@gltf-transform/core';
import { readFileSync, writeFileSync } from 'node:fs';

const io = new NodeIO();
const [, , source, target] = process.argv;
writeFileSync(target, await io.writeBinary(await io.readBinary(readFileSync(source))));
