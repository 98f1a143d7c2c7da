"""Text of the user's, on its way into Terraform."""


def literal(text: str) -> str:
    """Keep Terraform from reading `${` and `%{` in a text as the beginning of an expression."""
    return text.replace("${", "$${").replace("%{", "%%{")
