# shellcheck shell=bash disable=SC2034 # the scripts that source this use what is unused here
# What Slurm needs of machines on Google Cloud. Sourced, after common.sh, and after slurm.sh for keys.

WRITTEN='at every boot: changes here are lost'
DEBUG=''
CHECK="$ROOT/usr/local/bin/clusterprint-health"
# Who may read the key of the cluster from the controller: this user of any node, and no person.
KEEPER=clusterprint-slurm
KEEPER_HOME="$STATE/slurm"

# Nobody logs in as this user from anywhere but the nodes, whose keys the others know.
prepare_keys() {
    getent passwd "$KEEPER" >/dev/null ||
        useradd --system --user-group --home-dir "$KEEPER_HOME" --shell /bin/sh "$KEEPER"
    mkdir -p "$KEEPER_HOME"
    chown "$KEEPER:$KEEPER" "$KEEPER_HOME"
    chmod 700 "$KEEPER_HOME"
}

offer_key() {
    replace_file "$KEEPER_HOME/munge.key" 400 "$KEEPER:$KEEPER" <"$KEY"
}

# Prints the key that the controller offers.
ask_for_key() {
    runuser -u "$KEEPER" -- ssh -o BatchMode=yes -o ConnectTimeout=10 "$(slurm_fact address)" cat "$KEEPER_HOME/munge.key"
}

# Prints a line for each reason why this node should get no jobs, and fails if there is one.
find_problems() {
    local findings
    [[ -x $CHECK ]] || return 0
    findings="$("$CHECK")" && return
    grep '^BAD' <<<"$findings" | tr -s ' ' | cut -d ' ' -f 2-
    return 1
}
