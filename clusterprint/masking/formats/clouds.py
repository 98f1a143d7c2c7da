"""Keys and tokens of clouds."""

from clusterprint.masking.formats.form import AZURE, BASE64, DASHED, GITLEAKS, IS, WORD, Format

CLOUDS = (
    Format(
        "an AWS access key",
        ("akia", "asia", "abia", "acca"),
        rf"{WORD}(?:AKIA|ASIA|ABIA|ACCA)[0-9A-Z]{{16}}(?![0-9A-Z])",
        "AWS: IAM identifiers, unique ID prefixes",
    ),
    Format(
        "an AWS secret key",
        ("aws", "secret"),
        rf"{WORD}(?i:aws[_-]?secret(?:[_-]?access)?(?:[_-]?key)?|secret[_-]?access[_-]?key){IS}(?P<secret>[A-Za-z0-9+/]{{40}})(?![A-Za-z0-9+/=])",
        "AWS: access keys, by name",
    ),
    Format(
        "an AWS session token",
        ("aws", "x-amz-security-token"),
        rf"(?i:aws[_-]?(?:session|security)[_-]?token|x-amz-security-token){IS}(?P<secret>[A-Za-z0-9+/=%]{{50,}})",
        "AWS: temporary credentials, by name",
    ),
    Format(
        "an AWS session token",
        ("fwog", "fqog", "iqoj"),
        rf"{BASE64}(?:FwoG|FQoG|IQoJ)[A-Za-z0-9+/=%]{{90,}}",
        "AWS: temporary credentials",
    ),
    Format(
        "an AWS API key",
        ("absk", "bedrock-api-key-"),
        rf"{BASE64}(?:ABSK[A-Za-z0-9+/]{{80,}}={{0,2}}|bedrock-api-key-[A-Za-z0-9+/]{{20,}}={{0,2}})",
        "AWS: Amazon Bedrock API keys",
    ),
    Format(
        "the signature of an address",
        ("x-amz-signature", "x-goog-signature"),
        r"(?i:x-(?:amz|goog)-signature)(?:=|%3[dD])(?P<secret>[0-9a-fA-F]{32,})",
        "AWS and Google Cloud: presigned and signed URLs",
    ),
    Format(
        "an Azure key",
        ("+ast", "acdb", "+aba", "+amc", "apim"),
        rf"{BASE64}[A-Za-z0-9+/]{{76}}(?:APIM|ACDb|\+(?:ABa|AMC|ASt))[A-Za-z0-9+/]{{5}}[AQgw]==",
        AZURE,
        anywhere=True,
    ),
    Format(
        "an Azure key",
        ("aiot", "azca", "azeg", "+asb", "+aeh", "+arm"),
        rf"{BASE64}[A-Za-z0-9+/]{{33}}(?:AIoT|AzCa|AZEG|\+(?:ASb|AEh|ARm))[A-P][A-Za-z0-9+/]{{5}}=",
        AZURE,
        anywhere=True,
    ),
    Format(
        "an Azure key",
        ("azse", "azfu", "+acr"),
        rf"{BASE64}(?:[A-Za-z0-9]{{42}}AzSe[A-D][A-Za-z0-9]{{5}}|[-\w]{{44}}AzFu[-\w]{{5}}[AQgw](?:==)?|[A-Za-z0-9+/]{{42}}\+ACR[A-D][A-Za-z0-9+/]{{5}})(?![-_0-9A-Za-z+/])",
        AZURE,
        anywhere=True,
    ),
    Format(
        "an Azure key",
        ("jqqj9",),
        rf"{BASE64}[A-Za-z0-9]{{52}}JQQJ9[9DH][A-Za-z0-9][A-L][A-Za-z0-9]{{24}}[A-Za-z0-9=]{{0,4}}",
        AZURE,
        anywhere=True,
    ),
    Format(
        "an Azure key",
        (
            "account",
            "storage",
            "shared",
            "access",
            "primary",
            "secondary",
            "master",
            "batch",
            "cosmos",
            "subscription",
            "api",
        ),
        rf"(?i:(?:account|storage|shared[_-]?access|access|primary|secondary|master|batch|cosmos|subscription|api)[_-]?key){IS}(?P<secret>(?:[A-Za-z0-9+/]{{86}}=|[A-Za-z0-9+/]{{43}})=)",
        "Azure: connection strings, by name",
    ),
    Format(
        "an Azure client secret",
        ("7q~", "8q~"),
        r"[-\w~.]{3}[78]Q~[-\w~.]{31,34}(?![-\w~+/])",
        AZURE,
        anywhere=True,
    ),
    Format(
        "an Azure client secret",
        ("client", "azure_password"),
        rf"(?i:client[_-]?secret|azure_password){IS}(?P<secret>(?=[^\s\"'$<{{]{{0,100}}[0-9])[-\w~.+/=]{{24,}})(?![\w/])",
        "Azure and OAuth: client secrets, by name",
    ),
    Format(
        "an Azure shared access signature",
        ("sig=", "sig%3d"),
        r"(?i:(?<![0-9a-z])sig(?:=|%3d))(?P<secret>[A-Za-z0-9+/]{43}=|[A-Za-z0-9+/%]{40,}(?:=|%3[dD])?|[-\w]{43})",
        "Azure: grant limited access with SAS",
    ),
    Format(
        "an Azure DevOps token",
        ("azdo",),
        rf"{WORD}[A-Za-z0-9]{{76}}AZDO[A-Za-z0-9]{{4}}(?![0-9A-Za-z])",
        "Azure DevOps: personal access tokens",
        anywhere=True,
    ),
    Format(
        "an Azure DevOps token",
        ("azure", "azdo", "ado", "vsts", "vss", "system"),
        rf"{WORD}(?i:(?:azure[_-]?devops|azdo|ado|vsts|vss|system)[_-]?(?:ext[_-]?)?(?:personal[_-]?)?(?:pat|access[_-]?token|accesstoken|token)){IS}(?P<secret>[a-z2-7]{{52}})(?![0-9a-z])",
        AZURE,
    ),
    Format(
        "a Google API key",
        ("aiza",),
        rf"{DASHED}AIza[-_0-9A-Za-z]{{35}}(?![-_0-9A-Za-z])",
        "Google Cloud: API keys",
    ),
    Format(
        "a Google API key",
        ("aq.ab",),
        rf"{DASHED}AQ\.Ab[-_0-9A-Za-z]{{40,}}",
        "Google Cloud: API keys bound to service accounts",
    ),
    Format("a Google access token", ("ya29.",), rf"{WORD}ya29\.[-_.0-9A-Za-z]{{20,}}", "Google: OAuth 2.0"),
    Format(
        "a Google refresh token",
        ("1//0", "1%2f%2f0"),
        r"(?<![:/0-9A-Za-z])1(?://|%2[fF]%2[fF])0[-_0-9A-Za-z]{28,}",
        "Google: OAuth 2.0",
    ),
    Format(
        "a Google client secret", ("gocspx-",), rf"{DASHED}GOCSPX-[-_0-9A-Za-z]{{20,}}", "Google: OAuth 2.0"
    ),
    Format(
        "a Google HMAC key", ("goog1",), rf"{WORD}GOOG1[0-9A-Z]{{20,}}", "Google Cloud Storage: HMAC keys"
    ),
    Format(
        "a Firebase key",
        (":apa91b",),
        rf"{DASHED}[-_0-9A-Za-z]{{7,30}}:APA91b[-_0-9A-Za-z]{{100,}}",
        "Firebase Cloud Messaging",
        anywhere=True,
    ),
    Format(
        "a DigitalOcean token",
        ("doo_v1_", "dop_v1_", "dor_v1_"),
        rf"{WORD}do[opr]_v1_[0-9a-f]{{32,}}",
        GITLEAKS,
    ),
    Format(
        "an Alibaba Cloud access key", ("ltai",), rf"{WORD}LTAI[0-9A-Za-z]{{16,}}(?![-_0-9A-Za-z])", GITLEAKS
    ),
    Format(
        "a Tencent Cloud access key",
        ("akid",),
        rf"{WORD}AKID[0-9A-Za-z]{{32}}(?![0-9A-Za-z])",
        "Tencent Cloud: API keys",
    ),
    Format(
        "a Yandex Cloud key",
        ("aqvn", "t1."),
        rf"{WORD}(?:AQVN[-_0-9A-Za-z]{{35,38}}|t1\.[-_0-9A-Za-z=]{{1,300}}\.[-_0-9A-Za-z]{{86}})(?![-_0-9A-Za-z])",
        GITLEAKS,
    ),
    Format("a Heroku key", ("hrku-",), rf"{WORD}HRKU-[-_0-9A-Za-z]{{30,}}", GITLEAKS),
    Format(
        "a Fly token",
        ("fm1r_", "fm2_", "fm1a_", "fo1_"),
        rf"{WORD}(?:fm1[ar]_|fm2_|fo1_)[-_+/=,0-9A-Za-z]{{40,}}",
        GITLEAKS,
    ),
)
