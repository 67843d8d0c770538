"""Finds passwords in commands: as an option, from a pipe, in a variable before the command."""

import re
from collections.abc import Iterator

from pillarbook.patterns.key_names import is_login, kind_of_name
from pillarbook.patterns.late_pattern import compile_late
from pillarbook.patterns.logins import is_login_pair
from pillarbook.patterns.plain_words import is_given, is_public_shape, is_value

_WORD = r"(\"[^\"\n]+\"|'[^'\n]+'|[^\s\"'|;&]+)"
"""A word of a shell, with its quotes."""
_BETWEEN = r"\b[^\n|;]{0,300}?\s"
"""Other words of the same command."""
PROGRAMS = (
    ("curl|wget|http", r"(?:-\w{0,5}u|--user)[= ]?[\"']?[^\s:\"']+:([^\s\"']+)"),
    ("https?", r"(?:-a|--auth)[= ][\"']?[^\s:\"']+:([^\s\"']+)"),
    (r"mysql\w*|mariadb\w*", rf"-p(?![\s-]){_WORD}"),
    ("mysqladmin", rf"password\s+(?!-){_WORD}"),
    ("sshpass", rf"-p\s*{_WORD}"),
    ("redis-cli", rf"(?:-a|--pass)\s+{_WORD}"),
    (
        r"mongo\w*|cqlsh|rabbitmqadmin|couchbase-cli|elasticsearch-users|racadm|doveadm\s+pw",
        rf"-p\s*(?![\s-]){_WORD}",
    ),
    ("sqlcmd|bcp|tsql|isql|osql|freebcp", rf"-P\s*{_WORD}"),
    (r"db2", rf"user\s+\S+\s+using\s+{_WORD}"),
    (r"ldap(?:search|add|modify|modrdn|delete|passwd|compare|whoami)", rf"-w\s*{_WORD}"),
    (r"(?:docker|podman|buildah|skopeo|helm|az|oc)\s[^\n|;]{0,80}?login", rf"-p\s+{_WORD}"),
    ("smbclient|rpcclient|smbmap|net", r"-U\s*[\"']?[^\s%\"']+%([^\s\"']+)"),
    ("openssl", rf"-(?:pass|passin|passout)\s+pass:{_WORD}"),
    (r"openssl\s+enc", rf"-[kK]\s+{_WORD}"),
    (r"openssl\s+passwd", rf"(?:-(?!salt)\w+[ \t]+){{0,4}}(?:-salt[ \t]+\S+[ \t]+)?(?!-){_WORD}"),
    ("mkpasswd", rf"(?:-[mSR][ \t]*[^\s-]\S*[ \t]+|--\S+[ \t]+){{1,4}}(?!-){_WORD}"),
    ("ssh-keygen", rf"-[NP]\s+{_WORD}"),
    ("ipmitool", rf"-P\s*{_WORD}"),
    (r"snmp(?:get|walk|set|bulkwalk|bulkget|getnext|table|status|trap)", rf"-[cAX]\s+{_WORD}"),
    ("lftp", r"-u\s+[^\s,]+,(\S+)"),
    (r"ncftp\w*", rf"-p\s*{_WORD}"),
    ("htpasswd", rf"-(?=\w*b)(?!\w*n)\w+\s+\S+\s+\S+\s+{_WORD}"),
    ("htpasswd", rf"-(?=\w*b)(?=\w*n)\w+\s+\S+\s+{_WORD}"),
    ("rabbitmqctl", rf"(?:add_user|change_password|authenticate_user)\s+\S+\s+{_WORD}"),
    (r"plink|pscp|psftp|nodetool|kadmin\S*", rf"-pw\s+{_WORD}"),
    (r"ipa-\w+-install|kadmin\S*", rf"-w\s+{_WORD}"),
    (r"grafana(?:-cli)?", rf"reset-admin-password\s+(?:--\S+\s+)*{_WORD}"),
    ("ejabberdctl", rf"(?:register|change_password)\s+\S+\s+\S+\s+{_WORD}"),
    ("prosodyctl", rf"register\s+\S+\s+\S+\s+{_WORD}"),
    ("kamctl|opensipsctl", rf"(?:add|passwd)\s+\S+\s+{_WORD}"),
    ("samba-tool", rf"user\s+(?:create|add|setpassword)\s+\S+\s+(?!-){_WORD}"),
    ("lego", rf"--hmac\s+{_WORD}"),
    # without the `\r` that ends what is typed
    ("expect", r"(?i:pass\w*)[^\n]{0,80}?\bsend\s+(?:--\s+)?[\"'{]?((?:(?!\\[rn])[^\s\"'}])+)"),
    ("net", rf"use\s[^\n]{{0,200}}?/user:\S+\s+(?!/){_WORD}"),
    ("net", rf"user\s+\S+\s+(?!/){_WORD}\s+/add"),
    ("cmdkey|schtasks", rf"/(?:pass:|rp\s+){_WORD}"),
    ("iscsiadm", rf"-n\s+\S*password\S*\s+-v\s+{_WORD}"),
    ("sqlplus|rman|expdp|impdp|sqlldr", r"[\"']?[\w$]+/([^\s/@\"']+)@"),
    ("useradd|usermod", rf"-p\s+{_WORD}"),
    ("aws", rf"configure\s+set\s+\S*(?:secret|token)\S*\s+{_WORD}"),
    ("vault", r"login\s+(?!-)(?:token=)?(\S{8,})"),
    ("gpg2?|gpg-preset-passphrase", rf"--passphrase\s+{_WORD}"),
    ("wpa_passphrase", rf"\S+\s+{_WORD}"),
    ("xfreerdp|rdesktop", rf"(?:/p:|-p\s*){_WORD}"),
    (r"check_\w+", r"-a\s+[^\s:]+:(\S+)"),
    (r"check_\w+", rf"-[ul]\s*[A-Za-z]\S*\s(?:[^\n|;]{{0,200}}?\s)?-p\s*(?![\s\d/-]){_WORD}"),
    ("check_nt", rf"-s\s+{_WORD}"),
    (r"check_ldap\w*", rf"-P\s+(?!\d+\b){_WORD}"),
    (r"check_(?!procs)\w+", rf"-C\s+(?![\d/]){_WORD}"),
    (r"check_snmp\w*", rf"-[AX]\s+{_WORD}"),
    ("nsupdate|dig", r"-y\s+(?:[\w-]+:)?[\w.-]+:(\S+)"),
    ("x11vnc", rf"-passwd\s+{_WORD}"),
    ("keytool|jarsigner", rf"-\w*(?:storepass|keypass)\s+{_WORD}"),
    (r"unzip|zip|mosquitto_\w+", rf"-P\s*{_WORD}"),
    (r"7z\w?|rar|unrar", rf"-h?p{_WORD}"),
    (
        r"pkcs1[15]-\w+|p11tool|softhsm2-util|ykman|yubico-piv-tool",
        rf"--?(?:so-|new-)?pin[= ]{_WORD}",
    ),
    ("wpa_cli", rf"set_network\s+\d+\s+(?:psk|password|wep_key\d)\s+{_WORD}"),
    ("mc", rf"alias\s+set\s+\S+\s+\S+\s+\S+\s+{_WORD}"),
    (r"kubectl\s[^\n|;]{0,80}?secret", rf"--from-literal[= ][\"']?[\w.-]+={_WORD}"),
    ("poetry|composer", rf"http-basic\.\S+\s+\S+\s+{_WORD}"),
    ("poetry", rf"pypi-token\.\S+\s+{_WORD}"),
    ("nmcli", rf"(?:password|\S*psk)\s+{_WORD}"),
)
"""Programs with an option or argument that is a password, but is not named so."""
BLANK = re.compile(r"\s")
"""In each command, between the program and its arguments."""
_START = re.compile(r"(?:\A|\|)(\w[\w-]*)(?!\?)")
_GROUP = re.compile(r"\([^()]*\)")


