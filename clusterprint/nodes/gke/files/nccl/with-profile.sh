# shellcheck shell=bash disable=SC1090
# Run a command with what a plug-in's own profile sets, so that NCCL finds the networks between GPUs:
# with-profile PROFILE COMMAND ... A profile is not written for strict mode, and may end with a test that is false.
set -e
. "$1" || true
shift
exec "$@"
