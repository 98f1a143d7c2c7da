"""Text of the user's, on its way into Terraform."""

# How the engine marks a place where it will put a value of its own.
_MARK = "${TfToken["


def literal(text: str) -> str:
    """Make sure that a text arrives as it is, whatever it looks like.

    To Terraform, `${` and `%{` begin expressions unless they are doubled. To the engine, its own mark stands
    for a value even then; so that is written as an expression for the same characters.
    """
    escaped = text.replace("${", "$${").replace("%{", "%%{")
    return escaped.replace(f"${_MARK}", '$${${"TfToken["}')
