import yaml


def read_settings(path):
    with open(path) as stream:
        return yaml.load(stream)
