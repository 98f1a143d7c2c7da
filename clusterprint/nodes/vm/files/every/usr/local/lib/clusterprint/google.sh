# shellcheck shell=bash
# How scripts talk to Google Cloud: the metadata server, and objects in Cloud Storage. Sourced, after common.sh.

METADATA=http://metadata.google.internal/computeMetadata/v1

# usage: metadata PATH [OPTIONS of curl...]; fails with 22 for what is not there
metadata() {
    local path="$1"
    shift
    curl --silent --show-error --fail --noproxy '*' --max-time 10 --header 'Metadata-Flavor: Google' "$@" "$METADATA/$path"
}

# Say something about this machine that others may read, from standard input. usage: set_guest_attribute KEY
set_guest_attribute() {
    metadata "instance/guest-attributes/clusterprint/$1" --request PUT --data-binary @- >/dev/null
}

# Who this machine is to Google's services, for an hour at most.
access_token() {
    local answer
    answer="$(metadata instance/service-accounts/default/token)" || return 1
    sed -n 's/.*"access_token" *: *"\([^"]*\)".*/\1/p' <<<"$answer"
}

# Every byte that is not plain is written as %XX.
url_encode() {
    local LC_ALL=C text="$1" index
    for ((index = 0; index < ${#text}; index++)); do
        case "${text:index:1}" in
        [A-Za-z0-9._~-]) printf '%s' "${text:index:1}" ;;
        *) printf '%%%02X' "'${text:index:1}" ;;
        esac
    done
}

# usage: fetch_object BUCKET OBJECT FILE
fetch_object() {
    local token
    token="$(access_token)" && [[ -n $token ]] || return 1
    # The token is nobody else's business: it comes in a file, where the list of processes does not show it.
    curl --silent --show-error --fail --max-time 3600 --speed-time 60 --speed-limit 1 --output "$3" \
        --header @- "https://storage.googleapis.com/storage/v1/b/$1/o/$(url_encode "$2")?alt=media" \
        <<<"Authorization: Bearer $token"
}

# Put a file into a bucket; with new, only where there is none. Prints the HTTP status: 200, or 412 where there is one.
# usage: put_object BUCKET OBJECT FILE [new]
put_object() {
    local token
    token="$(access_token)" && [[ -n $token ]] || return 1
    curl --silent --show-error --max-time 3600 --speed-time 60 --speed-limit 1 --request POST --upload-file "$3" \
        --output /dev/null --write-out '%{http_code}' --header 'Content-Type: text/plain' --header @- \
        "https://storage.googleapis.com/upload/storage/v1/b/$1/o?uploadType=media&name=$(url_encode "$2")${4:+&ifGenerationMatch=0}" \
        <<<"Authorization: Bearer $token"
}
