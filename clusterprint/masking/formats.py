"""What secrets look like, as data: the forms that are hardly ever anything else.

Why a table of our own: detect-secrets 1.5 takes 0.21 s to import (a whole `validate` takes 0.3 s), brings an HTTP
client, knows none of the forms of Azure (but one), Google, NVIDIA and Hugging Face, and its detectors of entropy and
of keywords report digests and names of secrets. The forms are written after what the issuers publish and checked
against two collections that are well kept, read on 2026-11-22: the configuration of gitleaks 8 and the patterns of
Microsoft's security-utilities. Forms of fixed length are taken from a lower length on, so that what was cut short,
or is issued longer one day, is recognized too.

Not here, because nothing tells them from ordinary text: bare hexadecimal or base64 (also a bare AWS secret key or an
old Azure key, which are recognized beside their name), passwords beside no name, and secrets inside of base64
other than keys in PEM or JSON.
"""

from typing import NamedTuple


class Format(NamedTuple):
    """One form of a secret.

    `words` complete "what looks like ...". `marks` are how a match begins, in lower case: the pattern is compiled
    and tried only there, which keeps `validate` fast; with `anywhere` the mark is somewhere in the match. In the
    pattern the group `secret` is what must not be seen, by default everything. `source` is who says so.
    """

    words: str
    marks: tuple[str, ...]
    pattern: str
    source: str
    anywhere: bool = False


# Nothing of a word stands before: a task is no `sk-`.
_ = r"(?<![0-9A-Za-z])"
_DASHED = r"(?<![-_0-9A-Za-z])"
_BASE64 = r"(?<![-_+/0-9A-Za-z])"

# Between a name and its value: `=`, `:`, a comma in a list of arguments, or (as in a container's environment)
# the name and the value as two keys. Bounded, because hostile texts are long.
_IS = (
    r"""["'`\]]{0,2}[ \t]{0,8}(?:[:=]{1,2}>?|,?\s{0,40}["']?(?:value|default)["']?[ \t]{0,8}[:=])"""
    r"""[ \t]{0,8}["'`]?"""
)
# The value of a name that says whose secret it is: random to the eye, and no reference to a secret elsewhere.
_RANDOM = (
    r"(?P<secret>[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|[0-9a-fA-F]{32,128}(?![0-9A-Za-z])"
    r"|(?=[a-z0-9]{0,100}[A-Z])(?=[A-Z0-9]{0,100}[a-z])(?=[A-Za-z]{0,100}[0-9])[0-9A-Za-z_]{20,200}={0,2}"
    r"(?![-./0-9A-Za-z]))"
)
_KEY = r"[_-]?(?:(?:api|app|application|access|auth|secret|login)[_-]?){0,2}(?:key|token|pat|secret|password)"


def _named(*names: str) -> str:
    """The pattern of a random value beside one of these names (and `_API_KEY`, `_TOKEN` and so on)."""
    return rf"{_}(?i:(?:{'|'.join(names)}){_KEY}){_IS}{_RANDOM}"


_GITHUB = "GitHub: about authentication, token formats"
_GITLAB = "GitLab: token overview, token prefixes"
_AZURE = "Microsoft security-utilities: identifiable keys"
_GITLEAKS = "gitleaks: default configuration"

