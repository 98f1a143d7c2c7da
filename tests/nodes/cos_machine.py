"""A machine with Container-Optimized OS: what it has, what it has not, and what it forgets at a reboot."""

import shutil

from nodes.machine import Done
from nodes.vm_machine import MakeVmMachine, VmMachine

# Containers by name: whether they run, and with which label. What installs NCCL's plug-in does so.
DOCKER = """
state=$WORLD/docker
"$REAL/mkdir" -p $state
name=$(printf '%s\\n' "$*" | "$REAL/sed" -n 's/.*--name \\([a-z-]*\\).*/\\1/p')
case " $* " in
*" inspect --format {{.State.Running}} "*)
    [[ -e $state/${!#}.runs ]] || exit 1
    printf 'true %s\\n' "$("$REAL/cat" "$state/${!#}.runs")" ;;
*" inspect "*) "$REAL/cat" "$state/${!#}.label" ;;
*" login "*) "$REAL/cat" >"$WORLD/password" ;;
*" pull "*) [[ ! -e $WORLD/no-image ]] ;;
*" install --install-nccl "*)
    folder=$ROOT/var/lib/$("$REAL/cat" "$WORLD/plugin")/lib64
    "$REAL/mkdir" -p "$folder"
    "$REAL/touch" "$folder/libnccl-net.so"
    printf 'export %s\\n' 'NCCL_TUNER_CONFIG_PATH=$NCCL_LIB_DIR/tuner' NCCL_FASTRAK_IFNAME=eth1,eth2 O=x \\
        >"$folder/nccl-env-profile.sh"
    printf '[ "$unset" = 1 ]\\n' >>"$folder/nccl-env-profile.sh" ;;
*" run "* | *" create "*)
    : >"$state/$name.words"
    for word; do
        printf '<%s>' "${word#"$ROOT"}" >>"$state/$name.words"
        [[ $word != io.clusterprint.settings=* ]] || printf '%s\\n' "${word#*=}" >"$state/$name.label"
    done
    printf 'x\\n' >>"$WORLD/started.$name"
    [[ " $* " == *" create "* || -e $WORLD/dies.$name ]] ||
        "$REAL/wc" -l <"$WORLD/started.$name" >"$state/$name.runs" ;;
*" rm "*) "$REAL/rm" -f "$state/${!#}".* ;;
esac
"""

# It downloads the driver and loads its modules; then there are GPUs.
COS_EXTENSIONS = """
[[ ! -e $WORLD/no-driver ]] || { echo "no such version" >&2; exit 1; }
"$REAL/mkdir" -p "$ROOT/var/lib/nvidia/bin" "$ROOT/var/lib/nvidia/lib64" "$ROOT/dev"
for device in nvidia0 nvidia1 nvidiactl nvidia-uvm; do "$REAL/touch" "$ROOT/dev/$device"; done
printf '#!/bin/bash\\n[[ -e %s/dev/nvidia0 ]] || exit 9\\n' "$ROOT" >"$ROOT/var/lib/nvidia/bin/nvidia-smi"
"$REAL/chmod" 755 "$ROOT/var/lib/nvidia/bin/nvidia-smi"
"""

# What is in memory, and empty after a reboot.
FORGOTTEN = ("etc/systemd", "etc/clusterprint", "etc/security", "usr", "dev", "run")


def cos_node(vm_machine: MakeVmMachine, **changes: object) -> VmMachine:
    """A machine of this system that has not booted yet."""
    node = vm_machine(**{"system": "cos", **changes})
    node.write("etc/os-release", "ID=cos\nVERSION=121\n")
    node.fake("docker", DOCKER)
    node.fake("cos-extensions", COS_EXTENSIONS)
    node.fake("iptables", '[[ $* != *" -C "* && $1 != -C && $2 != -C ]] || [[ -e $WORLD/open ]]')
    (node.root / "var/lib/docker").mkdir(parents=True)
    return node


def reboot(node: VmMachine, **changes: object) -> Done:
    """Boot again: what was in memory is gone."""
    for name in FORGOTTEN:
        shutil.rmtree(node.root / name, ignore_errors=True)
    for file in (node.state / "docker").glob("*.runs"):
        file.unlink()
    (node.state / "enabled").mkdir(exist_ok=True)
    for unit in (node.state / "enabled").iterdir():
        unit.unlink()
    return node.boot(**changes)


def words(node: VmMachine, name: str) -> str:
    """How a container was started, word by word."""
    return (node.state / "docker" / f"{name}.words").read_text("utf-8")


def starts(node: VmMachine, name: str) -> int:
    """How often a container was started."""
    file = node.state / f"started.{name}"
    return len(file.read_text("utf-8").splitlines()) if file.exists() else 0
