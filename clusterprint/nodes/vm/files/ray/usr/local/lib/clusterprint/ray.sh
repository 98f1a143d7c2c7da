# shellcheck shell=bash disable=SC2034 # the scripts that source this use what is unused here
# Who of the nodes is the head of Ray. Sourced, after common.sh and google.sh.
#
# An object in the bucket says who, in its metadata. Whoever changes it names the version that it has seen, so of
# several nodes exactly one succeeds, whatever they are called. The head changes it every minute; when it has not for
# ten, another node may take over. How long that is, the clock of Cloud Storage says alone: it writes down when the
# object was changed, and says with each answer what time it is.

ROLE="$STATE/ray.role"
# Seconds without a sign of the head until another node may take over: longer than a reboot.
PATIENCE=600
PORT=6379
DASHBOARD=8265
# Since when this node, the head, has seen no work, in seconds since its boot.
IDLE="$STATE/ray.idle"
# The last word to stop that this node knew when it booted: it is not about this boot.
HEARD="$STATE/ray.heard"
# How long the others have to hear the word before the head goes as well, in seconds.
LAST_CALL=180

# usage: ray_fact KEY
ray_fact() {
    sed -n "s/^$1=//p" "$ETC/ray"
}

# Ask for the object or change it. usage: lease [OPTIONS of curl...]
lease() {
    local token
    token="$(access_token)" && [[ -n $token ]] || return 1
    curl --silent --show-error --fail --max-time 30 --header @- "$@" <<<"Authorization: Bearer $token"
}

address_of_lease() {
    printf 'https://storage.googleapis.com/storage/v1/b/%s/o/%s' "$(ray_fact bucket)" "$(url_encode "$(ray_fact object)")"
}

# Read who is the head: holder, holder_name, holder_address, all empty at the very beginning; stop, the last word that all
# nodes are to stop, if there was one; version; and age, in seconds since the last sign. Fails when the bucket does not answer.
read_lease() {
    local work answer changed now
    work="$(mktemp -d)"
    if ! answer="$(lease --dump-header "$work/headers" "$(address_of_lease)?fields=metageneration,updated,metadata")"; then
        rm -rf "$work"
        return 1
    fi
    now="$(sed -n 's/^[Dd]ate: *//p' "$work/headers" | tr -d '\r')"
    rm -rf "$work"
    version="$(jq --raw-output '.metageneration // empty' <<<"$answer")"
    holder="$(jq --raw-output '.metadata.id // empty' <<<"$answer")"
    holder_name="$(jq --raw-output '.metadata.name // empty' <<<"$answer")"
    holder_address="$(jq --raw-output '.metadata.address // empty' <<<"$answer")"
    stop="$(jq --raw-output '.metadata.stop // empty' <<<"$answer")"
    changed="$(jq --raw-output '.updated // empty' <<<"$answer")"
    if [[ ! $version =~ ^[0-9]+$ || -z $now || -z $changed ]]; then
        log 'unexpected response from the bucket about the Ray head'
        return 1
    fi
    age="$(($(date --date "$now" +%s) - $(date --date "$changed" +%s)))"
}

# Say that this node is the head, or still is; with a word, that all nodes are to stop. Fails when another one was faster.
# usage: write_lease [WORD]
write_lease() {
    lease --request PATCH --header 'Content-Type: application/json' --data-binary "$(jq --null-input --compact-output \
        --arg stop "${1:-$stop}" --arg id "$me" --arg name "$(hostname)" --arg address "$address" --arg sign "$(cut -d ' ' -f 1 "$ROOT/proc/uptime")" \
        '{metadata: {id: $id, name: $name, address: $address, sign: $sign, stop: $stop}}')" \
        "$(address_of_lease)?ifMetagenerationMatch=$version&fields=metageneration" >/dev/null
}

# This machine: a machine that is made anew under the same name is another one.
know_myself() {
    me="$(metadata instance/id)" || return 1
    address="$(metadata instance/network-interfaces/0/ip)" || return 1
}

# Find out what this node is, and become the head where there is none: role is "head ADDRESS" or "worker ADDRESS".
decide_role() {
    know_myself || return 1
    read_lease || return 1
    if [[ $holder != "$me" ]] && may_lead; then
        if write_lease; then
            holder="$me"
        else
            read_lease || return 1
        fi
    fi
    [[ -n $holder ]] || return 1
    if [[ $holder == "$me" ]]; then
        role="head $address"
    else
        role="worker $holder_address"
    fi
}

# Nobody is asked to be the head of a group that heads come from alone.
may_lead() {
    [[ $(ray_fact leads) == yes ]] && { [[ -z $holder ]] || ((age > PATIENCE)); }
}
