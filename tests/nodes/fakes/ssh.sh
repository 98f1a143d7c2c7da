# shellcheck shell=bash disable=SC2154 # WORLD comes from the tool that sources this
# ssh to hosts that are folders: $WORLD/hosts/NAME stands for / of the host; a host without one cannot be reached.
# all-reduce prints what is in the folder's file of that name.
while [[ $1 != -- ]]; do
    shift
done
host="$2"
shift 2
if [[ ! -d $WORLD/hosts/$host ]]; then
    printf 'ssh: connect to host %s port 22: No route to host\n' "$host" >&2
    exit 255
fi
cd "$WORLD/hosts/$host" || exit 255
if [[ $1 == */all-reduce ]]; then
    cat >hosts-given
    cat all-reduce
    exit "$(cat status 2>/dev/null || printf 0)"
fi
# What is absolute there is relative here.
eval "${*// \// }"
