# shellcheck shell=bash disable=SC2034 # the scripts that source this use what is unused here
# What this node is in the cluster's Slurm. Sourced, after common.sh.

KEY="$ROOT/etc/munge/munge.key"
CONFIG="$ROOT/etc/slurm"

# usage: slurm_fact KEY
slurm_fact() {
    sed -n "s/^$1=//p" "$ETC/slurm"
}

# The first label of the name, as Slurm compares it.
is_controller() {
    [[ $(hostname -s) == "$(slurm_fact controller)" ]]
}

# Whether this node runs jobs, and not only commands of Slurm.
runs_jobs() {
    grep -Fqx -- "group=$(fact group)" "$ETC/slurm"
}

has_accounting() {
    [[ $(slurm_fact accounting) == yes ]]
}

has_limits() {
    grep -q '^qos=' "$ETC/slurm"
}

saves_power() {
    grep -q '^power=' "$ETC/slurm"
}

# Whether this node is stopped when it has nothing to do: it is not one of the first of its group.
may_be_stopped() {
    local group prefix static number
    number="$(hostname -s)"
    while read -r group prefix static _; do
        [[ $group != "$(fact group)" ]] || ! ((${number##*-} >= static)) || return 0
    done < <(slurm_fact power)
    return 1
}
