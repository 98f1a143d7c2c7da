"""A cloud-init file of the user's own: what is read of it, and how it is written down again."""

import json

import pytest
from ruamel.yaml import YAML

from clusterprint.derived.cloud_init import CloudInit, NotMergeable, as_yaml, passwords, read


def test_the_four_keys() -> None:
    found = read(
        "#cloud-config\n"
        "users: [{name: ada, groups: [video]}, grace]\n"
        "write_files: [{path: /etc/motd, content: hello, permissions: '0644'}]\n"
        "packages: [htop, [libc6, '2.39']]\n"
        "bootcmd: [echo 1 >/proc/sys/x, [sh, -c, 'true']]\n"
    )
    assert found.users == ("default", {"name": "ada", "groups": ["video"]}, "grace")
    assert found.write_files == ({"path": "/etc/motd", "content": "hello", "permissions": "0644"},)
    assert found.packages == ("htop", ["libc6", "2.39"])
    assert found.bootcmd == ("echo 1 >/proc/sys/x", ["sh", "-c", "true"])


def test_the_administrator_is_made_in_any_case() -> None:
    """A list of users without the word default has no administrator, and nobody could log in."""
    assert read("users: [ada, default]").users == ("default", "ada")
    assert read("packages: [htop]").users == ()


def test_numbers_and_words_are_what_cloud_init_takes_them_for() -> None:
    (file,) = read("write_files: [{path: /a, permissions: 0644, append: yes}]").write_files
    assert file == {"path": "/a", "permissions": 0o644, "append": True}


@pytest.mark.parametrize("text", ["1e3", "12e4567", "1e+3", "+.5"])
def test_what_cloud_init_takes_for_text_stays_text(text: str) -> None:
    """Its parser wants a point in a number with an exponent; ours, by itself, would write another number."""
    assert read(f"write_files: [{{path: /a, content: {text}}}]").write_files[0]["content"] == text


@pytest.mark.parametrize(("text", "number"), [("1.5", 1.5), ("1.0e+3", 1000.0), (".5", 0.5)])
def test_numbers_with_a_fraction(text: str, number: float) -> None:
    assert read(f"write_files: [{{path: /a, content: {text}}}]").write_files[0]["content"] == number


def test_a_key_without_a_value_is_nothing() -> None:
    assert read("packages:\nusers: [ada]\n") == CloudInit(users=("default", "ada"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("#!/bin/sh\necho\n", "begins with #!"),
        ("#include\nhttps://example.com/x\n", "begins with #include"),
        ("## template: jinja\n#cloud-config\npackages: ['{{ x }}']\n", "begins with ## template"),
        ("", "holds no `key: value` lines"),
        ("- a\n", "holds no `key: value` lines"),
        ("runcmd: [reboot]", "has the key runcmd, which is not merged"),
        ("packages: htop", "has packages that cloud-init would not accept"),
        ("packages: [1]", "has packages that cloud-init would not accept"),
        ("packages: ['']", "has packages that cloud-init would not accept"),
        ("users: [{gecos: nobody}]", "has users that cloud-init would not accept"),
        ("write_files: [{path: etc/motd}]", "has write_files that cloud-init would not accept"),
        ("bootcmd: [[]]", "has bootcmd that cloud-init would not accept"),
        ("users: [{name: ada, expiredate: 2030-01-01}]", "holds a date, which is not text"),
        ("write_files: [{path: /a, content: !!binary aGVsbG8=}]", "holds a bytes, which is not text"),
        ("write_files: [{path: /a, 1: 2}]", "has the key 1, which is not text"),
        ("write_files: [{path: /a, content: .inf}]", "holds a number that is not one"),
        ("packages: [a\n", "is not valid YAML"),
        *((f"packages: [{value}]", "holds something like a date, a number or a tag") for value in (
            "2026-13-45", "0x_", "+_", "!!bool x", "!!omap [{a: 1}, {a: 2}]", "9" * 5000,
        )),
        (f"write_files: [{{path: /a, content: 0x{'f' * 5000}}}]", "holds a number that is too large"),
        ("packages: !!python/object:os.system [a]\n", "is not valid YAML"),
        ("packages: [a]\npackages: [b]\n", "is not valid YAML"),
        ("a: &a [x, x, x, x, x, x, x, x, x, x]\n" + "".join(
            f"{chr(98 + n)}: &{chr(98 + n)} [{', '.join(['*' + chr(97 + n)] * 10)}]\n" for n in range(8)
        ), "is too large or nested too deeply"),
        ("packages: &a [*a]", "is "),
        ("[" * 1000, "is nested too deeply"),
        ("bootcmd: " + "[" * 20 + "]" * 20, "has bootcmd that cloud-init would not accept"),
        ("bootcmd: " + "[" * 21 + "]" * 21, "is too large or nested too deeply"),
    ],
)  # fmt: skip
def test_what_cannot_be_merged_says_why(text: str, message: str) -> None:
    with pytest.raises(NotMergeable) as caught:
        read(text)
    assert str(caught.value).startswith(message)
    assert caught.value.help


def test_a_mistake_in_the_file_has_its_line() -> None:
    with pytest.raises(NotMergeable) as caught:
        read("packages: [htop]\nusers: [\n")
    assert caught.value.line >= 2


@pytest.mark.parametrize("key", ["passwd", "hashed_passwd", "plain_text_passwd"])
def test_passwords_are_found(key: str) -> None:
    assert list(passwords(read(f"users: [{{name: ada, {key}: x}}]"))) == [("ada", key)]


@pytest.mark.parametrize(
    "value",
    [
        "plain",
        "a: b # c\n\ttab",
        "\x00\x07\x7f\x85\u2028\ufeff\U0001f600",
        {"path": "/a", "content": "${x} %{y} 'z' \\", "append": True, "permissions": 420},
        ["sh", "-c", 'echo "`id`" $(id)'],
    ],
)
def test_what_is_written_is_read_again(value: object) -> None:
    text = as_yaml(value)
    assert text.isascii()
    assert text.isprintable()
    yaml = YAML(typ="safe", pure=True)
    yaml.version = (1, 1)
    assert yaml.load(text) == value
    assert json.loads(text if "\\U" not in text else json.dumps(value)) == value
