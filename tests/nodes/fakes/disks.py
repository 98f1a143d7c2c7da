"""lsblk, mdadm, mkfs.xfs, blkid, mount and mountpoint over a few disks in a JSON file.

A disk is {"model", "content", "mounted"}; content is "" (blank), "raid:NAME", "part", or a kind of file
system. An array is {"members", "label", "assembled"}.
"""

import json
import os
import sys
from pathlib import Path

FILE = Path(os.environ["WORLD"]) / "disks.json"
world = json.loads(FILE.read_text()) if FILE.exists() else {}
disks = world.setdefault("disks", {})
arrays = world.setdefault("arrays", {})
mounts = world.setdefault("mounts", {})


def lsblk(arguments):
    if "--nodeps" in arguments and "MODEL" in arguments:
        print(disks[arguments[-1]]["model"])
        return 0
    if "--nodeps" in arguments:
        for name in disks:
            print(f"{name} disk")
        return 0
    name = arguments[-1]
    disk = disks[name]
    content = disk["content"]
    kind = {"": "", "part": ""}.get(content, "linux_raid_member" if content.startswith("raid:") else content)
    print(f'NAME="{name}" TYPE="disk" FSTYPE="{kind}" MOUNTPOINT="{disk.get("mounted", "")}"')
    if content == "part":
        print(f'NAME="{name}p1" TYPE="part" FSTYPE="ext4" MOUNTPOINT=""')
    for array, facts in arrays.items():
        if name in facts["members"] and facts["assembled"]:
            label = "xfs" if facts["label"] else ""
            print(f'NAME="{array}" TYPE="raid0" FSTYPE="{label}" MOUNTPOINT="{mounts.get(array, "")}"')
    return 0


def mdadm(arguments):
    if "--examine" in arguments:
        content = disks[arguments[-1]]["content"]
        if not content.startswith("raid:"):
            return 1
        print(f"MD_LEVEL=raid0\nMD_NAME={content.removeprefix('raid:')}")
    elif "--assemble" in arguments:
        for facts in arrays.values():
            whole = all(
                disks.get(name, {}).get("content", "").startswith("raid:") for name in facts["members"]
            )
            facts["assembled"] = facts["assembled"] or whole
    elif "--create" in arguments:
        members = [each for each in arguments if each in disks]
        if f"--raid-devices={len(members)}" not in arguments or any(
            disks[name]["content"] for name in members
        ):
            print("mdadm: cannot create", file=sys.stderr)
            return 1
        name = next(each.removeprefix("--name=") for each in arguments if each.startswith("--name="))
        arrays[arguments[arguments.index("--create") + 1]] = {
            "members": members,
            "label": "",
            "assembled": True,
        }
        for member in members:
            disks[member]["content"] = f"raid:any:{name}"
    elif "--stop" in arguments:
        arrays.pop(arguments[-1])
    elif "--zero-superblock" in arguments:
        disks[arguments[-1]]["content"] = ""
    return 0


def mkfs(arguments):
    if os.environ.get("KILL_BEFORE_MKFS"):
        os.kill(int(os.environ["CALLER"]), 9)
        return 1
    arrays[arguments[-1]]["label"] = arguments[arguments.index("-L") + 1]
    return 0


def blkid(arguments):
    for array, facts in arrays.items():
        if facts["assembled"] and facts["label"] == arguments[-1]:
            print(array)
            return 0
    return 2


def mount(arguments):
    if world.get("mount_fails"):
        print("mount: cannot mount", file=sys.stderr)
        return 32
    places = [each for each in arguments if each.startswith(os.environ["CLUSTERPRINT_ROOT"])]
    target = places[-1]
    if "remount,exec" in arguments:
        world["executable"] = [*world.get("executable", []), target]
        return 0
    # A device or a share; of one folder that is to appear in another, that folder.
    devices = [
        each for each in arguments if ("/dev/" in each or ":" in each or "//" in each) and each != target
    ]
    mounts[devices[0] if devices else places[0]] = target
    return 0


def mountpoint(arguments):
    return 0 if arguments[-1] in mounts.values() else 1


tool, arguments = sys.argv[1].split(".")[0], sys.argv[2:]
status = globals()[tool](arguments)
if tool in {"mdadm", "mkfs", "mount"}:
    # Others may be reading it at this moment.
    aside = FILE.with_suffix(f".{os.getpid()}")
    aside.write_text(json.dumps(world))
    aside.replace(FILE)
sys.exit(status)
