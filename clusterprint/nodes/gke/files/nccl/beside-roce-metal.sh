# shellcheck shell=sh
# Watch the network from the kernel, once the program that sets up the interfaces answers.
set -e
until curl -s -o /dev/null http://localhost:19540/healthz; do
  echo "the interfaces are not set up yet" >&2
  sleep 5
done
exec /usr/local/bin/bpf_manager
