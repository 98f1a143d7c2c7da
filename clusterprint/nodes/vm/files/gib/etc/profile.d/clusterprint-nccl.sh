# shellcheck shell=sh
# NCCL with the plug-in for this machine's network. The NCCL_ variables come from /etc/environment, which sessions
# without a terminal have as well; here is where the library is.
if [ -d /usr/local/gib/lib64 ]; then
    export LD_LIBRARY_PATH="/usr/local/gib/lib64${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
fi
