# shellcheck shell=bash
# Files that say which nodes the cluster has. Sourced, after common.sh. Nodes are lines "name address ...".

# usage: write_host_files NODES; the user's ~/hostfile and ~/hostfile-ip, in the same order
write_host_files() {
    local home user
    home="$(admin_home)"
    user="$(fact admin_user)"
    awk 'NF { print $1 }' <<<"$1" | replace_file "$home/hostfile" 644 "$user:$user"
    awk 'NF { print $2 }' <<<"$1" | replace_file "$home/hostfile-ip" 644 "$user:$user"
}

# usage: write_etc_hosts NODES; between two marks, what others wrote stays
write_etc_hosts() {
    {
        sed '/^# clusterprint begin$/,/^# clusterprint end$/d' "$ROOT/etc/hosts"
        printf '# clusterprint begin\n'
        awk 'NF { print $2 "\t" $1 }' <<<"$1"
        printf '# clusterprint end\n'
    } | replace_file "$ROOT/etc/hosts" 644
}