_KEYS_AND_CERTIFICATES = (
    Format(
        "the key of a service account",
        ("private_key",),
        r"""(?<=["'])private_key["']\s{0,20}:\s{0,20}["'](?P<secret>(?:[^"'\\]|\\.)+)""",
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
        rf"{_BASE64}LS0tLS1CRUdJTi(?:BQUklWQVRF|BSU0EgUFJJVkFU|BFQyBQUklWQVRF|BEU0EgUFJJVkFU|BPUEVOU1NIIFBSSVZB"
        r"|BFTkNSWVBURUQgUFJJ|BQR1AgUFJJVkFU)[\sA-Za-z0-9+/=\\]*",
        "RFC 7468 in RFC 4648",
    ),
    Format("an age key", ("age-secret-key-",), r"AGE-SECRET-KEY-(?:PQ-)?1[0-9A-Z]{40,}", "age: format"),
    Format(
        "the key of a service account",
        ("ewog", "eyj", "ew0k"),
        rf"{_BASE64}(?:ewog|eyJ|ew0K)[A-Za-z0-9+/]{{0,200}}"
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
        rf"(?i:private_?key|preshared_?key){_IS}(?P<secret>[A-Za-z0-9+/]{{43}}=)",
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

_CLOUDS = (
    Format("an AWS access key", ("akia", "asia", "abia", "acca"), rf"{_}(?:AKIA|ASIA|ABIA|ACCA)[0-9A-Z]{{16}}(?![0-9A-Z])", "AWS: IAM identifiers, unique ID prefixes"),
    Format("an AWS secret key", ("aws", "secret"), rf"{_}(?i:aws[_-]?secret(?:[_-]?access)?(?:[_-]?key)?|secret[_-]?access[_-]?key){_IS}(?P<secret>[A-Za-z0-9+/]{{40}})(?![A-Za-z0-9+/=])", "AWS: access keys, by name"),
    Format("an AWS session token", ("aws", "x-amz-security-token"), rf"(?i:aws[_-]?(?:session|security)[_-]?token|x-amz-security-token){_IS}(?P<secret>[A-Za-z0-9+/=%]{{50,}})", "AWS: temporary credentials, by name"),
    Format("an AWS session token", ("fwog", "fqog", "iqoj"), rf"{_BASE64}(?:FwoG|FQoG|IQoJ)[A-Za-z0-9+/=%]{{90,}}", "AWS: temporary credentials"),
    Format("an AWS API key", ("absk", "bedrock-api-key-"), rf"{_BASE64}(?:ABSK[A-Za-z0-9+/]{{80,}}={{0,2}}|bedrock-api-key-[A-Za-z0-9+/]{{20,}}={{0,2}})", "AWS: Amazon Bedrock API keys"),
    Format("the signature of an address", ("x-amz-signature", "x-goog-signature"), r"(?i:x-(?:amz|goog)-signature)(?:=|%3[dD])(?P<secret>[0-9a-fA-F]{32,})", "AWS and Google Cloud: presigned and signed URLs"),
    Format("an Azure key", ("+ast", "acdb", "+aba", "+amc", "apim"), rf"{_BASE64}[A-Za-z0-9+/]{{76}}(?:APIM|ACDb|\+(?:ABa|AMC|ASt))[A-Za-z0-9+/]{{5}}[AQgw]==", _AZURE, anywhere=True),
    Format("an Azure key", ("aiot", "azca", "azeg", "+asb", "+aeh", "+arm"), rf"{_BASE64}[A-Za-z0-9+/]{{33}}(?:AIoT|AzCa|AZEG|\+(?:ASb|AEh|ARm))[A-P][A-Za-z0-9+/]{{5}}=", _AZURE, anywhere=True),
    Format("an Azure key", ("azse", "azfu", "+acr"), rf"{_BASE64}(?:[A-Za-z0-9]{{42}}AzSe[A-D][A-Za-z0-9]{{5}}|[-\w]{{44}}AzFu[-\w]{{5}}[AQgw]==|[A-Za-z0-9+/]{{42}}\+ACR[A-D][A-Za-z0-9+/]{{5}})(?![-_0-9A-Za-z+/])", _AZURE, anywhere=True),
    Format("an Azure key", ("jqqj9",), rf"{_BASE64}[A-Za-z0-9]{{52}}JQQJ9[9DH][A-Za-z0-9][A-L][A-Za-z0-9]{{24}}[A-Za-z0-9=]{{0,4}}", _AZURE, anywhere=True),
    Format("an Azure key", ("account", "storage", "shared", "access", "primary", "secondary", "master", "batch", "cosmos", "subscription", "api"), rf"(?i:(?:account|storage|shared[_-]?access|access|primary|secondary|master|batch|cosmos|subscription|api)[_-]?key){_IS}(?P<secret>(?:[A-Za-z0-9+/]{{86}}=|[A-Za-z0-9+/]{{43}})=)", "Azure: connection strings, by name"),
    Format("an Azure client secret", ("7q~", "8q~"), r"(?<![-\w~.+/])[-\w~.]{3}[78]Q~[-\w~.]{31,34}(?![-\w~+/])", _AZURE, anywhere=True),
    Format("an Azure client secret", ("client", "azure_password"), rf"(?i:client[_-]?secret|azure_password){_IS}(?P<secret>(?=[^\s\"'$<{{]{{0,100}}[0-9])[-\w~.+/=]{{24,}})(?![\w/])", "Azure and OAuth: client secrets, by name"),
    Format("an Azure shared access signature", ("sig=", "sig%3d"), r"(?i:(?<![0-9a-z])sig(?:=|%3d))(?P<secret>[A-Za-z0-9+/]{43}=|[A-Za-z0-9+/%]{40,}(?:=|%3[dD])?|[-\w]{43})", "Azure: grant limited access with SAS"),
    Format("an Azure DevOps token", ("azdo",), rf"{_}[A-Za-z0-9]{{76}}AZDO[A-Za-z0-9]{{4}}(?![0-9A-Za-z])", "Azure DevOps: personal access tokens", anywhere=True),
    Format("an Azure DevOps token", ("azure", "azdo", "ado", "vsts", "vss", "system"), rf"{_}(?i:(?:azure[_-]?devops|azdo|ado|vsts|vss|system)[_-]?(?:ext[_-]?)?(?:personal[_-]?)?(?:pat|access[_-]?token|accesstoken|token)){_IS}(?P<secret>[a-z2-7]{{52}})(?![0-9a-z])", _AZURE),
    Format("a Google API key", ("aiza",), rf"{_DASHED}AIza[-_0-9A-Za-z]{{35}}(?![-_0-9A-Za-z])", "Google Cloud: API keys"),
    Format("a Google API key", ("aq.ab",), rf"{_DASHED}AQ\.Ab[-_0-9A-Za-z]{{40,}}", "Google Cloud: API keys bound to service accounts"),
    Format("a Google access token", ("ya29.",), rf"{_}ya29\.[-_.0-9A-Za-z]{{20,}}", "Google: OAuth 2.0"),
    Format("a Google refresh token", ("1//0", "1%2f%2f0"), r"(?<![:/0-9A-Za-z])1(?://|%2[fF]%2[fF])0[-_0-9A-Za-z]{28,}", "Google: OAuth 2.0"),
    Format("a Google client secret", ("gocspx-",), rf"{_DASHED}GOCSPX-[-_0-9A-Za-z]{{20,}}", "Google: OAuth 2.0"),
    Format("a Google HMAC key", ("goog1",), rf"{_}GOOG1[0-9A-Z]{{20,}}", "Google Cloud Storage: HMAC keys"),
    Format("a Firebase key", (":apa91b",), rf"{_DASHED}[-_0-9A-Za-z]{{7,30}}:APA91b[-_0-9A-Za-z]{{100,}}", "Firebase Cloud Messaging", anywhere=True),
    Format("a DigitalOcean token", ("doo_v1_", "dop_v1_", "dor_v1_"), rf"{_}do[opr]_v1_[0-9a-f]{{32,}}", _GITLEAKS),
    Format("an Alibaba Cloud access key", ("ltai",), rf"{_}LTAI[0-9A-Za-z]{{16,}}(?![-_0-9A-Za-z])", _GITLEAKS),
    Format("a Tencent Cloud access key", ("akid",), rf"{_}AKID[0-9A-Za-z]{{32}}(?![0-9A-Za-z])", "Tencent Cloud: API keys"),
    Format("a Yandex Cloud key", ("aqvn", "t1."), rf"{_}(?:AQVN[-_0-9A-Za-z]{{35,38}}|t1\.[-_0-9A-Za-z=]{{1,300}}\.[-_0-9A-Za-z]{{86}})(?![-_0-9A-Za-z])", _GITLEAKS),
    Format("a Heroku key", ("hrku-",), rf"{_}HRKU-[-_0-9A-Za-z]{{30,}}", _GITLEAKS),
    Format("a Fly token", ("fm1r_", "fm2_", "fm1a_", "fo1_"), rf"{_}(?:fm1[ar]_|fm2_|fo1_)[-_+/=,0-9A-Za-z]{{40,}}", _GITLEAKS),
)  # fmt: skip

_MODELS = (
    Format("a Hugging Face token", ("hf_", "api_org_"), rf"{_}(?:hf_[0-9A-Za-z]{{30,}}|hf_(?:oauth|jwt)_[-_.0-9A-Za-z]{{20,}}|api_org_[0-9A-Za-z]{{30,}})", "Hugging Face: user access tokens; gitleaks"),
    Format("a Weights & Biases key", ("wandb_v",), rf"{_}wandb_v[0-9]+_[-_0-9A-Za-z]{{30,}}", "Weights & Biases: API keys"),
    Format("a Weights & Biases key", ("wandb",), rf"(?i:wandb(?:[_-]api)?[_-]?key)(?:{_IS}|[ \t]{{1,4}})(?P<secret>[0-9a-zA-Z_-]{{40,}})", "Weights & Biases: API keys, by name"),
    Format("a Weights & Biases key", ("wandb",), r"wandb[ \t]{1,4}login[ \t]{1,4}(?:--relogin[ \t]{1,4})?(?P<secret>[0-9a-f]{40})", "Weights & Biases: wandb login"),
    Format("a Weights & Biases key", ("api.wandb.ai",), r"api\.wandb\.ai[^\n]{0,60}?(?P<secret>[0-9a-f]{40})(?![0-9a-f])", "Weights & Biases: the .netrc file"),
    Format("an Anthropic key", ("sk-ant-",), rf"{_DASHED}sk-ant-[a-z]{{2,10}}[0-9]{{2}}-[-_0-9A-Za-z]{{20,}}", "Anthropic; gitleaks"),
    Format("an OpenAI key", ("sk-",), rf"{_DASHED}sk-(?:(?:proj|svcacct|admin|service|None)-[-_0-9A-Za-z]{{20,}}|(?=[0-9A-Za-z]{{0,80}}[0-9])[0-9A-Za-z]{{32,}})", "OpenAI; gitleaks"),
    Format("an OpenRouter key", ("sk-or-",), rf"{_DASHED}sk-or-v[0-9]-[0-9a-f]{{32,}}", "OpenRouter"),
    Format("an NVIDIA API key", ("nvapi-",), rf"{_}nvapi-[-_0-9A-Za-z]{{20,}}", "NVIDIA NGC: API keys"),
    Format("a Replicate token", ("r8_",), rf"{_}r8_[0-9A-Za-z]{{30,}}", "Replicate"),
    Format("a Groq key", ("gsk_",), rf"{_}gsk_[0-9A-Za-z]{{40,}}", "Groq"),
    Format("an xAI key", ("xai-",), rf"{_DASHED}xai-[0-9A-Za-z]{{50,}}", "xAI"),
    Format("a Perplexity key", ("pplx-",), rf"{_DASHED}pplx-[0-9A-Za-z]{{32,}}", _GITLEAKS),
    Format("a Together key", ("tgp_v1_",), rf"{_}tgp_v1_[-_0-9A-Za-z]{{30,}}", "Together AI"),
    Format("a Pinecone key", ("pcsk_",), rf"{_}pcsk_[0-9A-Za-z]{{4,8}}_[0-9A-Za-z]{{30,}}", "Pinecone"),
    Format("a LangSmith key", ("lsv2_",), rf"{_}lsv2_(?:pt|sk)_[0-9a-f]{{20,}}(?:_[0-9a-f]+)?", "LangSmith"),
    Format("a RunPod key", ("rpa_",), rf"{_}rpa_[0-9A-Z]{{30,}}[0-9A-Za-z]*", "RunPod"),
    Format("an Anyscale token", ("aph0_",), rf"{_}aph0_[-_0-9A-Za-z]{{20,}}", "Anyscale"),
    Format("a Kaggle token", ("kgat_",), rf"{_}KGAT_[0-9a-f]{{24,}}", "Kaggle"),
    Format("a Neptune token", ("eyjhcglfywrkcmvzcyi6",), rf"{_}eyJhcGlfYWRkcmVzcyI6[0-9A-Za-z+/=]{{20,}}", "Neptune"),
)  # fmt: skip

_CODE = (
    Format("a GitHub token", ("ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"), rf"{_}(?:gh[opusr]_(?:[0-9A-Za-z]{{30,}}|[0-9]+_eyJ[-_.0-9A-Za-z]{{20,}})|github_pat_[0-9A-Za-z]{{15,}}_?[0-9A-Za-z]*)", _GITHUB),
    Format("a GitLab token", ("glpat-", "gldt-", "glrt-", "glrtr-", "glcbt-", "glptt-", "glft-", "glimt-", "glagent-", "gloas-", "glsoat-", "glffct-", "glwt-", "gr1348941"), rf"{_DASHED}(?:gl(?:pat|dt|rt|rtr|cbt|ptt|ft|imt|agent|oas|soat|ffct|wt)-[-_.=0-9A-Za-z]{{20,}}|GR1348941[-_0-9A-Za-z]{{20,}})", _GITLAB),
    Format("a Bitbucket token", ("atbb", "atctt3"), rf"{_}(?:ATBB[-_=0-9A-Za-z]{{28,}}|ATCTT3[-_=0-9A-Za-z]{{60,}})", "Atlassian: app passwords"),
    Format("an Atlassian token", ("atatt3",), rf"{_}ATATT3[-_=0-9A-Za-z]{{60,}}", _GITLEAKS),
    Format("an npm token", ("npm_",), rf"{_}npm_[0-9A-Za-z]{{30,}}", _GITLEAKS),
    Format("an npm token", ("_auth", "_password"), rf"(?:(?<=:)_(?:authToken|auth|password)|(?<![\w:])_auth(?:Token)?){_IS}(?P<secret>[-\w+/.~]{{8,}}={{0,2}})", "npm: .npmrc"),
    Format("a PyPI token", ("pypi-age",), rf"{_}pypi-AgE[-_0-9A-Za-z]{{40,}}", _GITLEAKS),
    Format("a RubyGems key", ("rubygems_",), rf"{_}rubygems_[0-9a-f]{{40,}}", _GITLEAKS),
    Format("a crates.io token", ("cio",), rf"{_}cio[0-9A-Za-z]{{32}}(?![0-9A-Za-z])", "crates.io"),
    Format("a NuGet key", ("oy2",), rf"{_}oy2[a-z2-7]{{43}}(?![0-9a-z])", _AZURE),
    Format("a Docker Hub token", ("dckr_",), rf"{_}dckr_(?:pat|oat)_[-_0-9A-Za-z]{{20,}}", "Docker Hub: access tokens"),
    Format("the login of a registry", ("auth", "identitytoken", "registrytoken"), r"""(?<=["'])(?:auth|identitytoken|registrytoken)["']\s{0,20}:\s{0,20}["'](?P<secret>(?=[^"']{0,200}[A-Z])[-\w+/.]{12,}={0,2})["']""", "Docker: config.json"),
    Format("an Artifactory key", ("akcp", "cmvmd"), rf"{_}(?:AKCp[0-9A-Za-z]{{40,}}|cmVmd[0-9A-Za-z]{{59}})(?![0-9A-Za-z])", _GITLEAKS),
    Format("a CircleCI token", ("ccipat_",), rf"{_}CCIPAT_[0-9A-Za-z]{{10,}}_[0-9a-f]{{30,}}", "CircleCI"),
    Format("a Buildkite token", ("bkua_", "bkct_", "bkat_"), rf"{_}bk(?:ua|ct|at)_[0-9A-Za-z]{{30,}}", "Buildkite"),
    Format("a Vault token", ("hvs.", "hvb.", "hvr."), rf"{_}hv[sbr]\.[-_0-9A-Za-z]{{20,}}", "HashiCorp Vault: token prefixes"),
    Format("a Vault token", ("vault_token", "vault-token"), rf"(?i:vault[_-]token){_IS}(?P<secret>[sbr]\.[0-9A-Za-z]{{20,}})", "HashiCorp Vault: token prefixes"),
    Format("a Terraform Cloud token", (".atlasv1.",), rf"{_}[0-9A-Za-z]{{14}}\.atlasv1\.[-_=0-9A-Za-z]{{40,}}", _GITLEAKS, anywhere=True),
    Format("a Pulumi token", ("pul-",), rf"{_DASHED}pul-[0-9a-f]{{40}}", _GITLEAKS),
    Format("a Doppler token", ("dp.pt.", "dp.st.", "dp.sa.", "dp.ct.", "dp.scim.", "dp.audit."), rf"{_}dp\.(?:pt|st|sa|ct|scim|audit)\.(?:[-_0-9a-z]{{2,35}}\.)?[0-9A-Za-z]{{32,}}", _GITLEAKS),
    Format("a 1Password token", ("ops_eyj",), rf"{_}ops_eyJ[0-9A-Za-z+/=_-]{{60,}}", _GITLEAKS),
    Format("a 1Password key", ("a3-",), rf"{_DASHED}A3-[0-9A-Z]{{6}}-(?:[0-9A-Z]{{11}}|[0-9A-Z]{{6}}-[0-9A-Z]{{5}})-[0-9A-Z]{{5}}-[0-9A-Z]{{5}}-[0-9A-Z]{{5}}(?![0-9A-Z])", _GITLEAKS),
    Format("a Tailscale key", ("tskey-",), rf"{_DASHED}tskey-[a-z]{{3,12}}-[0-9A-Za-z]{{8,}}-[0-9A-Za-z]{{16,}}", "Tailscale: key prefixes"),
)  # fmt: skip

_SERVICES = (
    Format("a Slack token", ("xoxa-", "xoxb-", "xoxe", "xoxo-", "xoxp-", "xoxr-", "xoxs-", "xoxc-", "xoxd-", "xapp-"), rf"{_}(?:xox[abcoprs]-[0-9]{{1,20}}-[-0-9A-Za-z]{{10,}}|xoxd-[-_%0-9A-Za-z+/=]{{40,}}|xoxe(?:\.xox[bp])?-[0-9]-[-0-9A-Za-z]{{40,}}|xapp-[0-9]-[0-9A-Z]{{6,}}-[0-9]{{6,}}-[0-9A-Za-z]{{20,}})", "Slack: token types; gitleaks"),
    Format("a Slack webhook", ("hooks.slack.com",), r"hooks\.slack(?:-gov)?\.com/(?:services|workflows|triggers)/(?P<secret>[0-9A-Za-z]{6,}/[0-9A-Za-z/]{8,})", "Slack: incoming webhooks"),
    Format("a Teams webhook", (".webhook.office.com",), r"\.webhook\.office\.com/webhookb2/(?P<secret>[-@0-9a-z]{36,}/[A-Za-z]{1,40}/[0-9a-f]{32}/[-0-9A-Za-z/_]{36,})", _GITLEAKS),
    Format("a Discord webhook", ("discord",), r"discord(?:app)?\.com/api/webhooks/(?P<secret>[0-9]{15,22}/[-_0-9A-Za-z]{40,})", "Discord: webhooks"),
    # The first part is the number of the account in base64, so it begins in one of these ways.
    Format("a Discord token", ("mt", "mz", "mj", "md", "nd", "nt", "nj", "nz", "od", "ot"), rf"{_BASE64}(?:M[DTjz]|N[DTjz]|O[DT])[-_0-9A-Za-z]{{21,26}}\.[-_0-9A-Za-z]{{6}}\.[-_0-9A-Za-z]{{27,40}}(?![-_0-9A-Za-z])", "Discord; detect-secrets"),
    Format("a Telegram token", (":aa",), rf"(?<![0-9A-Za-z])(?:bot)?[0-9]{{8,10}}:AA[-_0-9A-Za-z]{{32,34}}(?![-_0-9A-Za-z])", "Telegram; gitleaks", anywhere=True),
    Format("a Stripe key", ("sk_live_", "sk_test_", "rk_live_", "rk_test_", "sk_prod_", "rk_prod_", "whsec_"), rf"{_}(?:[rs]k_(?:live|test|prod)_[0-9A-Za-z]{{10,}}|whsec_[0-9A-Za-z+/=]{{24,}})", "Stripe: API keys; gitleaks"),
    Format("a Square key", ("sq0atp-", "sq0csp-", "eaaa"), rf"{_DASHED}(?:sq0(?:atp|csp)-[-_0-9A-Za-z]{{20,}}|EAAA[-_0-9A-Za-z]{{60}}(?![-_0-9A-Za-z]))", _GITLEAKS),
    Format("a Shopify token", ("shpat_", "shpca_", "shppa_", "shpss_"), rf"{_}shp(?:at|ca|pa|ss)_[0-9a-fA-F]{{32}}", _GITLEAKS),
    Format("a SendGrid key", ("sg.",), rf"{_}SG\.[-_0-9A-Za-z]{{20,24}}\.[-_0-9A-Za-z]{{39,50}}", "SendGrid; detect-secrets"),
    Format("a Twilio key", ("sk",), rf"{_}SK[0-9a-f]{{32}}(?![0-9A-Za-z])", "Twilio: API keys"),
    Format("a Twilio key", ("twilio",), rf"(?i:twilio[_-]?(?:auth[_-]?)?(?:token|secret|key)){_IS}(?P<secret>[0-9a-f]{{32}})", "Twilio: auth tokens, by name"),
    Format("a Mailgun key", ("key-",), rf"{_DASHED}key-[0-9a-f]{{32}}(?![0-9A-Za-z])", _GITLEAKS),
    Format("a Mailchimp key", ("-us",), rf"{_}[0-9a-f]{{32}}-us[0-9]{{1,2}}(?![0-9A-Za-z])", _GITLEAKS, anywhere=True),
    Format("a Databricks token", ("dapi", "dkea", "dose"), rf"{_}(?:dapi|dkea|dose)[0-9a-h]{{32}}(?:-[0-9])?(?![0-9A-Za-z])", "Databricks; Microsoft security-utilities"),
    Format("a Grafana token", ("glc_", "glsa_", "eyjrijoi"), rf"{_}(?:glc_[0-9A-Za-z+/=]{{32,}}|glsa_[0-9A-Za-z]{{32}}_[0-9a-fA-F]{{8}}|eyJrIjoi[0-9A-Za-z]{{60,}}={{0,3}})", _GITLEAKS),
    Format("a New Relic key", ("nrak-", "nrjs-", "nrii-", "nrra-"), rf"{_}NR(?:AK|II|RA|JS)-[-0-9A-Za-z]{{19,}}", _GITLEAKS),
    Format("a Sentry token", ("sntrys_", "sntryu_"), rf"{_}(?:sntrys_eyJ[0-9A-Za-z+/=_]{{60,}}|sntryu_[0-9a-f]{{64}})", _GITLEAKS),
    Format("a Dynatrace token", ("dt0c01.", "dt0s01.", "dt0s16."), rf"{_}dt0[cs](?:01|16|02|08)\.[0-9A-Z]{{8,24}}\.[0-9A-Z]{{40,}}", _GITLEAKS),
    Format("a Datadog key", ("datadog", "dd"), _named("datadog", "dd"), "Datadog: API and application keys, by name"),
    Format("a Honeycomb key", ("hcaik_",), rf"{_}hcaik_[0-9a-z]{{40,}}", "Honeycomb"),
    Format("a PagerDuty key", ("pagerduty",), rf"(?i:pagerduty[_-]?(?:api[_-]?|service[_-]?|routing[_-]?|integration[_-]?)?(?:key|token)){_IS}(?P<secret>[-_+0-9A-Za-z]{{20,}})", "PagerDuty, by name"),
    Format("a Postman key", ("pmak-",), rf"{_}PMAK-[0-9a-f]{{24}}-[0-9a-f]{{34}}", _GITLEAKS),
    Format("a Linear key", ("lin_api_",), rf"{_}lin_api_[0-9A-Za-z]{{32,}}", _GITLEAKS),
    Format("a Notion token", ("ntn_",), rf"{_}ntn_[0-9A-Za-z]{{40,}}", _GITLEAKS),
    Format("a Figma token", ("figd_",), rf"{_}figd_[-_0-9A-Za-z]{{30,}}", "Figma"),
    Format("an Airtable token", ("pat",), rf"{_}pat[0-9A-Za-z]{{14}}\.[0-9a-f]{{64}}", _GITLEAKS),
    Format("a Supabase token", ("sbp_", "sb_secret_"), rf"{_}(?:sbp_[0-9a-f]{{40}}|sb_secret_[-_0-9A-Za-z]{{20,}})", "Supabase"),
    Format("a PlanetScale token", ("pscale_",), rf"{_}pscale_(?:tkn|pw|oauth)_[-_.=0-9A-Za-z]{{30,}}", _GITLEAKS),
    Format("a Prefect key", ("pnu_", "pnb_"), rf"{_}pn[ub]_[0-9A-Za-z]{{34,}}", _GITLEAKS),
)  # fmt: skip

_ISSUERS = (
    *("github", "gh", "gitlab", "gl", "git", "ci_job", "hf", "huggingface", "hugging_face", "huggingfacehub"),
    *("huggingface_hub", "openai", "anthropic", "azure_openai", "cohere", "co", "mistral", "together", "fireworks"),
    *("deepseek", "gemini", "google", "groq", "replicate", "cerebras", "comet", "neptune", "clearml", "kaggle"),
    *("mlflow_tracking", "ngc", "nvidia", "nim", "lambda", "runpod", "coreweave", "anyscale", "modal", "vault"),
    *("consul", "consul_http", "nomad", "cloudflare", "heroku", "okta", "snyk", "codecov", "coveralls", "sonar"),
    *("netlify", "vercel", "fastly", "algolia", "newrelic", "new_relic", "splunk", "sumo", "elastic", "opsgenie"),
    *("rollbar", "segment", "mixpanel", "launchdarkly", "jira", "confluence", "bitbucket", "docker", "dockerhub"),
    *("quay", "harbor", "artifactory", "jfrog", "nexus", "pypi", "npm", "twine", "cargo_registry", "pulumi", "tfe"),
    *("terraform", "digitalocean", "linode", "vultr", "hcloud", "hetzner", "ovh", "scaleway", "packet", "telegram"),
    *("discord", "slack", "sendgrid", "mailgun", "mailchimp", "sentry", "grafana", "influx", "influxdb", "redis"),
    *("tailscale", "zerotier", "ngrok", "stripe", "paypal", "databricks", "snowflake", "sonarqube", "wandb"),
)

_ANYWHERE = (
    Format("a JSON web token", ("eyj",), r"(?<![-_0-9A-Za-z])eyJ[-_0-9A-Za-z]{10,}\.(?:eyJ[-_0-9A-Za-z=]{8,}|[-_0-9A-Za-z]{0,600}\.[-_0-9A-Za-z]{10,}\.[-_0-9A-Za-z]{10,})\.?[-_0-9A-Za-z.]*", "RFC 7519, RFC 7516"),
    Format("a bearer token", ("bearer",), r"(?i:bearer)[ \t]{1,4}(?P<secret>(?=[-_~.+/A-Za-z]{0,200}[0-9])[-\w~.+/]{16,}={0,2})", "RFC 6750"),
    Format("a login", ("authorization",), r"""(?i:authorization)["']?[ \t]{0,4}[:=][ \t]{0,4}["']?(?i:basic|token|apikey|api-key|splunk|key|sso-key|genie-key)[ \t]{1,4}(?:token=)?(?P<secret>[-\w~.+/]{6,}={0,2})""", "RFC 7617"),
    Format("a token", ("private-token", "job-token", "deploy-token", "circle-token", "x-", "api-key"), r"""(?<![-0-9A-Za-z])(?i:private-token|job-token|deploy-token|x-[-a-z]{1,30}-(?:token|key)|(?:x-)?api-key|circle-token)["']?[ \t]{0,4}:[ \t]{0,4}["']?(?P<secret>(?=[-_A-Za-z.]{0,200}[0-9])(?=[-_0-9a-z.]{0,200}[A-Z]|[0-9a-f]{32,}|[-0-9a-f]{36})[-\w.~+/]{16,}={0,2})""", "headers of requests"),
    # What follows `@` is a host, not the digest of an image with a tag.
    Format("a password in an address", ("://",), r"://[^\s/:@\"'<>$]{0,100}:(?P<secret>[^\s/@\"'<>$*{}:][^\s/@\"'<>{}]{2,199})@(?!sha(?:256|512):)", "RFC 3986"),
    Format("a token in an address", ("https://",), rf"https://(?P<secret>(?=[a-z]{{0,100}}[0-9A-Z])(?=[A-Za-z_]{{0,100}}[0-9])[0-9A-Za-z_]{{20,200}})@[0-9A-Za-z]", "git: credentials in addresses"),
    Format("a password", ("machine",), r"(?<![\w-])machine\s{1,20}[-.\w]{1,200}\s{1,20}login\s{1,20}\S{1,100}\s{1,20}password\s{1,20}(?P<secret>[^\s\"'$<]{3,200})", "the .netrc file"),
    Format("a password", ("password", "pwd"), r"(?:(?<=;)|(?<=; ))(?i:password|pwd)[ \t]{0,4}=[ \t]{0,4}(?P<secret>[^\s;\"'$<{]{4,200})(?=[;\"'\s]|$)", "connection strings of ADO.NET and ODBC"),
    Format("a token", _ISSUERS, _named(*_ISSUERS), "names of environment variables"),
)  # fmt: skip

FORMATS = (*_KEYS_AND_CERTIFICATES, *_CLOUDS, *_MODELS, *_CODE, *_SERVICES, *_ANYWHERE)
