# shellcheck shell=bash
# Work on many hosts at once. Sourced, after common.sh.

# At most so many connections at a time.
PARALLEL=32

SSH=(ssh -o BatchMode=yes -o ConnectTimeout=10)

# The hosts in a host file: the first word of each line; blank lines and comments do not count.
# usage: read_hosts FILE, sets HOSTS
read_hosts() {
    [[ -r $1 ]] || die "cannot read host file $1; update-hosts writes ~/hostfile"
    mapfile -t HOSTS < <(awk 'NF && $1 !~ /^#/ { print $1 }' "$1")
    local host
    for host in "${HOSTS[@]}"; do
        [[ $host =~ ^[A-Za-z0-9_][A-Za-z0-9._:-]*$ ]] || die "invalid host in $1: $host"
    done
    ((${#HOSTS[@]})) || die "no hosts in $1"
}

# Run a command on one of them. usage: reach NUMBER COMMAND; who has more to say to ssh writes another
reach() {
    "${SSH[@]}" -n -- "${HOSTS[$1]}" "$2"
}

# Nodes as `$STATE/nodes` has them: "name address id". usage: know_nodes NODES, sets HOSTS and IDS
know_nodes() {
    mapfile -t HOSTS < <(awk '{ print $2 }' <<<"$1")
    mapfile -t IDS < <(awk '{ print $3 }' <<<"$1")
}

# Run a command on one of these as the cluster's user. A node is known by its id, which a machine that took its name and
# address has not got. One that hangs holds up nobody for long. usage: reach_node NUMBER COMMAND
reach_node() {
    timeout 60 "${SSH[@]}" -T -i "$(admin_home)/.ssh/id_ed25519" -o IdentitiesOnly=yes -l "$(fact admin_user)" \
        -o "HostKeyAlias=${IDS[$1]}" -o "UserKnownHostsFile=$STATE/known_hosts" -o StrictHostKeyChecking=accept-new \
        -- "${HOSTS[$1]}" "$2"
}

# Run a command on every host of HOSTS. What host number N writes is in FOLDER/N.out and FOLDER/N.err, its exit
# status in FOLDER/N.status: 255 if it could not be reached.
# usage: on_every_host FOLDER COMMAND; the command is shell for the other side
on_every_host() {
    local folder="$1" command="$2" index
    for index in "${!HOSTS[@]}"; do
        while (($(jobs -rp | wc -l) >= PARALLEL)); do
            wait -n || true
        done
        {
            status=0
            reach "$index" "$command" >"$folder/$index.out" 2>"$folder/$index.err" || status=$?
            printf '%s\n' "$status" >"$folder/$index.status"
        } &
    done
    wait
}

status_of() {
    cat "$1/$2.status" 2>/dev/null || printf '255\n'
}

# Say which hosts did not do what they should. usage: report_failures FOLDER; fails if there are any
report_failures() {
    local folder="$1" index status failures=0
    for index in "${!HOSTS[@]}"; do
        status="$(status_of "$folder" "$index")"
        if ((status == 255)); then
            log "${HOSTS[index]}: unreachable: $(tail -n 1 "$folder/$index.err")"
        elif ((status != 0)); then
            log "${HOSTS[index]}: failed with exit status $status: $(tail -n 1 "$folder/$index.err")"
        else
            continue
        fi
        failures=$((failures + 1))
    done
    ((failures == 0))
}
