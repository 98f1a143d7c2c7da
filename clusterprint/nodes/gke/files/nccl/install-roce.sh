# shellcheck shell=sh
# Copy the RoCE plug-in to where GPU containers find it, and all of it to where jobs mount it from.
set -ex
/scripts/container_entry.sh install
cp -r /var/lib/gib/lib64/. /host/libraries
cp -r /var/lib/gib/. /host/gib
