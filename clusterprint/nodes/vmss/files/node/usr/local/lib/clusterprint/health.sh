# shellcheck shell=bash
# What the health checks share. Sourced, after common.sh.
#
# A status file has a line "<local time> <state>" for each run, and the last line counts. A run writes "started"
# first: if it is killed, its result is unknown, and not that of the run before.

LOGS="$ROOT/var/log"

# The checks that count on this machine, by the names of their logs. DCGM knows NVIDIA's GPUs only.
applicable_checks() {
    printf '%s\n' aznhc-health.log
    if [[ $(fact gpu_vendor) == nvidia ]]; then
        printf '%s\n' dcgmi-diag.log
    fi
}

# usage: record LOG STATE
record() {
    printf '%s %s\n' "$(now)" "$2" >>"$LOGS/$1.status"
}

# The state that a status file ends with; nothing when there was no run yet.
last_state() {
    [[ ! -e $LOGS/$1.status ]] || awk 'END { print $2 }' "$LOGS/$1.status"
}

# Two runs of one check at once would spoil each other.
lock_checks() {
    mkdir -p "$STATE"
    exec {LOCK}>"$STATE/$1.lock"
    flock --nonblock "$LOCK" || {
        log "$1 is already running"
        exit 2
    }
}

# The exit status that goes with a state.
exit_for() {
    case "$1" in
    passed | healthy) exit 0 ;;
    failed | unhealthy) exit 1 ;;
    *) exit 2 ;;
    esac
}
