# shellcheck shell=bash
# How the nodes of a cluster trust each other. Sourced by update-hosts.
#
# By host: who is logged in on one node may log in as the same user on any other, because the other node vouches with
# its host key, which never leaves it. No user has a key, so none can be lost, and none is in any state. Not for root.

# usage: write_trust NODES PROJECT
write_trust() {
    local folder="$ROOT/etc/ssh"
    mkdir -p "$folder/ssh_config.d"
    # All names that a node may call itself by, or be called by: short, zonal, global, and its address.
    awk -v project="$2" 'BEGIN {
        split(project, part, ":")
        project = part[2] == "" ? part[1] : part[2] "." part[1]
    } {
        print $1 "," $1 "." $3 ".c." project ".internal," $1 ".c." project ".internal," $2 " " $6 " " $7
    }' "$1" >"$1.known_hosts"
    replace_between_marks "$folder/ssh_known_hosts" <"$1.known_hosts"
    awk '{ gsub(",", "\n", $1); print $1 }' "$1.known_hosts" | replace_between_marks "$folder/shosts.equiv"
    awk '{ gsub(",", " ", $1); print "Host " $1; print "    HostbasedAuthentication yes" }' "$1.known_hosts" |
        replace_file "$folder/ssh_config.d/61-clusterprint-nodes.conf" 644
}

# What others wrote into the file stays. usage: replace_between_marks FILE
replace_between_marks() {
    {
        sed '/^# clusterprint begin$/,/^# clusterprint end$/d' "$1" 2>/dev/null || true
        printf '# clusterprint begin\n'
        cat
        printf '# clusterprint end\n'
    } | replace_file "$1" 644
}
