# Poses glTF files with Blender: blender -b --factory-startup --python-exit-code 1 -P blender.py < QUERIES 3> ANSWERS,
# as answers.mjs says. A part of an answer has "vertices" too: those that the primitive's indices name, in order, for
# Blender's importer leaves out the others.
import json
import os
import sys

import numpy as np

np.bool = bool  # the importer of Debian's Blender 3.4.1 asks for it, Debian's numpy has it no longer

import bpy
from io_scene_gltf2.blender.imp.gltf2_blender_animation import BlenderAnimation
from io_scene_gltf2.blender.imp.gltf2_blender_gltf import BlenderGlTF
from io_scene_gltf2.io.imp.gltf2_io_binary import BinaryData

answers = os.fdopen(3, 'wb')
imported = []  # the importer's knowledge of each file
create = BlenderGlTF.create
BlenderGlTF.create = staticmethod(lambda gltf: (imported.append(gltf), create(gltf)))
BlenderAnimation.restore_animation = staticmethod(lambda gltf, name: None)  # else it ends with playing the first clip


def load(file):
    """Imports a file into an empty scene, where no clip plays yet."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.import_scene.gltf(filepath=file)
    return imported.pop()


def referenced(gltf, primitive):
    """The vertices of a primitive that Blender keeps, in its order."""
    if primitive.indices is None:
        return np.arange(gltf.data.accessors[primitive.attributes['POSITION']].count)
    return np.unique(BinaryData.decode_accessor(gltf, primitive.indices))


def skinned_parts(gltf):
    """Pairs of an object and the parts that it shows, each with its glTF node, primitive and vertices, by node."""
    out = []
    for vnode in gltf.vnodes.values():
        node = vnode.mesh_node_idx
        if node is None or gltf.data.nodes[node].skin is None:
            continue
        parts = []
        for k, primitive in enumerate(gltf.data.meshes[gltf.data.nodes[node].mesh].primitives):
            kept = referenced(gltf, primitive)
            parts.append({'node': node, 'primitive': k, 'count': len(kept), 'vertices': kept.tolist()})
        out.append((vnode.blender_object, parts))
    return sorted(out, key=lambda pair: pair[1][0]['node'])


def state():
    """What clips may move: a list of (object, property, value)."""
    out = []
    for o in bpy.data.objects:
        for moved in [o] + (list(o.pose.bones) if o.pose else []):
            for name in ('location', 'rotation_quaternion', 'scale'):
                out.append((moved, name, getattr(moved, name).copy()))
    for keys in bpy.data.shape_keys:
        out += [(block, 'value', block.value) for block in keys.key_blocks]
    return out


def players():
    """What has been given actions: pairs of animation data and its actions, by the importer's name of the clip."""
    return [(o.animation_data, {track.name: track.strips[0].action for track in o.animation_data.nla_tracks})
            for o in [*bpy.data.objects, *bpy.data.shape_keys] if o.animation_data]


def positions(parts):
    """World space vertices of all parts, turned from Blender's Z up back to glTF's Y up."""
    depsgraph = bpy.context.evaluated_depsgraph_get()
    out = []
    for o, _ in parts:
        shown = o.evaluated_get(depsgraph)
        mesh = shown.to_mesh()
        local = np.empty(3 * len(mesh.vertices), dtype=np.float32)
        mesh.vertices.foreach_get('co', local)
        shown.to_mesh_clear()
        world = np.array(shown.matrix_world, dtype=np.float64)
        v = local.reshape(-1, 3) @ world[:3, :3].T + world[:3, 3]
        out.append(np.stack((v[:, 0], v[:, 2], -v[:, 1]), axis=1))
    return np.concatenate(out)


def answer(query, gltf, parts, rest, played):
    head = [part for _, some in parts for part in some]
    answers.write(json.dumps(head).encode() + b'\n')
    last, fps = None, bpy.context.scene.render.fps
    for pose in query['poses']:
        clip = pose['clip']
        if clip != last:
            name = gltf.data.animations[clip].track_name if clip >= 0 else None
            for data, actions in played:
                data.action = actions.get(name)
            if last is None or not query['after']:
                for moved, name, value in rest:
                    setattr(moved, name, value)
            last = clip
        frame = pose['time'] * fps
        bpy.context.scene.frame_set(int(frame), subframe=frame - int(frame))
        v = positions(parts)
        if len(v) != (want := sum(part['count'] for part in head)):
            raise ValueError(f"{query['file']}: {len(v)} vertices in Blender, {want} in the file")
        answers.write(v.astype('<f8').tobytes())


file = None
for query in json.load(sys.stdin):
    if query['file'] != file:
        file = query['file']
        gltf = load(file)
        parts, rest, played = skinned_parts(gltf), state(), players()
    answer(query, gltf, parts, rest, played)
answers.close()
