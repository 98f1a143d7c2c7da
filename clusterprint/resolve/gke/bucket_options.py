"""How pods mount buckets: the options of Cloud Storage FUSE, as its driver takes them."""

from collections.abc import Iterator

from clusterprint import catalog
from clusterprint.blueprint.volumes import GoogleVolume
from clusterprint.derived import fuse_options

# Containers of any user may use what the pod may: Cloud Storage FUSE knows no owners.
_ANYBODY = ("implicit-dirs", "file-mode=777", "dir-mode=777")
# What was learned of an object stays true, as nobody changes it; what is not there yet may come.
_LASTING = (
    "metadata-cache:negative-ttl-secs:0",
    "metadata-cache:ttl-secs:-1",
    "metadata-cache:stat-cache-max-size-mb:-1",
)
# The profiles of Cloud Storage FUSE, option by option: its driver refuses their names, and the storage
# classes that stand for them want a right of Google's own account on each bucket, and a late version of GKE.
_PROFILES = {
    "": _ANYBODY,
    "training": (*_ANYBODY, *_LASTING, "read_ahead_kb=1024"),
    "checkpoints": (
        *_ANYBODY,
        *_LASTING,
        "file-cache:cache-file-for-range-read:true",
        "file-system:rename-dir-limit:200000",
        "write:enable-streaming-writes:true",
    ),
    "serving": (
        *_ANYBODY,
        *_LASTING,
        "file-system:kernel-list-cache-ttl-secs:-1",
        "read_ahead_kb=1024",
    ),
}
#: What is read again and again, or by all GPUs of a node, is kept on its local SSDs.
CACHED = ("training", "serving")
_FILE_CACHE = (
    "file-cache:max-size-mb:-1",
    "file-cache:enable-parallel-downloads:true",
    "file-cache:cache-file-for-range-read:true",
)


def bucket_options(volume: GoogleVolume, *, cached: bool) -> tuple[str, ...]:
    """The options of a bucket: those of its profile, but where the blueprint says otherwise, then its own."""
    profile = volume.profile or ""
    given = dict(_given(volume))
    usual = (*_PROFILES[profile], *(_FILE_CACHE if cached and profile in CACHED else ()))
    return (*(each for each in usual if _key(each) not in given), *given.values())


def _given(volume: GoogleVolume) -> Iterator[tuple[str, str]]:
    """Each option with what it takes the place of."""
    for text in volume.mount_options:
        name, value = fuse_options.read(text)
        known = catalog.fuse_option(name)
        if known and known.config:
            # In the configuration a switch has a value.
            yield known.config, f"{known.config}:{value or 'true'}"
        else:
            yield name, text


def _key(option: str) -> str:
    return option.rpartition(":")[0] if ":" in option else option.partition("=")[0]
