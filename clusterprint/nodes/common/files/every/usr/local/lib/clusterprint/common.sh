# shellcheck shell=bash disable=SC2034 # the scripts that source this use what is unused here
# What the scripts of a clusterprint machine share. Sourced, never run.
#
# CLUSTERPRINT_ROOT is empty on a machine; tests put a folder there that stands for /.

ROOT="${CLUSTERPRINT_ROOT:-}"
ETC="$ROOT/etc/clusterprint"
STATE="$ROOT/var/lib/clusterprint"

log() {
    printf '%s: %s\n' "${0##*/}" "$*" >&2
}

die() {
    log "$@"
    exit 1
}

# The time as status files write it, in local time.
now() {
    date '+%Y-%m-%dT%H:%M:%S'
}

have() {
    command -v "$1" >/dev/null 2>&1
}

need() {
    local each
    for each in "$@"; do
        have "$each" || die "required command not found: $each"
    done
}

# One fact about this cluster. Facts are data: they are read, never run.
fact() {
    local key value
    while IFS='=' read -r key value; do
        if [[ $key == "$1" ]]; then
            printf '%s\n' "$value"
            return
        fi
    done <"$ETC/settings"
    die "setting $1 not found in $ETC/settings"
}

# Whether two files have the same content; not every system has cmp. usage: is_alike FILE FILE
is_alike() {
    [[ -f $1 && -f $2 && $(md5sum <"$1") == "$(md5sum <"$2")" ]]
}

# Replace a file by what comes on standard input, all at once: nobody ever sees half of it.
# usage: replace_file FILE MODE [OWNER]
replace_file() {
    local file="$1" mode="$2" owner="${3:-}" aside
    aside="$(mktemp "$file.XXXXXX")"
    if ! cat >"$aside" || ! chmod "$mode" "$aside" || { [[ -n $owner ]] && ! chown "$owner" "$aside"; }; then
        rm -f "$aside"
        return 1
    fi
    if is_alike "$aside" "$file" && [[ $(stat -c %a "$file") == "$(stat -c %a "$aside")" ]]; then
        rm -f "$aside"
    else
        mv -f "$aside" "$file"
    fi
}

# Try a command until it succeeds, at most so often.
# usage: retry TIMES SECONDS COMMAND...
retry() {
    local times="$1" seconds="$2" attempt
    shift 2
    for ((attempt = 1; attempt <= times; attempt++)); do
        if "$@"; then
            return 0
        fi
        if ((attempt < times)); then
            sleep "$seconds"
        fi
    done
    return 1
}

# The home of the person whom the cluster belongs to.
admin_home() {
    local home
    home="$(getent passwd "$(fact admin_user)" | cut -d : -f 6)"
    [[ -n $home ]] || die "user $(fact admin_user) does not exist on this machine"
    printf '%s\n' "$ROOT$home"
}

# usage: private_folder FOLDER OWNER
private_folder() {
    mkdir -p "$1"
    chmod 700 "$1"
    chown "$2:$2" "$1"
}

# Whether something was confirmed less than so many minutes ago, so that Azure need not be asked again.
# usage: is_fresh NAME MINUTES, confirm NAME
is_fresh() {
    [[ -n $(find "$STATE/$1.confirmed" -mmin "-$2" 2>/dev/null) ]]
}

confirm() {
    mkdir -p "$STATE"
    touch "$STATE/$1.confirmed"
}

# Commands that only root may use can be called by everybody who may use sudo.
as_root() {
    if ((EUID != 0)) && [[ -z $ROOT ]]; then
        exec sudo -- "$0" "$@"
    fi
}

# Where the local disks appear as one.
SCRATCH="$ROOT$(fact scratch)"
