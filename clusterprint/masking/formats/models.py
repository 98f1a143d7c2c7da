"""Keys and tokens of those who serve models, or keep them, or note how they are trained."""

from clusterprint.masking.formats.form import DASHED, GITLEAKS, IS, WORD, Format

MODELS = (
    Format(
        "a Hugging Face token",
        ("hf_", "api_org_"),
        rf"{WORD}(?:hf_[0-9A-Za-z]{{30,}}|hf_(?:oauth|jwt)_[-_.0-9A-Za-z]{{20,}}|api_org_[0-9A-Za-z]{{30,}})",
        "Hugging Face: user access tokens; gitleaks",
    ),
    Format(
        "a Weights & Biases key",
        ("wandb_v",),
        rf"{WORD}wandb_v[0-9]+_[-_0-9A-Za-z]{{30,}}",
        "Weights & Biases: API keys",
    ),
    Format(
        "a Weights & Biases key",
        ("wandb",),
        rf"(?i:wandb(?:[_-]api)?[_-]?key)(?:{IS}|[ \t]{{1,4}})(?P<secret>[0-9a-zA-Z_-]{{40,}})",
        "Weights & Biases: API keys, by name",
    ),
    Format(
        "a Weights & Biases key",
        ("wandb",),
        r"wandb[ \t]{1,4}login[ \t]{1,4}(?:--relogin[ \t]{1,4})?(?P<secret>[0-9a-f]{40})",
        "Weights & Biases: wandb login",
    ),
    Format(
        "a Weights & Biases key",
        ("api.wandb.ai",),
        r"api\.wandb\.ai[^\n]{0,60}?(?P<secret>[0-9a-f]{40})(?![0-9a-f])",
        "Weights & Biases: the .netrc file",
    ),
    Format(
        "an Anthropic key",
        ("sk-ant-",),
        rf"{DASHED}sk-ant-[a-z]{{2,10}}[0-9]{{2}}-[-_0-9A-Za-z]{{20,}}",
        "Anthropic; gitleaks",
    ),
    Format(
        "an OpenAI key",
        ("sk-",),
        rf"{DASHED}sk-(?:(?:proj|svcacct|admin|service|None)-[-_0-9A-Za-z]{{20,}}|(?=[0-9A-Za-z]{{0,80}}[0-9])[0-9A-Za-z]{{32,}})",
        "OpenAI; gitleaks",
    ),
    Format("an OpenRouter key", ("sk-or-",), rf"{DASHED}sk-or-v[0-9]-[0-9a-f]{{32,}}", "OpenRouter"),
    Format("an NVIDIA API key", ("nvapi-",), rf"{WORD}nvapi-[-_0-9A-Za-z]{{20,}}", "NVIDIA NGC: API keys"),
    Format("a Replicate token", ("r8_",), rf"{WORD}r8_[0-9A-Za-z]{{30,}}", "Replicate"),
    Format("a Groq key", ("gsk_",), rf"{WORD}gsk_[0-9A-Za-z]{{40,}}", "Groq"),
    Format("an xAI key", ("xai-",), rf"{DASHED}xai-[0-9A-Za-z]{{50,}}", "xAI"),
    Format("a Perplexity key", ("pplx-",), rf"{DASHED}pplx-[0-9A-Za-z]{{32,}}", GITLEAKS),
    Format("a Together key", ("tgp_v1_",), rf"{WORD}tgp_v1_[-_0-9A-Za-z]{{30,}}", "Together AI"),
    Format("a Pinecone key", ("pcsk_",), rf"{WORD}pcsk_[0-9A-Za-z]{{4,8}}_[0-9A-Za-z]{{30,}}", "Pinecone"),
    Format(
        "a LangSmith key", ("lsv2_",), rf"{WORD}lsv2_(?:pt|sk)_[0-9a-f]{{20,}}(?:_[0-9a-f]+)?", "LangSmith"
    ),
    Format("a RunPod key", ("rpa_",), rf"{WORD}rpa_[0-9A-Z]{{30,}}[0-9A-Za-z]*", "RunPod"),
    Format("an Anyscale token", ("aph0_",), rf"{WORD}aph0_[-_0-9A-Za-z]{{20,}}", "Anyscale"),
    Format("a Kaggle token", ("kgat_",), rf"{WORD}KGAT_[0-9a-f]{{24,}}", "Kaggle"),
    Format(
        "a Neptune token",
        ("eyjhcglfywrkcmvzcyi6",),
        rf"{WORD}eyJhcGlfYWRkcmVzcyI6[0-9A-Za-z+/=]{{20,}}",
        "Neptune",
    ),
)
