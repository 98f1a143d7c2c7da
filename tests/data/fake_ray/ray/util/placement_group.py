import os


class _Group:
    def wait(self, seconds):
        return os.environ["FAKE_WORKERS"] == "come"


def placement_group(bundles, strategy):
    print("bundles", bundles, strategy)
    return _Group()