def _starts_of(names: str) -> tuple[str, ...]:
    """Return the texts with which some programs begin; an empty one if they do not tell."""
    outer = _GROUP.sub("(", names)
    return tuple(_START.findall(outer)) if outer[0] != "(" else ("",)


_PROGRAMS = tuple(
    (_starts_of(names), compile_late(rf"\b(?:{names}){_BETWEEN}{option}"))
    for names, option in PROGRAMS
)
_STARTS = tuple((start, number) for number, (starts, _) in enumerate(_PROGRAMS) for start in starts)
"""Starts of programs with their rows: to look for all starts is quicker than one pattern."""
_READERS = (
    r"(?:sudo\s+)?(?:/\S*/)?(?:passwd\b[^|\n]{0,300}--stdin|sudo\s+-\w*S|kinit|gpg2?|cryptsetup|smbpasswd"
    r"|htpasswd|saslpasswd2|vncpasswd|(?:docker|podman|helm|oras)\b[^|\n]{0,300}login|faketty|openssl"
    r"|realm|adcli|net\s+ads|gh\s+auth|pg_restore|psql|ssh-add)\b"
)
"""Programs that read a password from standard input."""
_SAID = r"\b(?:echo|printf)\s+(?:-\w+\s+)*"
_PIPES = (
    compile_late(rf"{_SAID}{_WORD}\s*\|\s*{_READERS}"),
    compile_late(rf"{_READERS}[^\n|;]{{0,300}}<<<\s*{_WORD}"),
    compile_late(_SAID + r"\"[^\s:\"|]+:([^\"\n]+)\"\s*\|\s*(?:\S+\s+)?\S*chpasswd\b"),
    compile_late(r"-file[= ]<\(\s*(?:echo|printf)\s+(?:-\w+\s+)*[\"']?([^\s\"')]+)"),
    compile_late(_SAID + r"[\"']?[^\s:\"'|]+:([^\s\"'|]+)[\"']?\s*\|\s*(?:\S+\s+)?\S*chpasswd\b"),
    compile_late(r"\bchpasswd\b[^\n|;]{0,300}<<<\s*[\"']?[^\s:\"']+:([^\s\"']+)"),
    compile_late(r"\bchpasswd\b[^\n|;]{0,300}<<-?\s*[\"']?\w+[\"']?\n\s*[^\s:]+:(\S+)"),
)
"""A password as the input of a program; ``chpasswd`` reads it after a user name."""
_OPTIONS = (
    compile_late(r"(?<![\w.-])--?([A-Za-z][\w.-]{0,80})=(\"[^\"]+\"|'[^']+'|[^\s\"']+)"),
    compile_late(
        r"(?<![\w.-])--?([a-z][A-Za-z-]{0,80}\d{0,2}) +(?!--?[a-z][\w-]*(?:\s|\Z)|id=)"
        r"(?=\S*[^\sa-z,.:;)])"
        r"(\"[^\"]+\"|'[^']+'|[^\s\"']+)(?=\s|\Z)"
    ),
    compile_late(
        r"(?<![\w.-])--?([a-z][A-Za-z-]{0,80}\d{0,2}) +([a-z]+)"
        r"(?= +(?:-{1,2}\w|[/~|&<>]\S*)| *[|&;<>\n])"
    ),
)
_LAST_OPTION = compile_late(r" --([a-z][a-z-]{0,80}) +([a-z]+)\Z")
_OTHER_OPTION = compile_late(r"\s-{1,2}\w")
"""An option that is named as a password. A word in lower case may be prose (``--password and``),
unless the text around it is a command: other options, a path, the end of a line."""


