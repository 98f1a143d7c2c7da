# shellcheck shell=sh
# Let programs of MPI that people start find the RDMA interface, unless they say how themselves.
if [ -r /var/lib/clusterprint/rdma.env ]; then
    while IFS='=' read -r clusterprint_name clusterprint_value; do
        if ! printenv "$clusterprint_name" >/dev/null; then
            export "$clusterprint_name=$clusterprint_value"
        fi
    done </var/lib/clusterprint/rdma.env
    unset clusterprint_name clusterprint_value
fi
