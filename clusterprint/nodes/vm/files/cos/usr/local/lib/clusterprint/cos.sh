# shellcheck shell=bash disable=SC2034 # the scripts that source this use what is unused here
# What is different on Container-Optimized OS. Sourced, after common.sh.

NVIDIA="$ROOT/var/lib/nvidia"

# Nothing below /var runs, by default. usage: allow_programs FOLDER
allow_programs() {
    mountpoint --quiet "$1" || mount --bind "$1" "$1"
    mount -o remount,exec "$1"
}
