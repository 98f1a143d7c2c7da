# shellcheck shell=bash disable=SC2034 # the scripts that source this use what is unused here
# What Slurm needs of machines on Azure. Sourced, after common.sh, and after slurm.sh for keys.

WRITTEN='when this machine was set up'
# Partitions are in the file of the controller alone, so that another one replaces no node.
DEBUG=NO_CONF_HASH
RECEIVED="$STATE/slurm/munge.key"
# Lines "name address id sum" of nodes, with the sum of the key that they were given.
GIVEN="$STATE/slurm-given"

prepare_keys() {
    mkdir -p "$STATE/slurm"
    chmod 700 "$STATE/slurm"
}

# Nodes cannot log in on the head, which can log in on them: so it hands them the key. Each is given it once, and
# all again every ten minutes: one that was reimaged has lost it.
offer_key() {
    local sum work index wanted
    [[ -e $(admin_home)/.ssh/id_ed25519 && -e $STATE/nodes ]] || return 0
    sum="$(md5sum <"$KEY" | cut -d ' ' -f 1)"
    wanted="$(awk -v own="$(hostname)" -v sum="$sum" 'NF && $1 != own { print $1, $2, $3, sum }' "$STATE/nodes")"
    touch "$GIVEN"
    if is_fresh slurm-given 10; then
        wanted="$(grep -Fvx -f "$GIVEN" <<<"$wanted" || true)"
    else
        : >"$GIVEN"
        confirm slurm-given
    fi
    [[ -n $wanted ]] || return 0
    # shellcheck source=hosts.sh
    source "$ROOT/usr/local/lib/clusterprint/hosts.sh"
    reach() {
        reach_node "$@" <"$KEY"
    }
    know_nodes "$wanted"
    work="$(mktemp -d)"
    on_every_host "$work" 'sudo -n /usr/local/lib/clusterprint/take-slurm-key'
    for index in "${!HOSTS[@]}"; do
        (($(status_of "$work" "$index") != 0)) || sed -n "$((index + 1))p" <<<"$wanted" >>"$GIVEN"
    done
    report_failures "$work" || log 'these nodes are given the key of the cluster again later'
    rm -rf "$work"
}

# Prints the key that the head has handed over.
ask_for_key() {
    cat "$RECEIVED" 2>/dev/null
}

count_gpus() {
    case "$(fact gpu_vendor)" in
    nvidia) timeout 60 nvidia-smi --list-gpus | grep -c '^GPU ' ;;
    amd) cat "$ROOT"/sys/class/kfd/kfd/topology/nodes/*/gpu_id 2>/dev/null | grep -cvx 0 ;;
    *) echo 0 ;;
    esac || true
}

# Prints a line for each reason why this node should get no jobs, and fails if there is one.
find_problems() {
    local check found expected status=0
    # shellcheck source=health.sh
    source "$ROOT/usr/local/lib/clusterprint/health.sh"
    while read -r check; do
        if [[ $(last_state "$check") == failed ]]; then
            printf '%s failed\n' "${check%.log}"
            status=1
        fi
    done < <(applicable_checks)
    found="$(count_gpus)" expected="$(fact gpus_per_node)"
    if ((${found:-0} < expected)); then
        printf '%s GPUs, expected %s\n' "${found:-0}" "$expected"
        status=1
    fi
    return "$status"
}
