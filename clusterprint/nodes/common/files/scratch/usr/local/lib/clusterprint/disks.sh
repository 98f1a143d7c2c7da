# shellcheck shell=bash
# Which disks of this machine are local. Sourced, after common.sh.

# Each cloud's local disks have a model of their own, so that nobody takes a data disk for one.
local_disks() {
    local all name type model wanted
    wanted="$(fact local_disk_model)" || return 1
    all="$(lsblk --noheadings --nodeps --paths --output NAME,TYPE)" || return 1
    while read -r name type; do
        [[ $name =~ ^/dev/nvme[0-9]+n[0-9]+$ && $type == disk ]] || continue
        model="$(lsblk --noheadings --nodeps --output MODEL "$name")" || return 1
        read -r model <<<"$model" # without blanks around it
        if [[ $model =~ $wanted ]]; then
            printf '%s\n' "$name"
        else
            log "skipping $name: it is not a local disk but '$model'"
        fi
    done <<<"$all"
}
