# shellcheck shell=bash
# What containers see of this machine, as options of `docker run`. Sourced, after common.sh; what sources it has the
# arrays options, and told: files that say more about a container than its options.

# Buckets that are mounted again later appear inside, too.
add_folder() {
    options+=(--mount "type=bind,source=$1,target=$1,bind-propagation=rslave")
}

add_folders() {
    local folder
    if [[ -n $(fact scratch) ]]; then
        add_folder "$(fact scratch)"
    fi
    if [[ -e $ETC/buckets ]]; then
        while IFS=$'\t' read -r -u 3 _ folder _; do
            add_folder "$folder"
        done 3<"$ETC/buckets"
    fi
}

# Whether NCCL goes past the processors here. A container then needs the network of the host, to which the cards belong.
has_nccl() {
    [[ -e $STATE/nccl.env ]]
}

# Of several files with variables the last one counts.
add_nccl() {
    options+=(--env-file "$STATE/nccl.env")
    told+=("$STATE/nccl.env")
    if [[ -e $ETC/gpudirect ]]; then
        add_received_nccl
        return
    fi
    options+=(--volume /usr/local/gib:/usr/local/gib:ro)
    if [[ -e $ROOT/dev/infiniband ]]; then
        options+=(--device /dev/infiniband)
    fi
}

add_received_nccl() {
    local capability
    # shellcheck source=gpudirect.sh
    source "$ROOT/usr/local/lib/clusterprint/gpudirect.sh"
    told+=("$ETC/gpudirect")
    options+=(--volume "/var/lib/$KIND/lib64:/usr/local/$KIND/lib64:ro")
    # What is mounted in it later appears inside, too.
    add_folder "$MEETING"
    while IFS= read -r capability; do
        options+=(--cap-add "$capability")
    done < <(gpudirect_fact capability)
}
