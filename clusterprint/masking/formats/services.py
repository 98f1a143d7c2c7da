"""Keys and tokens of other services."""

from clusterprint.masking.formats.form import BASE64, DASHED, GITLEAKS, IS, WORD, Format, named

SERVICES = (
    Format(
        "a Slack token",
        ("xoxa-", "xoxb-", "xoxe", "xoxo-", "xoxp-", "xoxr-", "xoxs-", "xoxc-", "xoxd-", "xapp-"),
        rf"{WORD}(?:xox[abcoprs]-[0-9]{{1,20}}-[-0-9A-Za-z]{{10,}}|xoxd-[-_%0-9A-Za-z+/=]{{40,}}|xoxe(?:\.xox[bp])?-[0-9]-[-0-9A-Za-z]{{40,}}|xapp-[0-9]-[0-9A-Z]{{6,}}-[0-9]{{6,}}-[0-9A-Za-z]{{20,}})",
        "Slack: token types; gitleaks",
    ),
    Format(
        "a Slack webhook",
        ("hooks.slack.com",),
        r"hooks\.slack(?:-gov)?\.com/(?:services|workflows|triggers)/(?P<secret>[0-9A-Za-z]{6,}/[0-9A-Za-z/]{8,})",
        "Slack: incoming webhooks",
    ),
    Format(
        "a Teams webhook",
        (".webhook.office.com",),
        r"\.webhook\.office\.com/webhookb2/(?P<secret>[-@0-9a-z]{36,}/[A-Za-z]{1,40}/[0-9a-f]{32}/[-0-9A-Za-z/_]{36,})",
        GITLEAKS,
    ),
    Format(
        "a Discord webhook",
        ("discord",),
        r"discord(?:app)?\.com/api/webhooks/(?P<secret>[0-9]{15,22}/[-_0-9A-Za-z]{40,})",
        "Discord: webhooks",
    ),
    # The first part is the number of the account in base64, so it begins in one of these ways.
    Format(
        "a Discord token",
        ("mt", "mz", "mj", "md", "nd", "nt", "nj", "nz", "od", "ot"),
        rf"{BASE64}(?:M[DTjz]|N[DTjz]|O[DT])[-_0-9A-Za-z]{{21,26}}\.[-_0-9A-Za-z]{{6}}\.[-_0-9A-Za-z]{{27,40}}(?![-_0-9A-Za-z])",
        "Discord; detect-secrets",
    ),
    Format(
        "a Telegram token",
        (":aa",),
        r"(?<![0-9A-Za-z])(?:bot)?[0-9]{8,10}:AA[-_0-9A-Za-z]{32,34}(?![-_0-9A-Za-z])",
        "Telegram; gitleaks",
        anywhere=True,
    ),
    Format(
        "a Stripe key",
        ("sk_live_", "sk_test_", "rk_live_", "rk_test_", "sk_prod_", "rk_prod_", "whsec_"),
        rf"{WORD}(?:[rs]k_(?:live|test|prod)_[0-9A-Za-z]{{10,}}|whsec_[0-9A-Za-z+/=]{{24,}})",
        "Stripe: API keys; gitleaks",
    ),
    Format(
        "a Square key",
        ("sq0atp-", "sq0csp-", "eaaa"),
        rf"{DASHED}(?:sq0(?:atp|csp)-[-_0-9A-Za-z]{{20,}}|EAAA[-_0-9A-Za-z]{{60}}(?![-_0-9A-Za-z]))",
        GITLEAKS,
    ),
    Format(
        "a Shopify token",
        ("shpat_", "shpca_", "shppa_", "shpss_"),
        rf"{WORD}shp(?:at|ca|pa|ss)_[0-9a-fA-F]{{32}}",
        GITLEAKS,
    ),
    Format(
        "a SendGrid key",
        ("sg.",),
        rf"{WORD}SG\.[-_0-9A-Za-z]{{20,24}}\.[-_0-9A-Za-z]{{39,50}}",
        "SendGrid; detect-secrets",
    ),
    Format("a Twilio key", ("sk",), rf"{WORD}SK[0-9a-f]{{32}}(?![0-9A-Za-z])", "Twilio: API keys"),
    Format(
        "a Twilio key",
        ("twilio",),
        rf"(?i:twilio[_-]?(?:auth[_-]?)?(?:token|secret|key)){IS}(?P<secret>[0-9a-f]{{32}})",
        "Twilio: auth tokens, by name",
    ),
    Format("a Mailgun key", ("key-",), rf"{DASHED}key-[0-9a-f]{{32}}(?![0-9A-Za-z])", GITLEAKS),
    Format(
        "a Mailchimp key",
        ("-us",),
        rf"{WORD}[0-9a-f]{{32}}-us[0-9]{{1,2}}(?![0-9A-Za-z])",
        GITLEAKS,
        anywhere=True,
    ),
    Format(
        "a Databricks token",
        ("dapi", "dkea", "dose"),
        rf"{WORD}(?:dapi|dkea|dose)[0-9a-h]{{32}}(?:-[0-9])?(?![0-9A-Za-z])",
        "Databricks; Microsoft security-utilities",
    ),
    Format(
        "a Grafana token",
        ("glc_", "glsa_", "eyjrijoi"),
        rf"{WORD}(?:glc_[0-9A-Za-z+/=]{{32,}}|glsa_[0-9A-Za-z]{{32}}_[0-9a-fA-F]{{8}}|eyJrIjoi[0-9A-Za-z]{{60,}}={{0,3}})",
        GITLEAKS,
    ),
    Format(
        "a New Relic key",
        ("nrak-", "nrjs-", "nrii-", "nrra-"),
        rf"{WORD}NR(?:AK|II|RA|JS)-[-0-9A-Za-z]{{19,}}",
        GITLEAKS,
    ),
    Format(
        "a Sentry token",
        ("sntrys_", "sntryu_"),
        rf"{WORD}(?:sntrys_eyJ[0-9A-Za-z+/=_]{{60,}}|sntryu_[0-9a-f]{{64}})",
        GITLEAKS,
    ),
    Format(
        "a Dynatrace token",
        ("dt0c01.", "dt0s01.", "dt0s16."),
        rf"{WORD}dt0[cs](?:01|16|02|08)\.[0-9A-Z]{{8,24}}\.[0-9A-Z]{{40,}}",
        GITLEAKS,
    ),
    Format(
        "a Datadog key",
        ("datadog", "dd"),
        named("datadog", "dd"),
        "Datadog: API and application keys, by name",
    ),
    Format("a Honeycomb key", ("hcaik_",), rf"{WORD}hcaik_[0-9a-z]{{40,}}", "Honeycomb"),
    Format(
        "a PagerDuty key",
        ("pagerduty",),
        rf"(?i:pagerduty[_-]?(?:api[_-]?|service[_-]?|routing[_-]?|integration[_-]?)?(?:key|token)){IS}(?P<secret>[-_+0-9A-Za-z]{{20,}})",
        "PagerDuty, by name",
    ),
    Format("a Postman key", ("pmak-",), rf"{WORD}PMAK-[0-9a-f]{{24}}-[0-9a-f]{{34}}", GITLEAKS),
    Format("a Linear key", ("lin_api_",), rf"{WORD}lin_api_[0-9A-Za-z]{{32,}}", GITLEAKS),
    Format("a Notion token", ("ntn_",), rf"{WORD}ntn_[0-9A-Za-z]{{40,}}", GITLEAKS),
    Format("a Figma token", ("figd_",), rf"{WORD}figd_[-_0-9A-Za-z]{{30,}}", "Figma"),
    Format("an Airtable token", ("pat",), rf"{WORD}pat[0-9A-Za-z]{{14}}\.[0-9a-f]{{64}}", GITLEAKS),
    Format(
        "a Supabase token",
        ("sbp_", "sb_secret_"),
        rf"{WORD}(?:sbp_[0-9a-f]{{40}}|sb_secret_[-_0-9A-Za-z]{{20,}})",
        "Supabase",
    ),
    Format(
        "a PlanetScale token",
        ("pscale_",),
        rf"{WORD}pscale_(?:tkn|pw|oauth)_[-_.=0-9A-Za-z]{{30,}}",
        GITLEAKS,
    ),
    Format("a Prefect key", ("pnu_", "pnb_"), rf"{WORD}pn[ub]_[0-9A-Za-z]{{34,}}", GITLEAKS),
)