def is_option_value(word: str) -> bool:
    """Say whether the word after an option may be a secret: not its name, as in `--token TOKEN`."""
    is_name = word.isupper() and kind_of_name(word) is not None
    return is_value(word) and not is_name and not is_public_shape(word)


def passwords_of_commands(text: str) -> Iterator[str]:
    """Yield the passwords in the commands of a text, with their quotes."""
    return filter(is_given, _words(text))


def _words(text: str) -> Iterator[str]:
    """Yield the values at the positions of passwords in commands."""
    rows = {number for start, number in _STARTS if start in text} if BLANK.search(text) else ()
    pipes = _PIPES if "|" in text or "<<" in text or "<(" in text else ()
    for pattern in (*(_PROGRAMS[row][1] for row in sorted(rows)), *pipes):
        for match in pattern.finditer(text):
            yield match[1]
    for pattern in _OPTIONS if "-" in text else ():
        for name, value in pattern.findall(text):
            if kind_of_name(name) is not None and is_option_value(value):
                yield value
            elif is_login(name) and is_login_pair(value.strip("\"'")):
                yield value.partition(":")[2] or value  # which may be both in base64
    last = _LAST_OPTION.search(text)
    if last is not None and kind_of_name(last[1]) and _OTHER_OPTION.search(text, 0, last.start()):
        yield last[2]
