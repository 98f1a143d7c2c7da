# shellcheck shell=bash
# How images of containers get here. Sourced, after google.sh.

# Google's registries know this machine by its service account. What Docker writes down of it goes at once.
# usage: fetch_image IMAGE
fetch_image() {
    local registry="${1%%/*}" config status=0
    config="$(mktemp -d)"
    case "$registry" in
    *.pkg.dev | gcr.io | *.gcr.io) access_token | docker --config "$config" login --username oauth2accesstoken --password-stdin "https://$registry" || status=1 ;;
    esac
    ((status == 0)) && docker --config "$config" pull --quiet "$1" || status=1
    rm -rf "$config"
    return "$status"
}
