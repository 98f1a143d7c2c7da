# shellcheck shell=bash
# Packages, from the repositories of the image and from a few others. Sourced, after common.sh.
#
# A repository of others is trusted by its keys, known by their fingerprints; a package of it has one version. So what
# is installed is what was meant, whatever the repository offers by then. All is tried for some minutes: the way to the
# internet may be younger than this machine. A source of somebody else that is broken stops nothing of ours.

REPOSITORIES="$ETC/repositories"
# What apt or dnf said last, of lists of packages and of packages.
SAID="$ROOT/var/log/clusterprint/packages"

# usage: install_packages PACKAGE...
install_packages() {
    mkdir -p "$SAID"
    : >"$SAID/lists"
    : >"$SAID/packages"
    if have apt-get; then
        retry 20 15 apt_install "$@" || apt_install_older "$@" || die "could not install $*: $(why_not)"
    elif have dnf; then
        retry 20 15 dnf_install "$@" || die "could not install $*: $(why_not)"
    else
        die "could not install $* without apt-get or dnf: use an image that has one of them, or $*"
    fi
}

# The last error in the words of apt or dnf, but for those that only say that there were others. usage: last_error FILE
last_error() {
    grep -E '^(E|W|Error): .' "$1" 2>/dev/null |
        grep -Ev 'Unable to fetch some archives|Some index files failed' | tail -n 1 || true
}

is_cut_off() {
    grep -qE 'Could not (connect|resolve)|Temporary failure|[Cc]onnection timed out|unreachable|Curl error \((6|7|28)\)' "$@" 2>/dev/null
}

why_not() {
    local said
    said="$(last_error "$SAID/packages")"
    printf '%s' "${said:-$(tail -n 1 "$SAID/packages" 2>/dev/null || true)}"
    if is_cut_off "$SAID/packages" || { is_cut_off "$SAID/lists" && ! grep -qE '^(Get|Hit)' "$SAID/lists"; }; then
        printf '; no internet access (network.nat)?'
    else
        lists_error
    fi
}

# What is missing where lists could not be read may be in one of them.
lists_error() {
    local said
    said="$(last_error "$SAID/lists")"
    printf '%s' "${said:+ (of lists of packages: $said)}"
}

# Read the lists of all sources that can be read; those that cannot be are said. Fails where the network does.
update_lists() {
    mkdir -p "$SAID"
    if LC_ALL=C apt-get --quiet update >"$SAID/lists" 2>&1 && ! grep -qE '^(W|E|Err)' "$SAID/lists"; then
        return 0
    fi
    log "some lists of packages could not be updated: $(last_error "$SAID/lists")"
    ! is_cut_off "$SAID/lists"
}

# Others may be installing, at the first boot above all: they are waited for.
apt_install() {
    update_lists || true
    apt_get_install "$@"
}

apt_get_install() {
    LC_ALL=C DEBIAN_FRONTEND=noninteractive apt-get --quiet --quiet --yes --no-install-recommends --allow-downgrades \
        -o DPkg::Lock::Timeout=600 install "$@" 2>&1 | tee "$SAID/packages" >&2
}

dnf_install() {
    LC_ALL=C dnf --assumeyes --quiet --setopt='*.skip_if_unavailable=1' install "$@" 2>&1 | tee "$SAID/packages" >&2
}

# What cannot be installed in the newest version, or in the one that was meant, may be in the one before it.
apt_install_older() {
    local each older before=() said
    for each in "$@"; do
        older="$(version_before "$each")"
        before+=("${older:-$each}")
    done
    [[ "${before[*]}" != "$*" ]] || return 1
    said="$(<"$SAID/packages")"
    log "could not install $*; trying older versions: ${before[*]}"
    apt_get_install "${before[@]}" && return
    printf '%s\n' "$said" >"$SAID/packages"
    return 1
}

# usage: version_before PACKAGE[=VERSION]
version_before() {
    local name="${1%%=*}" wanted='' version
    [[ $1 != *=* ]] || wanted="${1#*=}"
    # What has the version of the kernel belongs to it.
    [[ $wanted != "$(uname -r)" ]] || return 0
    while read -r version; do
        if [[ -z $wanted ]]; then
            # The first is the newest.
            wanted="$version"
        elif dpkg --compare-versions "$version" lt "${wanted%\*}"; then
            printf '%s=%s\n' "$name" "$version"
            return
        fi
    done < <(apt-cache madison "$name" 2>/dev/null | awk -F ' *[|] *' '{ print $2 }')
}

