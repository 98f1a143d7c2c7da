# shellcheck shell=bash
# systemctl: starting a service of ours runs what its unit names, at once; what is enabled is remembered.
set -euo pipefail
unit="${*: -1}"
file="$CLUSTERPRINT_ROOT/etc/systemd/system/${unit/@*.service/@.service}"
start() {
    if [[ ! -e $file || $unit == *.timer || $unit == *.socket ]]; then
        return 0
    fi
    command="$(sed -n 's/^ExecStart=//p' "$file")"
    if [[ $command == *%f* ]]; then
        instance="${unit#*@}"
        command="${command//%f/$(systemd-escape --unescape --path "${instance%.service}")}"
    fi
    # shellcheck disable=SC2086 # a command and its words
    $CLUSTERPRINT_ROOT$command >>"$WORLD/units.log" 2>&1 || grep -Eqx 'Restart=(always|on-failure)' "$file"
}
mkdir -p "$WORLD/enabled"
case "$*" in
*--no-block*) ;;
"is-active "*) exit 3 ;;
"enable --now "*)
    touch "$WORLD/enabled/$unit"
    start
    ;;
"enable "*) touch "$WORLD/enabled/$unit" ;;
"disable "*) rm -f "$WORLD/enabled/$unit" ;;
"start "* | "restart "*) start ;;
esac
