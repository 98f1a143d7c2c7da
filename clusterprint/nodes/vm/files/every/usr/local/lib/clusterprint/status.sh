# shellcheck shell=bash
# How far the setup of this machine is: written by run-steps, read by people and by whoever waits for the machine.
# Sourced, after common.sh and google.sh.
#
# Each step has a record of lines key=value in RECORDS; status.json and the guest attributes are made from those.
# Durations come from the time since boot, which never jumps; the time of day is for people.

# A machine may have no steps at all.
shopt -s nullglob

LIBRARY="$ROOT/usr/local/lib/clusterprint"
RECORDS="$STATE/steps"
LOG="$ROOT/var/log/clusterprint/setup.log"

utc() {
    date --utc '+%Y-%m-%dT%H:%M:%SZ'
}

# The files of all steps, in order: what is no longer asked for is undone before anything is set up.
all_steps() {
    local file
    for file in "$STATE"/leaving/* "$LIBRARY"/steps/*; do
        printf '%s\n' "$file"
    done
}

uptime_seconds() {
    local seconds
    read -r seconds _ <"$ROOT/proc/uptime"
    printf '%s\n' "${seconds%.*}"
}

# The kernel has a new one for every boot.
boot_id() {
    cat "$ROOT/proc/sys/kernel/random/boot_id"
}

# The file of a step is called 30-files; the step is called files.
step_name() {
    local name="${1##*/}"
    printf '%s\n' "${name#[0-9][0-9]-}"
}

begin_status() {
    local file
    rm -rf "$RECORDS"
    mkdir -p "$RECORDS"
    printf '%s\n' "$(utc)" >"$STATE/started"
    rm -f "$STATE/finished"
    while IFS= read -r file; do
        printf 'state=waiting\n' >"$RECORDS/${file##*/}"
    done < <(all_steps)
}

finish_status() {
    printf '%s\n' "$(utc)" >"$STATE/finished"
}

# usage: record_step NAME STATE BEGUN EXIT-STATUS MESSAGE
record_step() {
    local file seconds=''
    [[ $2 == running ]] || seconds="$(($(uptime_seconds) - $3))"
    for file in "$RECORDS"/[0-9][0-9]-"$1"; do
        printf 'state=%s\nseconds=%s\nexit_status=%s\nmessage=%s\n' "$2" "$seconds" "$4" "$5" | replace_file "$file" 644
    done
}

# The last line that a step wrote, which is as a rule why it failed. usage: last_words OFFSET
last_words() {
    tail -c "+$(($1 + 1))" "$LOG" | LC_ALL=C tr -cd '\012\040-\176' | sed '/^ *$/d' | tail -n 1 | cut -c 1-400
}

# Text as JSON. Control characters do not come this far; they would be blanks.
json() {
    local text="${1//[[:cntrl:]]/ }"
    text="${text//\\/\\\\}"
    printf '"%s"' "${text//\"/\\\"}"
}

# usage: field FILE KEY
field() {
    sed -n "s/^$2=//p" "$1"
}

# usage: status_json STATE
status_json() {
    local file separator='' value
    printf '{"version": 1, "state": %s, "cluster": %s, "group": %s, "node": %s,\n' \
        "$(json "$1")" "$(json "$(fact cluster)")" "$(json "$(fact group)")" "$(json "$(hostname)")"
    printf ' "boot": %s, "started": %s, "finished": %s,\n "steps": [' "$(json "$(boot_id)")" \
        "$(json "$(cat "$STATE/started")")" "$(json "$(cat "$STATE/finished" 2>/dev/null)")"
    for file in "$RECORDS"/*; do
        printf '%s\n  {"name": %s, "state": %s' "$separator" "$(json "$(step_name "$file")")" "$(json "$(field "$file" state)")"
        for value in seconds exit_status; do
            [[ -z $(field "$file" "$value") ]] || printf ', "%s": %s' "$value" "$(field "$file" "$value")"
        done
        value="$(field "$file" message)"
        [[ -z $value ]] || printf ', "message": %s' "$(json "$value")"
        printf '}'
        separator=','
    done
    printf '\n ]}\n'
}

# Nobody can be told without the metadata server; the file is there all the same. usage: publish_status STATE
publish_status() {
    status_json "$1" | replace_file "$STATE/status.json" 644
    set_guest_attribute status <"$STATE/status.json" || log "could not publish the status of this machine"
    printf '%s' "$1" | set_guest_attribute state || log "could not publish the state of this machine"
}
