"""Codes of the load step."""

from clusterprint.diagnostic import Severity
from clusterprint.explanation import Explanation

FILE_MISSING = Explanation(
    "BP001",
    "file_missing",
    Severity.ERROR,
    """The file does not exist.

There is nothing to check, and a run that skips it would look like a clean one.

Correct the path, or create the file.""",
)

NOT_A_FILE = Explanation(
    "BP002",
    "not_a_file",
    Severity.ERROR,
    """The path is not an ordinary file: it is a directory, a pipe, a socket or a device.

A blueprint is read as a whole and its text is shown in messages; pipes and devices can block or never end.

Name a file. To read from a pipe, give `-` and connect the pipe to standard input.""",
)

UNREADABLE = Explanation(
    "BP003",
    "file_unreadable",
    Severity.ERROR,
    """The file exists but could not be read.

The operating system refused: no permission, a broken disk, too many links.

Do what the message says, for example `chmod +r FILE`.""",
)

TOO_LARGE = Explanation(
    "BP004",
    "file_too_large",
    Severity.ERROR,
    """The file is larger than 1 MiB.

Blueprints are written by people; a file this large is something else, and would take long to check.

Split it into several blueprints, and move embedded scripts or data into files of their own.""",
)

NOT_UTF8 = Explanation(
    "BP005",
    "not_utf8",
    Severity.ERROR,
    """The file is not text in UTF-8.

Editors, Git and Terraform all expect UTF-8; any other encoding would turn letters into other letters.

Save the file as UTF-8 (in most editors: "Save with encoding").""",
    "YAML 1.2.2, section 5.2 Character Encodings",
)

FORBIDDEN_CHARACTER = Explanation(
    "BP006",
    "forbidden_character",
    Severity.ERROR,
    """The file holds a control character, or an invisible one.

It cannot be seen in most editors, changes what terminals and reviewers see, and is nearly always left over
from a copy.

Delete it. Where it is meant, write its escape in double quotes, for example `"\\u001b"`.""",
    "YAML 1.2.2, section 5.1 Character Set",
)

EMPTY = Explanation(
    "BP007",
    "file_empty",
    Severity.ERROR,
    """The file is empty, or holds nothing but comments.

    An empty file is more likely an accident than intended.

Write a blueprint, or remove the file. The smallest one starts with `clusterprint: v1` and `kind: vm`.""",
)

SEVERAL_DOCUMENTS = Explanation(
    "BP008",
    "several_documents",
    Severity.ERROR,
    """The file holds more than one document, separated by `---`.

One blueprint is one file: its state, its reviews and its owners go by the file's name.

Move each document into a file of its own.""",
)

NOT_A_MAPPING = Explanation(
    "BP009",
    "not_a_mapping",
    Severity.ERROR,
    """The file is valid YAML but not a list of `key: value` lines.

A blueprint is a mapping: its first key is `clusterprint`, its second `kind`.

Write keys at the left margin, without a dash before them.""",
)

TAB = Explanation(
    "BP010",
    "tab_indentation",
    Severity.ERROR,
    """A line is indented with a tab.

YAML indents with spaces: how wide a tab is differs from editor to editor, and the width carries meaning.

Replace the tab with spaces, and let the editor insert spaces for the tab key.""",
    "YAML 1.2.2, section 6.1 Indentation Spaces",
)

INDENTATION = Explanation(
    "BP011",
    "bad_indentation",
    Severity.ERROR,
    """A line does not line up with the lines that it belongs to.

Indentation says what belongs to what; a line between two levels belongs to neither.

Indent the line exactly as far as its neighbours.""",
    "YAML 1.2.2, section 6.1 Indentation Spaces",
)

UNCLOSED_QUOTE = Explanation(
    "BP012",
    "unclosed_quote",
    Severity.ERROR,
    """A quote is opened and not closed where it was meant to be.

Everything up to the next quote, or up to the end of the file, becomes part of the text.

Close the quote. A quote inside single quotes is written twice (`'it''s'`), inside double quotes as
`\\"`.""",
    "YAML 1.2.2, section 7.3 Flow Scalar Styles",
)

UNCLOSED_BRACKET = Explanation(
    "BP013",
    "unclosed_bracket",
    Severity.ERROR,
    """A bracket is opened and not closed, closed with the wrong bracket, or closed and never opened.

Everything after an open bracket becomes part of the list or map in it.

Write the missing bracket, or remove the one that is too many.""",
    "YAML 1.2.2, section 7.4 Flow Collection Styles",
)

SYNTAX = Explanation(
    "BP014",
    "not_yaml",
    Severity.ERROR,
    """The file is not valid YAML.

Nothing after this place can be read with certainty.

    The message says what is there; most often quotes around a text are missing.
    """,
    "YAML 1.2.2",
)

DUPLICATE_KEY = Explanation(
    "BP015",
    "duplicate_key",
    Severity.ERROR,
    """A key is written twice in the same mapping.

    Other tools would silently use the last one; only you know which of the two is meant.

Remove one of the two, or join their contents.""",
    "YAML 1.2.2, section 3.2.1.3 Node Comparison",
)

KEY_NOT_TEXT = Explanation(
    "BP016",
    "key_not_text",
    Severity.ERROR,
    """A key is a number, `true`, `null`, a list or a map.

Every key of a blueprint is text.

Put the key in quotes if a text is meant. Quote the whole value if it begins with a brace.""",
)

UNKNOWN_ALIAS = Explanation(
    "BP017",
    "unknown_alias",
    Severity.ERROR,
    """An alias (`*name`) refers to an anchor (`&name`) that has not been written before it.

An alias repeats a value from further up in the same file.

Write the anchor before its first use. Put quotes around a text that begins with `*`.""",
    "YAML 1.2.2, section 7.1 Alias Nodes",
)

