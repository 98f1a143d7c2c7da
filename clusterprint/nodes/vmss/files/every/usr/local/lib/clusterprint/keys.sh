# shellcheck shell=bash
# Keys, and who is known by them. Sourced, after common.sh.

# What an Ed25519 public key looks like, and nothing else does.
# shellcheck disable=SC2034 # the scripts that source this use it
ED25519='ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI[A-Za-z0-9+/]{43}'

# Make a key pair, unless there is one. Both halves are moved into place complete: a run that is killed leaves a key
# pair or none. usage: make_key FOLDER USER COMMENT
make_key() {
    local folder="$1" user="$2" aside
    private_folder "$folder" "$user"
    if [[ ! -e $folder/id_ed25519 ]]; then
        aside="$(mktemp -d "$folder/.clusterprint.XXXXXX")"
        ssh-keygen -q -t ed25519 -N '' -C "$3" -f "$aside/id_ed25519"
        chown "$user:$user" "$aside/id_ed25519"
        mv "$aside/id_ed25519" "$folder/id_ed25519"
        rm -rf "$aside"
    fi
    if [[ ! -e $folder/id_ed25519.pub ]]; then
        ssh-keygen -y -f "$folder/id_ed25519" | replace_file "$folder/id_ed25519.pub" 644 "$user:$user"
    fi
}

# Let those log in as the cluster's user whose keys come on standard input, from the addresses of the cluster only.
# Our lines in authorized_keys end with a mark; all others belong to the user. usage: authorize MARK
authorize() {
    local mark="$1" user folder lock range
    user="$(fact admin_user)"
    folder="$(admin_home)/.ssh"
    range="$(fact cluster_range)"
    private_folder "$folder" "$user"
    mkdir -p "$STATE"
    exec {lock}>"$STATE/authorized_keys.lock"
    flock "$lock"
    {
        awk -v mark="$mark" '$NF != mark' "$folder/authorized_keys" 2>/dev/null || true
        awk -v mark="$mark" -v range="$range" '{ print "from=\"" range "\" " $0 " " mark }'
    } | replace_file "$folder/authorized_keys" 600 "$user:$user"
    exec {lock}>&-
}
