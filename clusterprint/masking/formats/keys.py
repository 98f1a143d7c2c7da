"""Private keys and hashes of passwords, as they stand in files."""

from clusterprint.masking.formats.form import BASE64, IS, Format

KEYS = (
    Format(
        "the key of a service account",
        ("private_key",),
        r"""(?<=["'])private_key["']\s{0,20}:\s{0,20}["'](?!\*)(?P<secret>(?:[^"'\\]|\\.)+)""",
        "Google Cloud: service account keys",
    ),
    Format(
        "a private key",
        ("-----begin", "---- begin ssh2"),
        # To its end, or (if that was cut off) as far as it looks like one.
        r"-----BEGIN\s(?:[A-Z0-9]{1,20}\s){0,4}PRIVATE\sKEY(?:\sBLOCK)?-----"
        r"(?:(?:[^-]|-(?!----))*-----END\s[A-Z0-9 ]{1,60}-----|[\sA-Za-z0-9+/=\\]*)"
        r"|---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----(?:[^-]|-(?!---))*(?:---- END [A-Z0-9 ]{1,60}----)?",
        "RFC 7468, RFC 9580, RFC 4716",
    ),
    Format(
        "a private key",
        ("putty-user-key-file-",),
        r"PuTTY-User-Key-File-[0-9](?:(?!PuTTY-)[\s\S]){0,8000}?Private-Lines:[ \t]*[0-9]+\s(?P<secret>[\sA-Za-z0-9+/=\\]*)",
        "PuTTY manual: the PPK file format",
    ),
    Format(
        "a private key in base64",
        ("ls0tls1crudjti",),
        # `-----BEGIN ... PRIVATE KEY-----` at the start, as in a kubeconfig or a Kubernetes Secret; the words
        # between are those of PKCS #8 and of RSA, EC, DSA, OpenSSH and encrypted keys.
        rf"{BASE64}LS0tLS1CRUdJTi(?:BQUklWQVRF|BSU0EgUFJJVkFU|BFQyBQUklWQVRF|BEU0EgUFJJVkFU|BPUEVOU1NIIFBSSVZB"
        r"|BFTkNSWVBURUQgUFJJ|BQR1AgUFJJVkFU)[\sA-Za-z0-9+/=\\]*",
        "RFC 7468 in RFC 4648",
    ),
    Format("an age key", ("age-secret-key-",), r"AGE-SECRET-KEY-(?:PQ-)?1[0-9A-Z]{40,}", "age: format"),
    Format(
        "the key of a service account",
        ("ewog", "eyj", "ew0k"),
        rf"{BASE64}(?:ewog|eyJ|ew0K)[A-Za-z0-9+/]{{0,200}}"
        r"(?:c2VydmljZV9hY2NvdW50|NlcnZpY2VfYWNjb3VudC|zZXJ2aWNlX2FjY291bn)[\sA-Za-z0-9+/=]*",
        "Google Cloud: service account keys, in base64",
    ),
    Format(
        "a private key",
        ("client-key-data",),
        r"""client-key-data["']?\s{0,8}[:=]\s{0,8}["']?(?P<secret>[A-Za-z0-9+/=]{20,})""",
        "Kubernetes: kubeconfig",
    ),
    Format(
        "a private key",
        ("privatekey", "private_key", "presharedkey"),
        rf"(?i:private_?key|preshared_?key){IS}(?P<secret>[A-Za-z0-9+/]{{43}}=)",
        "WireGuard: wg(8)",
    ),
    Format(
        "a password hash",
        ("$6$", "$5$", "$1$", "$y$", "$2a$", "$2b$", "$2y$", "$argon2", "$gy$", "$7$"),
        r"\$(?:[1567y]|gy|2[aby])\$(?:rounds=[0-9]+\$)?[./A-Za-z0-9]{1,40}\$?[./A-Za-z0-9$]{20,}"
        r"|\$argon2(?:id|i|d)\$v=[0-9]+\$[a-z0-9=,]{1,60}\$[A-Za-z0-9+/$]{20,}",
        "crypt(5)",
    ),
)
