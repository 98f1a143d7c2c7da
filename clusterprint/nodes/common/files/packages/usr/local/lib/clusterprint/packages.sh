# shellcheck shell=bash
# Packages, from the repositories of the image and from a few others. Sourced, after common.sh.
#
# A repository of others is trusted by one key, known by its fingerprint; a package of it has one version. So what is
# installed is what was meant, whatever the repository offers by then. All is tried for some minutes: the way to the
# internet may be younger than this machine.

REPOSITORIES="$ETC/repositories"

# usage: install_packages PACKAGE...
install_packages() {
    if have apt-get; then
        retry 20 15 apt_install "$@" || die "could not install $*: no internet access (network.nat)?"
    elif have dnf; then
        retry 20 15 dnf --assumeyes --quiet install "$@" || die "could not install $*: no internet access (network.nat)?"
    else
        die "could not install $* without apt-get or dnf: use an image that has one of them, or $*"
    fi
}

# Others may be installing, at the first boot above all: they are waited for.
apt_install() {
    export DEBIAN_FRONTEND=noninteractive
    apt-get --quiet --quiet update || return 1
    apt-get --quiet --quiet --yes --no-install-recommends --allow-downgrades -o DPkg::Lock::Timeout=600 install "$@"
}

# One line of what is known of a repository. usage: repository NAME KEY
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

# Fill in what a repository calls this system: @codename@ (noble), @release@ (ubuntu2404), @machine@ (x86_64, sbsa).
for_this_release() {
    local codename release machine
    # shellcheck disable=SC1091 # a file of the machine
    codename="$(source "$ROOT/etc/os-release" && printf '%s' "${VERSION_CODENAME:-}")"
    # shellcheck disable=SC1091
    release="$(source "$ROOT/etc/os-release" && printf '%s%s' "${ID:-}" "${VERSION_ID:-}")"
    machine="$(uname -m)"
    [[ -n $codename ]] || return 1
    sed "s/@codename@/$codename/g; s/@release@/${release//./}/g; s/@machine@/${machine/aarch64/sbsa}/g"
}

# A file of keys may hold others as well; those are not trusted.
trust_key() {
    local work fingerprint status=0
    fingerprint="$(repository "$1" fingerprint)"
    work="$(mktemp -d)"
    if curl --silent --show-error --fail --location --max-time 60 --output "$work/keys" "$(repository "$1" key | for_this_release)" &&
        gpg --homedir "$work" --batch --quiet --import "$work/keys" &&
        gpg --homedir "$work" --batch --quiet --export "$fingerprint" >"$work/key" && [[ -s $work/key ]]; then
        replace_file "$ROOT/etc/apt/keyrings/clusterprint-$1.gpg" 644 <"$work/key" || status=1
    else
        log "could not get key $fingerprint from $(repository "$1" key)"
        status=1
    fi
    rm -rf "$work"
    return "$status"
}