RECURSIVE_ALIAS = Explanation(
    "BP018",
    "alias_within_itself",
    Severity.ERROR,
    """An alias (`*name`) is inside the value that it repeats.

The value would contain itself, without end.

Remove the alias, or move the anchor to the smaller part that is meant.""",
    "YAML 1.2.2, section 7.1 Alias Nodes",
)

MERGE_NOT_MAP = Explanation(
    "BP019",
    "merge_of_no_map",
    Severity.ERROR,
    """The merge key `<<` is given something other than a map.

A merge copies keys from other maps; there are no keys in a text, a number or a list of such.

Give it an alias to a map (`<<: *defaults`) or a list of those (`<<: [*one, *two]`).""",
    "YAML merge key (yaml.org/type/merge)",
)

TOO_MANY_VALUES = Explanation(
    "BP020",
    "too_many_values",
    Severity.ERROR,
    """The blueprint holds more than 50,000 keys and values, with every alias written out.

A few lines of aliases of aliases can stand for billions of values.

Repeat less, or split the blueprint.""",
)

TOO_DEEP = Explanation(
    "BP021",
    "nested_too_deeply",
    Severity.ERROR,
    """Maps and lists are nested too deeply.

No key of the blueprint language is nested even ten levels deep.

Look for brackets that are not closed, or aliases of aliases.""",
)

TAG = Explanation(
    "BP022",
    "explicit_tag",
    Severity.ERROR,
    """A value has a tag, such as `!!str`, `!!binary` or `!Ref`.

Tags ask the reader for types and functions of its own; a blueprint is plain data, safe to read for
every tool.

Remove the tag. To have a number as text, put it in quotes.""",
    "YAML 1.2.2, section 6.8.2 Node Tags",
)

DIRECTIVE = Explanation(
    "BP023",
    "yaml_directive",
    Severity.ERROR,
    """The file has a directive that changes how YAML is read (`%YAML 1.1`, `%TAG`).

clusterprint reads YAML 1.2, as editors do: in YAML 1.1, `yes` and `on` mean true and `017` means 15.

Remove the line.""",
    "YAML 1.2.2, section 6.8 Directives",
)

UNUSABLE_NUMBER = Explanation(
    "BP024",
    "unusable_number",
    Severity.ERROR,
    """A number is infinite, not a number at all, or larger than 64 bits hold.

Clouds and Terraform cannot take it, or would silently round it.

Write a smaller number, or put it in quotes if a text of digits is meant.""",
)

MALFORMED_IGNORE = Explanation(
    "BP025",
    "malformed_ignore",
    Severity.ERROR,
    """An ignore comment is not of the form `# clusterprint: ignore[CODE] reason`.

It silences nothing as it stands. The reason is needed: the next reader must know why the problem is
accepted.

Name one code or several (`ignore[VM001,GCP012]`), then say why.""",
)

OTHER_TOOL = Explanation(
    "BP026",
    "file_of_another_tool",
    Severity.ERROR,
    """The file was written for another tool: a Kubernetes manifest, Terraform, a Cluster Toolkit blueprint.

It is valid where it belongs, but has nothing in common with a blueprint, so nothing else in it was
checked.

Name the blueprint instead. Kubernetes manifests can be applied by one: `workloads.manifests` of kind
`gke`.""",
)

TYPOGRAPHIC_QUOTES = Explanation(
    "BP027",
    "typographic_quotes",
    Severity.ERROR,
    """A text is in typographic quotes, such as the curly ones of a letter.

    To YAML these are letters, so they would become part of the text. Word processors, chats and web pages
    replace plain ones with them.

Write plain quotes (`"` or `'`), or none. To have typographic quotes in a text, put plain ones around it.""",
    "YAML 1.2.2, section 7.3 Flow Scalar Styles",
)

OUTSIDE = Explanation(
    "BP240",
    "blueprint_outside_repository",
    Severity.ERROR,
    """A blueprint is a link that leads out of its repository, or lies below one.

A message shows lines of a blueprint. Through such a link it would show lines of any file of the machine that
looks at a pull request. So the file is not opened. The repository is the one of git around the blueprint;
without one, the folder that was named, or the blueprint's own.

Put a copy of the file in place of the link, or link to a file in the same repository.""",
)

DEFAULTS_KEY = Explanation(
    "BP260",
    "not_for_defaults",
    Severity.ERROR,
    """A file of defaults has a key that only a blueprint can have.

`clusterprint.defaults.yaml` holds what the clusters of a folder have in common: project, place, state,
labels and network. What a cluster is (machines, storage, jobs) is read off its own blueprint, so that nobody
has to look elsewhere for it.

Move the key to the blueprints that need it, or correct its spelling.""",
)

TOPICS = (
    FILE_MISSING,
    NOT_A_FILE,
    UNREADABLE,
    TOO_LARGE,
    NOT_UTF8,
    FORBIDDEN_CHARACTER,
    EMPTY,
    SEVERAL_DOCUMENTS,
    NOT_A_MAPPING,
    TAB,
    INDENTATION,
    UNCLOSED_QUOTE,
    UNCLOSED_BRACKET,
    SYNTAX,
    DUPLICATE_KEY,
    KEY_NOT_TEXT,
    UNKNOWN_ALIAS,
    RECURSIVE_ALIAS,
    MERGE_NOT_MAP,
    TOO_MANY_VALUES,
    TOO_DEEP,
    TAG,
    DIRECTIVE,
    UNUSABLE_NUMBER,
    MALFORMED_IGNORE,
    OTHER_TOOL,
    TYPOGRAPHIC_QUOTES,
    OUTSIDE,
    DEFAULTS_KEY,
)
