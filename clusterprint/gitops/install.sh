#!/usr/bin/env bash
# Makes two commands that see nothing of the current folder, which is a checkout of what others propose:
#
#   install.sh PYTHON FOLDER [COMMAND]
#
#   FOLDER/bin/clusterprint   this clusterprint in an environment of its own, or COMMAND, if that is there already
#   FOLDER/bin/python         a Python that knows the modules of clusterprint.gitops
#
# Python looks for modules in the current folder, in PYTHONPATH, and where pip's settings say. So the work is done
# in FOLDER, without those variables, and in isolated mode. What is installed is what the lock file names, by hash.
set -euo pipefail

python="$1" folder="$2" command="${3-}"
source="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"

for name in "${!PYTHON@}" "${!PIP_@}"; do
  case "$name" in
    # Where packages come from and how to get there may differ by machine: hashes say what they are.
    PIP_INDEX_URL | PIP_EXTRA_INDEX_URL | PIP_CERT | PIP_CLIENT_CERT | PIP_PROXY | PIP_TRUSTED_HOST | PIP_TIMEOUT | PIP_DEFAULT_TIMEOUT | PIP_RETRIES) ;;
    *) unset "$name" ;;
  esac
done
mkdir -p "$folder/bin"
folder="$(cd "$folder" && pwd)"
cd "$folder"

# A command that runs another in a clean environment; the words are quoted for the shell.
wrap() {
  local name="$1"
  shift
  # shellcheck disable=SC2016 # expanded when it runs
  printf '#!/usr/bin/env bash\nunset "${!PYTHON@}"\n%s exec%s "$@"\n' "${SETTINGS:-}" "$(printf ' %q' "$@")" > "bin/$name"
  chmod +x "bin/$name"
}

if [ -n "$command" ]; then
  SETTINGS="PYTHONSAFEPATH=1" wrap clusterprint "$command"
  SETTINGS="PYTHONPATH=$(printf '%q' "$source")" wrap python "$python" -P -s
  exit
fi

"$python" -I -m venv env
# Most of what is installed are complete bindings, of which a small part is used: Python compiles that when it runs.
pip=(env/bin/python -I -m pip install --quiet --disable-pip-version-check --no-input --no-compile --no-deps)
# Only wheels: nothing of a dependency runs while it is installed.
"${pip[@]}" --require-hashes --only-binary=:all: --requirement "$source/clusterprint/gitops/requirements.txt"
"${pip[@]}" --no-index --no-build-isolation "$source"
wrap clusterprint "$folder/env/bin/python" -I -m clusterprint
wrap python "$folder/env/bin/python" -I
