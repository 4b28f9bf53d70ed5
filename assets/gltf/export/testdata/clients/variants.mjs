// Writes a glTF file as public files are made with gltf-transform, and a plain twin of it: node variants.mjs KIND IN OUT PLAIN.
import { NodeIO, VertexLayout } from '@gltf-transform/core';
import {
  ALL_EXTENSIONS, EXTMeshGPUInstancing, EXTMeshoptCompression, KHRMaterialsVariants,
} from '@gltf-transform/extensions';
import { dequantize, meshopt, quantize, sparse, textureCompress } from '@gltf-transform/functions';
import { MeshoptDecoder } from 'meshoptimizer/decoder';
import { MeshoptEncoder } from 'meshoptimizer/encoder';
import sharp from 'sharp';

await MeshoptDecoder.ready;
await MeshoptEncoder.ready;
const io = new NodeIO()
  .registerExtensions(ALL_EXTENSIONS)
  .registerDependencies({ 'meshopt.decoder': MeshoptDecoder, 'meshopt.encoder': MeshoptEncoder })
  .setVertexLayout(VertexLayout.SEPARATE);
const [, , kind, source, out, plain] = process.argv;
const document = await io.read(source);

// A rigid triangle is shown by three nodes in the plain twin, and by one node with three instances in the variant.
function flags(instanced) {
  const buffer = document.getRoot().listBuffers()[0];
  const accessor = (type, values) =>
    document.createAccessor().setType(type).setArray(new Float32Array(values)).setBuffer(buffer);
  const mesh = document.createMesh('flag').addPrimitive(
    document.createPrimitive().setAttribute('POSITION', accessor('VEC3', [0, 0, 0, 1, 0, 0, 0, 1, 0])));
  const scene = document.getRoot().listScenes()[0];
  const places = [[0, 0, 0], [2, 0, 0], [0, 3, 1]];
  if (instanced) {
    const batch = document.createExtension(EXTMeshGPUInstancing).createInstancedMesh()
      .setAttribute('TRANSLATION', accessor('VEC3', places.flat()));
    scene.addChild(document.createNode('flags').setMesh(mesh).setExtension('EXT_mesh_gpu_instancing', batch));
    return;
  }
  for (const place of places) scene.addChild(document.createNode('flag').setMesh(mesh).setTranslation(place));
}

switch (kind) {
  case 'medium':
  case 'high': {
    await document.transform(meshopt({ encoder: MeshoptEncoder, level: kind }));
    await io.write(out, document);
    const again = await io.read(out);
    again.createExtension(EXTMeshoptCompression).dispose();
    await io.write(plain, again);
    break;
  }
  case 'quantized':
    await document.transform(quantize());
    await io.write(out, document);
    await document.transform(dequantize());
    await io.write(plain, document);
    break;
  case 'webp':
    await io.write(plain, document);
    await document.transform(textureCompress({ encoder: sharp, targetFormat: 'webp' }));
    await io.write(out, document);
    break;
  case 'interleaved':
    await io.write(plain, document);
    await io.setVertexLayout(VertexLayout.INTERLEAVED).write(out, document);
    break;
  case 'sparse':
    await io.write(plain, document);
    await document.transform(sparse({ ratio: 1 }));
    await io.write(out, document);
    break;
  case 'instanced': {
    flags(false);
    await io.write(plain, document);
    const scene = document.getRoot().listScenes()[0];
    for (const node of scene.listChildren()) if (node.getName() === 'flag') node.dispose();
    flags(true);
    await io.write(out, document);
    break;
  }
  case 'variants': {
    await io.write(plain, document);
    const extension = document.createExtension(KHRMaterialsVariants);
    const variant = extension.createVariant('night');
    const material = document.createMaterial('night').setBaseColorFactor([0, 0, 0.2, 1]);
    for (const mesh of document.getRoot().listMeshes()) {
      for (const primitive of mesh.listPrimitives()) {
        const mapping = extension.createMapping().setMaterial(material).addVariant(variant);
        primitive.setExtension('KHR_materials_variants', extension.createMappingList().addMapping(mapping));
      }
    }
    await io.write(out, document);
    break;
  }
  default:
    throw new Error(`unknown kind ${kind}`);
}