# What is known of a repository; of keys there may be several lines. usage: repository NAME KEY
repository() {
    sed -n "s/^$2=//p" "$REPOSITORIES/$1"
}

# usage: install_from REPOSITORY
install_from() {
    local packages
    have apt-get || die "$1 can be installed on Debian and Ubuntu only: use an image that includes it"
    have gpg || install_packages gpg
    mkdir -p "$ROOT/etc/apt/keyrings" "$ROOT/etc/apt/sources.list.d"
    add_repository "$1"
    IFS=' ' read -r -a packages <<<"$(repository "$1" packages | sed "s/@kernel@/$(uname -r)/")"
    install_packages "${packages[@]}"
    # What the image brought is not ours to stop, once it is no longer asked for.
    mkdir -p "$STATE/installed"
    touch "$STATE/installed/$1"
}

# Where an image knows the repository already, it trusts it by a key of its own; apt does not take two. Several
# repositories may share one address, as Google's do; only the suite tells them apart. usage: is_known NAME PLACE
is_known() {
    local address suite file
    read -r address suite _ <<<"$2"
    for file in "$ROOT"/etc/apt/sources.list.d/*; do
        if [[ -f $file && ${file##*/} != "clusterprint-$1.list" ]] &&
            grep --quiet --fixed-strings -- "$address" "$file" &&
            grep --quiet --extended-regexp -- "(^|[[:space:]])$suite([[:space:]]|\$)" "$file"; then
            return 0
        fi
    done
    return 1
}

add_repository() {
    local place
    place="$(repository "$1" apt | for_this_release)" || die "/etc/os-release has no VERSION_CODENAME: $1 requires Debian or Ubuntu"
    if is_known "$1" "$place"; then
        rm -f "$ROOT/etc/apt/sources.list.d/clusterprint-$1.list"
        return
    fi
    retry 20 15 trust_key "$1" || die "could not get the signing key of repository $1"
    printf 'deb [signed-by=/etc/apt/keyrings/clusterprint-%s.gpg] %s\n' "$1" "$place" |
        replace_file "$ROOT/etc/apt/sources.list.d/clusterprint-$1.list" 644
}

# Fill in what a repository calls this system: @codename@ (noble), @release@ (ubuntu2404), @system@ (ubuntu/24.04),
# @machine@ (x86_64, sbsa).
for_this_release() {
    local codename release system machine
    # shellcheck disable=SC1091 # a file of the machine
    codename="$(source "$ROOT/etc/os-release" && printf '%s' "${VERSION_CODENAME:-}")"
    # shellcheck disable=SC1091
    release="$(source "$ROOT/etc/os-release" && printf '%s%s' "${ID:-}" "${VERSION_ID:-}")"
    # shellcheck disable=SC1091
    system="$(source "$ROOT/etc/os-release" && printf '%s/%s' "${ID:-}" "${VERSION_ID:-}")"
    machine="$(uname -m)"
    [[ -n $codename ]] || return 1
    sed "s/@codename@/$codename/g; s/@release@/${release//./}/g; s,@system@,$system,g; s/@machine@/${machine/aarch64/sbsa}/g"
}

# A file of keys may hold others as well; those are not trusted. A vendor has several keys while it changes them: one that
# can be had is enough.
trust_key() {
    local work url fingerprints=() status=0
    mapfile -t fingerprints < <(repository "$1" fingerprint)
    work="$(mktemp -d)"
    for url in $(repository "$1" key | for_this_release); do
        if curl --silent --show-error --fail --location --max-time 60 --output "$work/keys" "$url"; then
            gpg --homedir "$work" --batch --quiet --import "$work/keys" || log "$url holds no keys"
        fi
    done
    if gpg --homedir "$work" --batch --quiet --export "${fingerprints[@]}" >"$work/key" && [[ -s $work/key ]]; then
        replace_file "$ROOT/etc/apt/keyrings/clusterprint-$1.gpg" 644 <"$work/key" || status=1
    else
        log "could not get key ${fingerprints[*]} from $(repository "$1" key | tr '\n' ' ')"
        status=1
    fi
    rm -rf "$work"
    return "$status"
}
