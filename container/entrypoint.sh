#!/bin/sh
# What the image runs:
#
#   docker run --env-file env.list IMAGE            the ACTION of an env file, as with the old container
#   docker run --env-file env.list IMAGE create     another ACTION than the file's
#   docker run --env-file env.list --volume DIR:/usr/cp IMAGE    with COPY_DIR_PATH=/usr/cp: copied beside the blueprint
#   docker run IMAGE validate blueprints            any command of clusterprint
#
# An ACTION agrees to what it is about, as nobody can be asked in a container without a terminal. Data stays.
set -eu

action=$(printf '%s' "${1-}" | tr '[:upper:]' '[:lower:]')
# `plan` and `validate` are commands of clusterprint, too: alone, and where an env file was given, they are an ACTION.
if [ -n "${PROJECT_ID-}${NAME_PREFIX-}${ACTION-}" ] && [ "$#" -le 1 ]; then
  case "$action" in
    create | destroy | plan | validate)
      export ACTION="$action"
      set --
      ;;
  esac
  if [ "$#" -eq 0 ]; then
    if [ -t 0 ]; then
      set -- env-file --environment --run
    else
      set -- env-file --environment --run --yes
    fi
  fi
fi
if [ "$#" -eq 0 ]; then
  set -- --help
fi
# A user whom the image does not know has no home that may be written, and gcloud, az and kubectl keep logins in it.
if [ ! -w "${HOME:-/}" ]; then
  export HOME=/tmp
fi
# In its place, so that signals reach it.
exec clusterprint "$@"
