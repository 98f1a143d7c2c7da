# shellcheck shell=bash disable=SC2154 # file, run, folder, bucket, results and node are of who sources this
# What is known of a run, here and in its bucket. Sourced by run-program, after status.sh.
#
# The status in the bucket is made when a node begins, and only where there is none: so nothing runs twice, whichever
# node begins, and a node that was made anew finds what the one before it did. It is lines of key=value.

# All values of a key, one a line. usage: described KEY
described() {
    sed -n "s/^$1=//p" "$file"
}

# What no other attempt to take a run has: the kernel makes one up each time.
new_claim() {
    cat "$ROOT/proc/sys/kernel/random/uuid"
}

# usage: write_status STATE EXIT-STATUS MESSAGE; keeps when it was started, and by which attempt
write_status() {
    local started ended='' claim
    claim="$(sed -n 's/^claim=//p' "$folder/status" 2>/dev/null || true)"
    started="$(sed -n 's/^started=//p' "$folder/status" 2>/dev/null || true)"
    [[ $1 == running ]] || ended="$(utc)"
    printf 'run=%s\nstate=%s\nnode=%s\nexit_status=%s\nmessage=%s\nstarted=%s\nended=%s\nclaim=%s\n' \
        "$run" "$1" "$node" "$2" "$3" "${started:-$(utc)}" "$ended" "${claim:-$(new_claim)}" | replace_file "$folder/status" 644
}

# Put log and status into the bucket; the status last, because with it all is there.
publish_run() {
    if [[ -e $folder/log ]]; then
        [[ $(put_object "$bucket" "$results/log" "$folder/log") == 200 ]] || return 1
    fi
    [[ $(put_object "$bucket" "$results/status" "$folder/status") == 200 ]] || return 1
    touch "$folder/published"
}

# Take the run, if nobody has. Exit status: 0 it is ours, 1 it is not, or is not known to be.
claim_run() {
    local code before claim
    mkdir -p "$folder"
    # Until it is ours, nothing here says that it was begun. A claim whose answer was lost is made again as it was: so
    # it is known as our own. What was begun here has no claim any more.
    if [[ ! -e $folder/claim ]]; then
        rm -f "$folder/status"
        write_status running '' ''
        mv -f "$folder/status" "$folder/claim"
    fi
    code="$(put_object "$bucket" "$results/status" "$folder/claim" new)" || code=000
    case "$code" in
    200)
        mv -f "$folder/claim" "$folder/status"
        return 0
        ;;
    412) ;;
    *)
        log "$run: could not write the status to bucket $bucket (HTTP $code): check the permissions of the nodes"
        return 1
        ;;
    esac
    before="$folder/before"
    fetch_object "$bucket" "$results/status" "$before" || return 1
    claim="$(field "$folder/claim" claim)"
    if [[ -n $claim && $(field "$before" claim) == "$claim" ]]; then
        mv -f "$folder/claim" "$folder/status"
        return 0
    fi
    rm -f "$folder/claim"
    if [[ $(field "$before" state) != running ]]; then
        log "$run: already finished"
        mv -f "$before" "$folder/status"
        touch "$folder/published"
    elif [[ $(field "$before" node) == "$node" ]]; then
        mv -f "$before" "$folder/status"
        write_status failed '' 'the node that started it went down while it was running'
        publish_run || true
    else
        log "$run: already running on $(field "$before" node)"
    fi
    return 1
}
