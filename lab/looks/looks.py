# Draws glTF files by Cycles: blender -b --factory-startup --python-exit-code 1 -P looks.py < REQUEST, as main.go says.
import json
import os
import sys

import numpy as np

np.bool = bool  # the importer of Debian's Blender 3.4.1 asks for it, Debian's numpy has it no longer

import bpy
from io_scene_gltf2.blender.imp.gltf2_blender_animation import BlenderAnimation
from mathutils import Matrix

BlenderAnimation.anim = staticmethod(lambda gltf, clip: None)  # files are drawn at rest
BlenderAnimation.restore_animation = staticmethod(lambda gltf, name: None)

request = json.load(sys.stdin)
folder = os.path.abspath(request['folder'])
surroundings = os.path.join(folder, 'world.hdr')
AXES = Matrix(((1, 0, 0, 0), (0, 0, -1, 0), (0, 1, 0, 0), (0, 0, 0, 1)))  # of glTF, in Blender's


def write_surroundings():
    """Writes one of Blender's own pictures as both renderers read it."""
    source = os.path.join(bpy.utils.resource_path('SYSTEM'), 'datafiles', 'studiolights', 'world', request['world'] + '.exr')
    if not os.path.exists(source):
        source = os.path.join('/usr/share/blender/datafiles/studiolights/world', request['world'] + '.exr')
    image = bpy.data.images.load(source)
    image.scale(512, 256)
    image.filepath_raw, image.file_format = surroundings, 'HDR'
    image.save()


def load(job):
    """Imports a file at rest, with the surroundings and the camera of a job."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.import_scene.gltf(filepath=job['file'])
    world = bpy.data.worlds.new('world')
    world.use_nodes = True
    texture = world.node_tree.nodes.new('ShaderNodeTexEnvironment')
    texture.image = bpy.data.images.load(surroundings)
    world.node_tree.links.new(texture.outputs['Color'], world.node_tree.nodes['Background'].inputs['Color'])
    for m in bpy.data.materials:
        for node in m.node_tree.nodes if m.node_tree else []:
            if node.type == 'BSDF_PRINCIPLED':
                node.distribution = 'MULTI_GGX'  # light of further bounces, which skinlab's material has too
            elif node.type == 'MIX' and node.data_type == 'RGBA':  # Blender 3.4.1 links the number's socket
                for link in list(node.outputs[0].links):
                    m.node_tree.links.new(node.outputs[2], link.to_socket)
    scene = bpy.context.scene
    scene.world = world
    camera = bpy.data.objects.new('camera', bpy.data.cameras.new('camera'))
    camera.data.sensor_fit, camera.data.angle = 'VERTICAL', job['fov']
    m = job['camera']
    camera.matrix_world = AXES @ Matrix([[m[4 * c + r] for c in range(4)] for r in range(4)])
    camera.data.clip_start, camera.data.clip_end = 1e-3, 1e5
    scene.collection.objects.link(camera)
    scene.camera = camera
    return scene


def draw(scene, job, way):
    scene.render.engine = 'CYCLES'
    scene.cycles.samples, scene.cycles.use_adaptive_sampling = request['samples'], False
    scene.cycles.use_denoising, scene.cycles.sample_clamp_indirect = False, 0
    scene.render.film_transparent = True
    scene.render.resolution_x = scene.render.resolution_y = job['size']
    scene.render.resolution_percentage = 100
    scene.render.image_settings.file_format = 'OPEN_EXR'
    scene.render.image_settings.color_mode, scene.render.image_settings.color_depth = 'RGBA', '32'
    alone = way == 'alone'
    for o in bpy.data.objects:
        o.visible_diffuse = o.visible_glossy = o.visible_shadow = not alone
    scene.render.filepath = os.path.join(folder, 'render.exr')
    bpy.ops.render.render(write_still=True)
    image = bpy.data.images.load(scene.render.filepath)
    np.array(image.pixels[:], np.float32).tofile(os.path.join(folder, job['out'] + '.' + way + '.f32'))
    bpy.data.images.remove(image)


write_surroundings()
for job in request['jobs']:
    scene = load(job)
    for way in ('alone', 'whole'):
        draw(scene, job, way)
