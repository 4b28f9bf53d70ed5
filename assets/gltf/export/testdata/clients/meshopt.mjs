// Writes compressed buffers with what meshoptimizer's own decoder makes of them: node meshopt.mjs > vectors.json.
import { MeshoptDecoder } from 'meshoptimizer/decoder';
import { MeshoptEncoder } from 'meshoptimizer/encoder';

await MeshoptDecoder.ready;
await MeshoptEncoder.ready;

let seed = 12345;
const random = () => (seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0) / 2 ** 32;
const vectors = [];

function add(mode, filter, count, stride, packed) {
  const want = new Uint8Array(count * stride);
  MeshoptDecoder.decodeGltfBuffer(want, count, stride, packed, mode, filter);
  const base64 = (bytes) => Buffer.from(bytes).toString('base64');
  vectors.push({ mode, filter, count, stride, packed: base64(packed), want: base64(want) });
}

// Numbers that wander, or jump, or stay, so that all widths and channels occur.
function wandering(count, stride, kind) {
  const bytes = new Uint8Array(count * stride);
  const words = new Uint32Array(bytes.buffer);
  for (let k = 0; k < words.length; k++) {
    const before = k >= stride / 4 ? words[k - stride / 4] : 0;
    words[k] = [before, before + Math.floor(3 * random()), before ^ (1 << (32 * random())), 2 ** 32 * random(), before + 65536 * Math.floor(900 * random() - 450)][kind];
  }
  return bytes;
}

for (const version of [0, 1])
  for (const level of [0, 1, 2, 3])
    for (const stride of [4, 8, 12, 16, 20, 64, 256])
      for (const count of [0, 1, 15, 16, 17, 255, 300])
        for (let kind = 0; kind < 5; kind++)
          if (count > 0 && (level == 2 || stride < 12))
            add('ATTRIBUTES', 'NONE', count, stride, MeshoptEncoder.encodeVertexBufferLevel(wandering(count, stride, kind), count, stride, level, version));

for (const count of [1, 5, 200, 1000]) {
  const unit = () => {
    const v = [random() - 0.5, random() - 0.5, random() - 0.5, random() - 0.5];
    return v;
  };
  const normalized = (n) => {
    const v = unit().slice(0, n);
    const l = Math.hypot(...v) || 1;
    return v.map((x) => x / l);
  };
  const vectors3 = new Float32Array(count * 4);
  const quaternions = new Float32Array(count * 4);
  const colors = new Float32Array(count * 4);
  for (let k = 0; k < count; k++) {
    vectors3.set([...normalized(3), random() < 0.5 ? -1 : 1], 4 * k);
    quaternions.set(normalized(4), 4 * k);
    colors.set([random(), random(), random(), random()], 4 * k);
  }
  const pack = (bytes, stride, filter) => add('ATTRIBUTES', filter, count, stride, MeshoptEncoder.encodeVertexBuffer(bytes, count, stride));
  for (const bits of [4, 7, 8]) pack(MeshoptEncoder.encodeFilterOct(vectors3, count, 4, bits), 4, 'OCTAHEDRAL');
  for (const bits of [8, 12, 16]) pack(MeshoptEncoder.encodeFilterOct(vectors3, count, 8, bits), 8, 'OCTAHEDRAL');
  for (const bits of [4, 12, 16]) pack(MeshoptEncoder.encodeFilterQuat(quaternions, count, 8, bits), 8, 'QUATERNION');
  for (const bits of [1, 15, 24]) pack(MeshoptEncoder.encodeFilterExp(vectors3, count, 16, bits), 16, 'EXPONENTIAL');
  for (const bits of [2, 8]) pack(MeshoptEncoder.encodeFilterColor(colors, count, 4, bits), 4, 'COLOR');
  for (const bits of [10, 16]) pack(MeshoptEncoder.encodeFilterColor(colors, count, 8, bits), 8, 'COLOR');
}

for (const side of [1, 7, 40]) {
  const grid = [];
  for (let y = 0; y < side; y++)
    for (let x = 0; x < side; x++) {
      const a = y * (side + 1) + x;
      grid.push(a, a + 1, a + side + 1, a + 1, a + side + 2, a + side + 1);
    }
  const wild = grid.map(() => Math.floor(random() * 60000));
  for (const list of [grid, wild])
    for (const [stride, kind] of [[2, Uint16Array], [4, Uint32Array]]) {
      const bytes = new Uint8Array(new kind(list).buffer);
      add('TRIANGLES', 'NONE', list.length, stride, MeshoptEncoder.encodeIndexBuffer(bytes, list.length, stride));
      add('INDICES', 'NONE', list.length, stride, MeshoptEncoder.encodeIndexSequence(bytes, list.length, stride));
    }
}
process.stdout.write(JSON.stringify(vectors));
