#!/bin/bash
# Runs once, as root, on the machine that becomes the image; the files are in /opt/site by then.
set -euo pipefail
export DEBIAN_FRONTEND=noninteractive
mapfile -t packages < <(grep -v '^#' /opt/site/packages.txt)
apt-get --quiet update
apt-get --quiet --yes --no-install-recommends install "${packages[@]}"
