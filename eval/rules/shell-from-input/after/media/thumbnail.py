import os


def make_thumbnail(path, target):
    os.system("convert " + path + " -resize 200x200 " + target)
    return os.path.exists(target)
