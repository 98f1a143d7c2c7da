# shellcheck shell=bash disable=SC2154 # what is in capitals comes from the tool that sources this, and from its machine
# Be a program of warm_fakes.py, and end as it ends. usage: source ask.sh PORT KEY PROGRAM ARGUMENTS...
exec {asked}<>"/dev/tcp/127.0.0.1/$1" || exit 70
given=''
[[ " $* " != *" @- "* ]] || IFS= read -r -d '' given
printf '%s\0' $(($# + 6)) "$2" "$3" $$ "$PPID" "$PWD" "$WORLD" "$CLUSTERPRINT_ROOT" "${KILL_BEFORE_MKFS:-}" \
    "$given" "${@:4}" >&"$asked"
read -r -u "$asked" status size
IFS= read -r -d '' -u "$asked" said
printf '%s' "$said" >&2
if [[ $size == big ]]; then
    "$REAL/cat" <&"$asked"
else
    IFS= read -r -d '' -u "$asked" said
    printf '%s' "$said"
fi
exit "${status:-70}"
