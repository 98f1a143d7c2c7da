from clusterprint.blueprint.azure import Admin
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule

_REFUSED = frozenset(
    {
        *("a", "actuser", "adm", "admin", "admin1", "admin2", "administrator", "aspnet", "backup", "console"),
        *("david", "guest", "john", "owner", "root", "server", "sql", "support", "support_388945a0", "sys"),
        *("test", "test1", "test2", "test3", "user", "user1", "user2", "user3", "user4", "user5"),
        # Users and groups of Linux itself, which the provider refuses for flexible scale sets.
        *("abrt", "audio", "bin", "cdrom", "cgred", "crontab", "daemon", "dbus", "dialout", "dip", "disk"),
        *("fax", "floppy", "ftp", "fuse", "games", "gnats", "gopher", "haldaemon", "halt", "irc", "kmem"),
        *("landscape", "libuuid", "list", "lock", "lp", "mail", "maildrop", "man", "mem", "messagebus"),
        *("mlocate", "modem", "netdev", "news", "nfsnobody", "nobody", "nogroup", "ntp", "operator"),
        *("oprofile", "plugdev", "polkituser", "postdrop", "postfix", "proxy", "public", "qpidd", "rpc"),
        *("rpcuser", "sasl", "saslauth", "shadow", "shutdown", "slocate", "src", "ssh", "sshd", "staff"),
        *("stapdev", "stapusr", "sudo", "sync", "syslog", "tape", "tcpdump", "trusted", "tty", "users"),
        *("utempter", "utmp", "uucp", "uuidd", "vcsa", "video", "voice", "wheel", "whoopsie", "www"),
        *("www-data", "wwwrun", "xok"),
    }
)


@rule(
    "AZ041",
    severity=Severity.ERROR,
    source="Azure: virtual machines FAQ, user name requirements; terraform-provider-azurerm 4.55.0",
    firm=True,
)
def username_not_allowed(admin: Admin, context: Context) -> Iterator[Finding]:
    """The user that people log in as has a name that Azure refuses.

    Names that everybody tries first, such as admin and root, and those of users and groups that Linux has
    itself, such as sudo and www-data, cannot be those of the administrator of a machine.

    Choose another name, or leave it out.
    """
    if admin.username in _REFUSED:
        yield Finding(
            f"Azure refuses the user name {admin.username}",
            context.at(admin, "username"),
            help="choose another one, or leave it out: the default is azureuser",
        )
