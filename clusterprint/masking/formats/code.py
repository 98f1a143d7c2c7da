"""Keys and tokens of forges, package registries, builds and secret stores."""

from clusterprint.masking.formats.form import AZURE, DASHED, GITLEAKS, IS, WORD, Format

_GITHUB = "GitHub: about authentication, token formats"
_GITLAB = "GitLab: token overview, token prefixes"

CODE = (
    Format(
        "a GitHub token",
        ("ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"),
        rf"{WORD}(?:gh[opusr]_(?:[0-9A-Za-z]{{30,}}|[0-9]+_eyJ[-_.0-9A-Za-z]{{20,}})|github_pat_[0-9A-Za-z]{{15,}}_?[0-9A-Za-z]*)",
        _GITHUB,
    ),
    Format(
        "a GitLab token",
        (
            "glpat-",
            "gldt-",
            "glrt-",
            "glrtr-",
            "glcbt-",
            "glptt-",
            "glft-",
            "glimt-",
            "glagent-",
            "gloas-",
            "glsoat-",
            "glffct-",
            "glwt-",
            "gr1348941",
        ),
        rf"{DASHED}(?:gl(?:pat|dt|rt|rtr|cbt|ptt|ft|imt|agent|oas|soat|ffct|wt)-[-_.=0-9A-Za-z]{{20,}}|GR1348941[-_0-9A-Za-z]{{20,}})",
        _GITLAB,
    ),
    Format(
        "a Bitbucket token",
        ("atbb", "atctt3"),
        rf"{WORD}(?:ATBB[-_=0-9A-Za-z]{{28,}}|ATCTT3[-_=0-9A-Za-z]{{60,}})",
        "Atlassian: app passwords",
    ),
    Format("an Atlassian token", ("atatt3",), rf"{WORD}ATATT3[-_=0-9A-Za-z]{{60,}}", GITLEAKS),
    Format("an npm token", ("npm_",), rf"{WORD}npm_[0-9A-Za-z]{{30,}}", GITLEAKS),
    Format(
        "an npm token",
        ("_auth", "_password"),
        rf"(?:(?<=:)_(?:authToken|auth|password)|(?<![\w:])_auth(?:Token)?){IS}(?P<secret>[-\w+/.~]{{8,}}={{0,2}})",
        "npm: .npmrc",
    ),
    Format("a PyPI token", ("pypi-age",), rf"{WORD}pypi-AgE[-_0-9A-Za-z]{{40,}}", GITLEAKS),
    Format("a RubyGems key", ("rubygems_",), rf"{WORD}rubygems_[0-9a-f]{{40,}}", GITLEAKS),
    Format("a crates.io token", ("cio",), rf"{WORD}cio[0-9A-Za-z]{{32}}(?![0-9A-Za-z])", "crates.io"),
    Format("a NuGet key", ("oy2",), rf"{WORD}oy2[a-z2-7]{{43}}(?![0-9a-z])", AZURE),
    Format(
        "a Docker Hub token",
        ("dckr_",),
        rf"{WORD}dckr_(?:pat|oat)_[-_0-9A-Za-z]{{20,}}",
        "Docker Hub: access tokens",
    ),
    Format(
        "the login of a registry",
        ("auth", "identitytoken", "registrytoken"),
        r"""(?<=["'])(?:auth|identitytoken|registrytoken)["']\s{0,20}:\s{0,20}["'](?P<secret>(?=[^"']{0,200}[A-Z])[-\w+/.]{12,}={0,2})["']""",
        "Docker: config.json",
    ),
    Format(
        "an Artifactory key",
        ("akcp", "cmvmd"),
        rf"{WORD}(?:AKCp[0-9A-Za-z]{{40,}}|cmVmd[0-9A-Za-z]{{59}})(?![0-9A-Za-z])",
        GITLEAKS,
    ),
    Format("a CircleCI token", ("ccipat_",), rf"{WORD}CCIPAT_[0-9A-Za-z]{{10,}}_[0-9a-f]{{30,}}", "CircleCI"),
    Format(
        "a Buildkite token",
        ("bkua_", "bkct_", "bkat_"),
        rf"{WORD}bk(?:ua|ct|at)_[0-9A-Za-z]{{30,}}",
        "Buildkite",
    ),
    Format(
        "a Vault token",
        ("hvs.", "hvb.", "hvr."),
        rf"{WORD}hv[sbr]\.[-_0-9A-Za-z]{{20,}}",
        "HashiCorp Vault: token prefixes",
    ),
    Format(
        "a Vault token",
        ("vault_token", "vault-token"),
        rf"(?i:vault[_-]token){IS}(?P<secret>[sbr]\.[0-9A-Za-z]{{20,}})",
        "HashiCorp Vault: token prefixes",
    ),
    Format(
        "a Terraform Cloud token",
        (".atlasv1.",),
        rf"{WORD}[0-9A-Za-z]{{14}}\.atlasv1\.[-_=0-9A-Za-z]{{40,}}",
        GITLEAKS,
        anywhere=True,
    ),
    Format("a Pulumi token", ("pul-",), rf"{DASHED}pul-[0-9a-f]{{40}}", GITLEAKS),
    Format(
        "a Doppler token",
        ("dp.pt.", "dp.st.", "dp.sa.", "dp.ct.", "dp.scim.", "dp.audit."),
        rf"{WORD}dp\.(?:pt|st|sa|ct|scim|audit)\.(?:[-_0-9a-z]{{2,35}}\.)?[0-9A-Za-z]{{32,}}",
        GITLEAKS,
    ),
    Format("a 1Password token", ("ops_eyj",), rf"{WORD}ops_eyJ[0-9A-Za-z+/=_-]{{60,}}", GITLEAKS),
    Format(
        "a 1Password key",
        ("a3-",),
        rf"{DASHED}A3-[0-9A-Z]{{6}}-(?:[0-9A-Z]{{11}}|[0-9A-Z]{{6}}-[0-9A-Z]{{5}})-[0-9A-Z]{{5}}-[0-9A-Z]{{5}}-[0-9A-Z]{{5}}(?![0-9A-Z])",
        GITLEAKS,
    ),
    Format(
        "a Tailscale key",
        ("tskey-",),
        rf"{DASHED}tskey-[a-z]{{3,12}}-[0-9A-Za-z]{{8,}}-[0-9A-Za-z]{{16,}}",
        "Tailscale: key prefixes",
    ),
)
