# shellcheck shell=sh
# Run a launcher's command when the SSH servers of all workers answer: launch HOSTFILE PORT SECONDS COMMAND ...
# Their names resolve a while after they are ready. A mpirun that is too early fails, and with it the job.
set -e
hostfile=$1 port=$2 seconds=$3
shift 3
answers() {
  [ -n "$(ssh-keyscan -p "$port" -T 5 "$1" 2>/dev/null)" ]
}
wait_for() {
  begun=$(date +%s)
  answers "$1" && return
  echo "waiting for $1, port $port" >&2
  until answers "$1"; do
    if [ $(($(date +%s) - begun)) -ge "$seconds" ]; then
      echo "no SSH server answered at $1, port $port, within $seconds seconds: mpirun was not started" >&2
      exit 1
    fi
    sleep 1
  done
}
if command -v ssh-keyscan >/dev/null 2>&1; then
  # A line is a name and its slots, behind a blank or a colon.
  while IFS= read -r line || [ -n "$line" ]; do
    host=${line%%[ :]*}
    [ -z "$host" ] || wait_for "$host"
  done <"$hostfile"
else
  echo "the image has no ssh-keyscan: not waiting for the names and the SSH servers of workers" >&2
fi
exec "$@"
