// Compresses a glTF file with gltf-transform and writes what it decompresses again: node compress.mjs LEVEL IN PACKED PLAIN.
import { NodeIO } from '@gltf-transform/core';
import { ALL_EXTENSIONS, EXTMeshoptCompression } from '@gltf-transform/extensions';
import { meshopt } from '@gltf-transform/functions';
import { MeshoptDecoder } from 'meshoptimizer/decoder';
import { MeshoptEncoder } from 'meshoptimizer/encoder';

await MeshoptDecoder.ready;
await MeshoptEncoder.ready;
const io = new NodeIO()
  .registerExtensions(ALL_EXTENSIONS)
  .registerDependencies({ 'meshopt.decoder': MeshoptDecoder, 'meshopt.encoder': MeshoptEncoder });
const [, , level, source, packed, plain] = process.argv;
const document = await io.read(source);
await document.transform(meshopt({ encoder: MeshoptEncoder, level }));
await io.write(packed, document);
const again = await io.read(packed);
again.createExtension(EXTMeshoptCompression).dispose();
await io.write(plain, again);
