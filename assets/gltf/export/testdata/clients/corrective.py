"""Smooths posed meshes with Blender's Corrective Smooth, for a test that compares Delta Mush with it.

    blender -b --factory-startup -P corrective.py -- IN.json OUT.json

IN.json has rest and posed, a position for each point of the mesh, triangles of points, and iterations, step and pin.
OUT.json has the smoothed position of each point.
"""
import json
import sys

import bpy

source, target = sys.argv[sys.argv.index("--") + 1:]
with open(source) as f:
    q = json.load(f)
mesh = bpy.data.meshes.new("skin")
mesh.from_pydata(q["rest"], [], q["triangles"])
thing = bpy.data.objects.new("skin", mesh)
bpy.context.collection.objects.link(thing)
thing.shape_key_add(name="Basis")
key = thing.shape_key_add(name="posed")
for point, at in zip(key.data, q["posed"]):
    point.co = at
key.value = 1
smooth = thing.modifiers.new("smooth", "CORRECTIVE_SMOOTH")
smooth.factor, smooth.iterations = q["step"], q["iterations"]
smooth.smooth_type, smooth.rest_source = "SIMPLE", "ORCO"
smooth.use_pin_boundary = q["pin"]
bpy.context.view_layer.update()
evaluated = thing.evaluated_get(bpy.context.evaluated_depsgraph_get()).to_mesh()
with open(target, "w") as f:
    json.dump([list(v.co) for v in evaluated.vertices], f)
