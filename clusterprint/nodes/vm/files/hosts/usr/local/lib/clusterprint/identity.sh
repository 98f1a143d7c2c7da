# shellcheck shell=bash disable=SC2154 # the folder $work is of the script that sources this
# Which machine says something: a token that Google signs names the machine, and its audience is what is said.
# Sourced, after google.sh.
# https://cloud.google.com/compute/docs/instances/verifying-instance-identity
#
# That a token has expired does not matter: whoever presents it to another service may not, but it is as true as before
# that this machine had this key. What ages is the signature: Google changes its keys every few days, and only those
# count that it publishes now. So a machine has its token renewed each day, and a node that is added much later knows
# the key by which it is signed.

# Google's certificates, by the id of the key, as this node fetched them last.
CERTIFICATES="$STATE/google-certificates.json"
CERTIFICATES_AT=https://www.googleapis.com/oauth2/v1/certs
# The token of this machine, after a line that says what it is about.
TOKEN="$STATE/identity"

# usage: audience_of KEY, in base64 as in a file of OpenSSH
audience_of() {
    printf 'clusterprint:SHA256:%s\n' "$(base64 -d <<<"$1" | openssl dgst -sha256 -binary | base64 | tr -d '=')"
}

# The token by which this machine says something. usage: own_identity AUDIENCE
own_identity() {
    local about token
    about="$1 $(metadata instance/id)" || return 1
    if [[ $(head -n 1 "$TOKEN" 2>/dev/null) != "$about" || -n $(find "$TOKEN" -mmin +1440) ]]; then
        token="$(metadata instance/service-accounts/default/identity --get --data-urlencode "audience=$1" \
            --data-urlencode format=full)" || return 1
        rm -f "$TOKEN" # the same token again is as old as it was
        printf '%s\n%s\n' "$about" "$token" | replace_file "$TOKEN" 600
    fi
    tail -n 1 "$TOKEN"
}

# Fetch Google's certificates at most once in an hour; those of the last day do where it does not answer.
fetch_certificates() {
    [[ -z $(find "$CERTIFICATES" -mmin -60 2>/dev/null) ]] || return 0
    if curl --silent --show-error --fail --max-time 60 --output "$work/certificates" "$CERTIFICATES_AT" &&
        jq --exit-status 'type == "object"' "$work/certificates" >/dev/null; then
        rm -f "$CERTIFICATES"
        replace_file "$CERTIFICATES" 600 <"$work/certificates"
    elif [[ -z $(find "$CERTIFICATES" -mmin -1440 2>/dev/null) ]]; then
        log 'could not fetch the certificates of Google, so what machines say of themselves cannot be verified'
        return 1
    fi
}

# One of the three parts of a token, as it was before it was encoded. usage: decoded TEXT
decoded() {
    local text
    text="$(tr -- '-_' '+/' <<<"$1")"
    while ((${#text} % 4)); do
        text+='='
    done
    base64 -d <<<"$text" 2>/dev/null
}

# Whether Google says that the token is of this machine and for this audience.
# usage: is_identity TOKEN AUDIENCE PROJECT ZONE NAME ID
is_identity() {
    local head body signature rest key
    IFS=. read -r head body signature rest <<<"$1"
    [[ -n $signature && -z $rest ]] || return 1
    key="$(decoded "$head" | jq --raw-output 'select(.alg == "RS256").kid | strings')" && [[ -n $key ]] || return 1
    jq --raw-output --exit-status --arg key "$key" '.[$key] | strings' "$CERTIFICATES" >"$work/certificate" || return 1
    openssl x509 -in "$work/certificate" -noout -checkend 0 >/dev/null 2>&1 || return 1
    openssl x509 -in "$work/certificate" -noout -pubkey >"$work/key" 2>/dev/null || return 1
    decoded "$signature" >"$work/signature" || return 1
    printf '%s.%s' "$head" "$body" |
        openssl dgst -sha256 -verify "$work/key" -signature "$work/signature" >/dev/null 2>&1 || return 1
    decoded "$body" | jq --exit-status --arg audience "$2" --arg project "$3" --arg zone "$4" --arg name "$5" \
        --arg id "$6" '
        .iss == "https://accounts.google.com" and .aud == $audience and .iat <= now + 300 and
        (.google.compute_engine | .project_id == $project and .zone == $zone and .instance_name == $name and
            (.instance_id | tostring) == $id)' >/dev/null 2>&1
}
