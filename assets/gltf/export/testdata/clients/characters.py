# Makes characters that no fit was tuned on: blender -b --factory-startup --python-exit-code 1 -P characters.py --
# FOLDER KIND... writes KIND.glb and KIND-curves.glb for each skeleton of Blender's Rigify. The second has the curves of
# the keys in place of samples. Where the exporter changes the sign of a quaternion between two keys, such a curve turns
# a joint round within milliseconds.
import math
import os
import random
import sys

import numpy as np

np.bool = bool  # as in blender.py

import addon_utils
import bpy
from mathutils import Quaternion, Vector

# How far joints turn in each clip, in radians, and the share of joints that do.
CLIPS = {'idle': (0.03, 1), 'walk': (0.5, 0.6), 'dance': (1, 0.3), 'twist': (1.9, 0.12), 'all': (0.8, 1)}


def clear():
    for all in (bpy.data.objects, bpy.data.meshes, bpy.data.armatures, bpy.data.metaballs, bpy.data.actions):
        for item in list(all):
            all.remove(item)


def skeleton(kind):
    getattr(bpy.ops.object, 'armature_%s_metarig_add' % kind)()
    armature = bpy.context.object
    for bone in armature.pose.bones:
        bone.rotation_mode = 'QUATERNION'
    return armature


def skin(armature):
    """A tube of metaballs about every bone, with Blender's automatic weights."""
    bones = armature.data.bones
    size = max(abs(c) for b in bones for c in b.tail_local)
    balls = bpy.data.metaballs.new('balls')
    balls.resolution = size / 100
    for b in bones:
        steps = max(2, int(b.length / (0.02 * size)))
        for i in range(steps + 1):
            ball = balls.elements.new()
            ball.co = b.head_local.lerp(b.tail_local, i / steps)
            ball.radius = max(0.028 * size, min(0.32 * b.length, 0.12 * size))
    cloud = bpy.data.objects.new('balls', balls)
    bpy.context.collection.objects.link(cloud)
    mesh = bpy.data.meshes.new_from_object(cloud.evaluated_get(bpy.context.evaluated_depsgraph_get()))
    bpy.data.objects.remove(cloud)
    body = bpy.data.objects.new('body', mesh)
    bpy.context.collection.objects.link(body)
    bpy.ops.object.select_all(action='DESELECT')
    body.select_set(True)
    armature.select_set(True)
    bpy.context.view_layer.objects.active = armature
    bpy.ops.object.parent_set(type='ARMATURE_AUTO')


def animate(armature):
    """Every joint that moves swings about an axis of its own, the twist's joints about their bones."""
    armature.animation_data_create()
    for name, (most, share) in CLIPS.items():
        action = bpy.data.actions.new(name)
        armature.animation_data.action = action
        for bone in armature.pose.bones:
            if random.random() > share:
                continue
            axis = Vector((0, 1, 0)) if name == 'twist' else Vector([random.gauss(0, 1) for _ in range(3)]).normalized()
            angle, phase, turns = most * random.random(), 2 * math.pi * random.random(), random.choice([1, 2])
            for frame in range(0, 61, 6):
                bone.rotation_quaternion = Quaternion(axis, angle * math.sin(turns * frame / 60 * 2 * math.pi + phase))
                bone.keyframe_insert('rotation_quaternion', frame=frame)
            bone.rotation_quaternion = (1, 0, 0, 0)
        armature.animation_data.nla_tracks.new().strips.new(name, 0, action)
        armature.animation_data.nla_tracks[-1].name = name
        armature.animation_data.action = None


folder, *kinds = sys.argv[sys.argv.index('--') + 1:]
addon_utils.enable('rigify')
for kind in kinds:
    random.seed(kind)
    clear()
    armature = skeleton(kind)
    skin(armature)
    animate(armature)
    for ending, sampled in (('', True), ('-curves', False)):
        bpy.ops.export_scene.gltf(filepath=os.path.join(folder, kind + ending + '.glb'), export_format='GLB',
                                  export_force_sampling=sampled)
