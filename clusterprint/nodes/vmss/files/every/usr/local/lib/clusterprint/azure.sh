# shellcheck shell=bash
# Talk to Azure as this machine: with the identity that it was given, and no secret on disk. Sourced, after common.sh.

METADATA=http://169.254.169.254/metadata
ARM=https://management.azure.com

# A token for Azure Resource Manager. It lives in this process only.
azure_token() {
    curl --silent --show-error --fail --noproxy '*' --max-time 20 --retry 5 --header 'Metadata: true' --get \
        --data-urlencode "resource=$ARM/" --data-urlencode "msi_res_id=$(fact identity)" \
        "$METADATA/identity/oauth2/token?api-version=2018-02-01" | jq --exit-status --raw-output .access_token
}

# usage: arm METHOD URL [CURL-ARGUMENTS...]; the URL is below $ARM
# The token reaches curl through a pipe: arguments can be read by every user of the machine.
arm() {
    local method="$1" url="$2" token
    shift 2
    # A token goes nowhere else, whatever a link in an answer says.
    if [[ $url != "$ARM"/* ]]; then
        log "refusing to send a token to $url"
        return 1
    fi
    token="$(azure_token)" || return 1
    curl --silent --show-error --fail --globoff --max-time 60 --retry 3 --request "$method" "$@" \
        --header @<(printf 'Authorization: Bearer %s\n' "$token") "$url"
}

# All elements of a list that comes in pages, as one JSON array.
# usage: arm_list URL
arm_list() {
    local url="$1" page pages=''
    while [[ -n $url ]]; do
        page="$(arm GET "$url")" || return 1
        pages+="$page"
        url="$(jq --raw-output '.nextLink // empty' <<<"$page")" || return 1
    done
    jq --slurp '[.[].value[]]' <<<"$pages"
}

# The value of a tag of a resource; empty when there is none.
# usage: tag_of RESOURCE-ID TAG
tag_of() {
    arm GET "$ARM$1/providers/Microsoft.Resources/tags/default?api-version=2021-04-01" |
        jq --raw-output --arg tag "$2" '.properties.tags[$tag] // empty'
}

# usage: set_tag RESOURCE-ID TAG VALUE
set_tag() {
    jq --null-input --arg tag "$2" --arg value "$3" '{operation: "Merge", properties: {tags: {($tag): $value}}}' |
        arm PATCH "$ARM$1/providers/Microsoft.Resources/tags/default?api-version=2021-04-01" \
            --header 'Content-Type: application/json' --data @- >/dev/null
}
