# shellcheck shell=bash
# What Azure knows about the nodes of this cluster. Sourced, after common.sh and azure.sh.

# The nodes as a JSON array of {name, id, vm, power, address}, sorted by name; `vm` is new when a node is replaced,
# `address` is null while a node has none. Other scale sets, also in the same resource group, are not among them.
list_nodes() {
    local set_id group machines interfaces filter
    set_id="$(fact scale_set_id)"
    group="${set_id%%/providers/*}"
    if [[ $(fact orchestration) == uniform ]]; then
        machines="$(arm_list "$ARM$set_id/virtualMachines?api-version=2024-07-01&\$expand=instanceView")" || return 1
        # This list has not got a newer version.
        interfaces="$(arm_list "$ARM$set_id/networkInterfaces?api-version=2018-10-01")" || return 1
    else
        # Azure wants %20 for a blank, where curl would write a plus sign.
        filter="$(jq --null-input --raw-output --arg set "$set_id" \
            '"\u0027virtualMachineScaleSet/id\u0027 eq \u0027\($set)\u0027" | @uri')" || return 1
        machines="$group/providers/Microsoft.Compute/virtualMachines?api-version=2024-07-01"
        machines="$(arm_list "$ARM$machines&\$filter=$filter&\$expand=instanceView")" || return 1
        machines="$(jq --arg set "$set_id" \
            'map(select((.properties.virtualMachineScaleSet.id // "" | ascii_downcase) == ($set | ascii_downcase)))' \
            <<<"$machines")" || return 1
        interfaces="$(arm_list "$ARM$group/providers/Microsoft.Network/networkInterfaces?api-version=2024-05-01")" || return 1
    fi
    # The head may be a member of the set without being a node.
    join_nodes "$(if [[ $(fact computes) == no ]]; then fact head_id; fi)" <<<"$machines $interfaces" | add_head
}

# A head that runs jobs beside the set is no member of it, so what there is to say it knows itself.
add_head() {
    local nodes head address is_there
    nodes="$(cat)"
    head="$(fact head_id)"
    # shellcheck disable=SC2016 # $head is jq's
    is_there='any(.[]; .id | ascii_downcase == ($head | ascii_downcase))'
    if [[ $(fact computes) == no ]] || jq --exit-status --arg head "$head" "$is_there" <<<"$nodes" >/dev/null; then
        printf '%s\n' "$nodes"
        return
    fi
    address="$(ip -4 -oneline address show dev eth0 | awk '{ sub("/.*", "", $4); print $4; exit }')" || return 1
    jq --arg head "$head" --arg name "$(hostname)" --arg address "$address" '
        . + [{name: $name, id: $head, vm: "head", power: "running", address: $address}] | sort_by(.name)' <<<"$nodes"
}

# Machines and network interfaces on standard input, as two JSON arrays. usage: join_nodes HEAD-ID
join_nodes() {
    jq --slurp --arg head "$1" '
        .[0] as $machines
        | (.[1] | map(
            select(.properties.virtualMachine.id and .properties.primary != false)
            | {
                key: (.properties.virtualMachine.id | ascii_downcase),
                value: (.properties.ipConfigurations | (map(select(.properties.primary)) + .)[0].properties.privateIPAddress)
              }
          ) | from_entries) as $addresses
        | $machines
        | map(select((.id | ascii_downcase) != ($head | ascii_downcase)))
        | map({
            name: (.properties.osProfile.computerName // .name),
            id,
            vm: .properties.vmId,
            power: ([.properties.instanceView.statuses[]?.code | select(startswith("PowerState/"))][0]
                    // "PowerState/unknown" | ltrimstr("PowerState/")),
            address: $addresses[.id | ascii_downcase]
          })
        | sort_by(.name)'
}
