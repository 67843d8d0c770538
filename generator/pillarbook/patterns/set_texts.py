"""Finds secrets that a longer text sets: lines of config files, code, markup, SQL.

There are two kinds of patterns. In the first, a name is before the value, and the name decides
whether the value is secret, like the name of a key. In the second, the text around the value
decides: a directive of a program, a clause of SQL.
"""

import re
from collections.abc import Iterator

from pillarbook.patterns.key_names import is_login, kind_of_name
from pillarbook.patterns.late_pattern import compile_late
from pillarbook.patterns.logins import is_login_pair
from pillarbook.patterns.plain_words import is_given, is_value
from pillarbook.patterns.router_directives import QUOTED, ROUTER_DIRECTIVES, directive
from pillarbook.patterns.word_sets import word_set

VARIABLE = compile_late(r"[a-z_]+(?:\.[a-z_]+){2,}\Z")
"""A variable in code: ``ngx.var.http_x_token``."""
VERSION = compile_late(r"v?\d+(?:\.\d+)+(?:[-+~]\S*)?\Z")
"""The version of a package: ``pass=1.7.4-6``."""
SHORTEST_SET = 4
"""Characters; a shorter value of a name is not secret."""
_NAME = r"(?<![\w.-])([A-Za-z_][\w.-]{0,80})"
"""A name; limited on both sides, so that a long word is read once and not from each letter."""
_VALUE = r"(\"[^\"\n]*\"|'[^'\n]*'|[^\s\"']+)"

NAMED = (
    # a line of a config file: `name = value`, `name: value`, `export NAME=value`
    compile_late(
        r"(?m)^[ \t]*(?:(?:export|set|env|setenv|declare|local|my|var|let|const|-e)[ \t]+"
        r"|Environment=[\"']?)?"
        rf"[\"']?[$@:]?{_NAME}[\"']?[ \t]*(?:=>[ \t]*|:?=[ \t]*|:[ \t]+){_VALUE}[\"']?"
        r"[ \t]*[,;]?[ \t]*\r?$"
    ),
    # code and inline data: `$name = 'value'`, `['name'] = "value"`, `{"name": "value"}`
    compile_late(rf"{_NAME}[\"']?[ \t]*\]?\s{{0,9}}(?::=|=>|==?|:)\s{{0,9}}[urbN]?{QUOTED}"),
    # a word before a command, among others, or of Java: `NAME=value cmd`, `-Dname=value`,
    # `--var='name=value'`
    compile_late(rf"(?:\A|[\s;&|(,{{=]|[\s=][\"'])(?:-D)?{_NAME}=([^\s\"';&|(),{{}}]+)"),
    # pairs with commas: `username:ann,token:value`
    compile_late(rf",{_NAME}:([^\s\"',:]{{16,}})(?=,|\Z)"),
    # a line of .npmrc: `//host/path/:name=value`
    compile_late(rf"(?m)^[ \t]*//[\w.:/-]+/:{_NAME}[ \t]*=[ \t]*{_VALUE}"),
    # pairs in braces: `{ name = value other = value }`
    compile_late(rf"[{{;\s]{_NAME}\s+=\s+([^\s\"';{{}}]+)(?=\s*[}};])"),
    # a statement: `name "value";`
    compile_late(rf"[{{;\s]{_NAME}[ \t]+{QUOTED}[ \t]*;"),
    # a call: define('NAME', 'value')
    compile_late(rf"\(\s*[\"']{_NAME}[\"']\s*,\s*{QUOTED}"),
    # an element: <name>value</name>, <entry key="name">value</entry>
    compile_late(rf"<{_NAME}(?:\s[^<>\n]{{0,200}})?>([^<>\n]+)</"),
    compile_late(rf"<{_NAME}>\s*<[Vv]alue>([^<>\n]+)</"),
    compile_late(rf"<name>\s*{_NAME}\s*</name>\s*<value>([^<>\n]+)</"),
    compile_late(rf"\b(?:name|key|id)\s*=\s*[\"']{_NAME}[\"'][^<>\n]{{0,200}}>([^<>\n]+)</"),
    # a name and its value as two: <add key="name" value="value">, {name: NAME, value: value}
    compile_late(
        rf"\b(?:name|key|id|property|option)[\"']?\s*[:=]\s*[\"']?{_NAME}[\"']?[\s,]+"
        rf"[\"']?(?:value|val|content)[\"']?\s*[:=]\s*{_VALUE}",
        re.IGNORECASE,
    ),
    # debconf: `owner template/name password value`
    compile_late(
        r"(?m)^[ \t]*\S+[ \t]+(?:\S+/)?([\w.-]+)[ \t]+(?:password|string)[ \t]+(\S+)[ \t]*$"
    ),
)
"""Each pattern finds a name and its value."""
_BLANK = compile_late(rf"(?m)^[ \t]*{_NAME}[ \t]+{_VALUE}[ \t]*;?[ \t]*\r?$")
"""A line with a name, white space and one word, as in OpenLDAP, redis and nginx."""

DIRECTIVES = (
    # SQL of MySQL and PostgreSQL
    directive(
        "identified", rf"\bidentified\s+(?:with\s+\S+\s+)?(?:by|as)\s+(?:password\s+)?{QUOTED}"
    ),
    directive("identified", r"\b(?:create|alter)\s+user\s+\S+\s+identified\s+by\s+([^\s;\"']+)"),
    directive("pass", rf"\bpass(?:word|wd|phrase)?\s+{QUOTED}"),
    directive("password", rf"\bpassword\s*\(\s*{QUOTED}"),
    # haproxy, keepalived
    directive("insecure-password", r"\binsecure-password\s+(\S+)"),
    directive("stats", r"\bstats\s+auth\s+[^\s:]+:(\S+)"),
    directive("auth_pass", r"\bauth_pass\s+(\S+)"),
    # ipsec.secrets, chap-secrets
    directive(
        "psk eap xauth ntlm pin", r":\s*(?:PSK|EAP|XAUTH|NTLM|PIN)\s+(\"[^\"\n]+\"|0[sx]\S+)", 0
    ),
    directive('"', r"^[ \t]*\"[^\"\n]+\"[ \t]+\*[ \t]+\"([^\"\n]{3,})\""),
    directive(" *", r"^[ \t]*[A-Za-z]\S*[ \t]+\*[ \t]+([^\s*]{3,})[ \t]+\*[ \t]*$"),
    directive("rsa ecdsa pkcs8 p12", r":\s*(?:RSA|ECDSA|PKCS8|P12)\s+\S+\s+(\"[^\"\n]+\")", 0),
    directive("psk", r":\s*PSK\s+((?=\S*\d)[^\s\"']{8,})", 0),
    # net-snmp
    directive("community", r"^[ \t]*(?:r[ow]community6?|trapcommunity)[ \t]+(\S+)"),
    directive("com2sec", r"^[ \t]*com2sec6?[ \t]+(?:-Cn[ \t]+\S+[ \t]+)?\S+[ \t]+\S+[ \t]+(\S+)"),
    directive("sink", r"^[ \t]*trap2?sink[ \t]+\S+[ \t]+(\S+)"),
    directive(
        "createuser", r"\bcreateUser[ \t]+(?:-e[ \t]+\S+[ \t]+)?\S+[ \t]+(?:MD5|SHA\S*)[ \t]+(\S+)"
    ),
    directive("createuser", r"\bcreateUser\b[^\n]{0,200}?[ \t](?:AES\S*|DES)[ \t]+(\S+)"),
    # realm.properties of Jetty
    directive(",", r"^[ \t]*[A-Za-z][\w.-]*:[ \t]*([^\s,:]{6,}),[A-Za-z][\w,-]*[ \t]*$"),
    # ntp.keys, authkeys of Heartbeat, Asterisk, OpenVPN
    directive("m md5 sha aes", r"^[ \t]*\d{1,5}[ \t]+(?:M|MD5|SHA\d*|AES\w*)[ \t]+(\S+)", 0),
    directive("auth", r"^auth[ \t]+\d+[ \t]*\n(?:[^\n]*\n){0,9}?\d+[ \t]+(?:sha1|md5)[ \t]+(\S+)"),
    directive("=>", r"^[ \t]*\d+[ \t]*=>[ \t]*(\d{3,}),[^\n]*,"),
    directive("<auth-user-pass>", r"<auth-user-pass>\s*\S+\s+([^\s<]+)"),
    # .netrc, curl, monit, nut, ProFTPD, bind
    directive("machine", r"\bmachine\s+\S+\s+login\s+\S+\s+password\s+(\S+)"),
    directive("user", r"^[ \t]*user[ \t]*=[ \t]*\"?[^\s:\"]+:([^\s\"]+)\"?[ \t]*$"),
    directive("allow", r"\ballow[ \t]+[A-Za-z][\w.-]*:(?!\d+\b)([^\s:/\"']+)(?=\s|\Z)"),
    directive(
        "monitor",
        r"^[ \t]*MONITOR[ \t]+\S+@\S+[ \t]+\d+[ \t]+\S+[ \t]+(\S+)[ \t]+(?:master|slave|primary"
        r"|secondary)",
    ),
    directive("sqlconnectinfo", r"\bSQLConnectInfo[ \t]+\S+[ \t]+\S+[ \t]+(\S+)"),
    directive("secret", r"\bsecret\s+\"([A-Za-z0-9+/=]{12,})\"\s*;"),
    # redis
    directive("user", r"^[ \t]*user[ \t]+\S+[ \t][^\n]{0,300}?>(\S+)"),
    directive("auth-pass", r"\bsentinel\s+auth-pass\s+\S+\s+(\S+)"),
    directive("rename-command", r"^[ \t]*rename-command[ \t]+\S+[ \t]+([^\s\"']{6,})"),
    # kickstart, cloud-init, Docker, Kubernetes
    directive("rootpw", r"^[ \t]*rootpw[ \t]+(?:--\w+[ \t]+)*(\S+)"),
    directive(
        "chpasswd:",
        r"\bchpasswd:\s*\n[^#]{0,300}?\blist:\s*(?:\|[-+]?\s*\n|\[|\n\s*-)?\s*[\"']?[\w.-]+"
        r":([^\s\"',]+)",
    ),
    directive("auth", r"[\"']auth[\"']\s*:\s*[\"']([A-Za-z0-9+/]{8,}={0,2})[\"']"),
    directive(
        "secret",
        r"^[ \t]*kind:[ \t]*[\"']?Secret[\"']?[ \t]*$(?s:.{0,1000}?)^(?:data|stringData):[ \t]*\n"
        r"[ \t]+[\w.-]+:[ \t]*(\S+)",
    ),
    # the file of google-authenticator: its seed is the first line
    directive('" ', r"\A\s*([A-Za-z2-7]{8,})\s*\n(?:\" [A-Z_]+[^\n]*\n)*\" [HT]OTP_", 0),
    # the code of a subscriber in an address for downloads
    directive(
        "snort.org securiteinfo.com",
        r"(?:snort\.org|securiteinfo\.com)/\S*?\b([0-9a-f]{40,128})\b",
    ),
    # sendmail
    directive("authinfo:", r"\"P:([^\"\n]+)\""),
    # .npmrc, the settings of Bundler
    directive(":_auth", r":_auth[ \t]*=[ \t]*\"?([A-Za-z0-9+/]{8,}={0,2})"),
    directive(
        "bundle_",
        r"^[ \t]*BUNDLE_\w{1,80}?__\w{1,80}:[ \t]*[\"']?[\w.-]+:([^\s\"'/]{3,})[\"']?[ \t]*$",
        0,
    ),
    # a key without a name of its own in a section of settings, as rclone writes them
    directive(
        "key",
        r"^[ \t]*key[ \t]*=[ \t]*(?![0-9A-Fa-f]{40}[ \t]*$)"
        r"((?=\S*\d)(?=\S*[A-Za-z])[A-Za-z0-9+/]{24,}={0,2})[ \t]*$",
    ),
    # PgBouncer, JMX, Wazuh, squid, nginx
    directive('"', r"^[ \t]*\"[^\"\s=]+\"[ \t]+\"([^\"\s]{3,})\"[ \t]*$"),
    directive("role", r"^[ \t]*(?:monitor|control)Role[ \t]+(?!read(?:only|write)\b)(\S+)[ \t]*$"),
    directive(
        "0", r"^\d{3,6}[ \t]+[A-Za-z]\S*[ \t]+(?:any|[\d./:a-f]+)[ \t]+([0-9a-f]{64})[ \t]*$", 0
    ),
    directive("login=", r"\blogin=[^\s:=]+:(\S+)"),
    directive("secure_link_md5", r"\bsecure_link_md5\s+\"[^\"\n]{0,200}?(?:\s|[}])([^\s\"$]+)\""),
    # IRC
    directive("identify", r"\bnickserv\s+identify\s+(?:\S+\s+)??([^\s\"']+)(?=[\"']|\s*$)"),
    directive("<pass", r"<Pass\b[^<]{0,300}?\bHash\s*=\s*(\S+)"),
    directive(
        "server +",
        r"^[ \t]*(?:Server[ \t]*=[ \t]*[\w.:-]+[ \t]+|[\w.-]+[ \t]+(?=\+))\+?\d{2,5}"
        r"[ \t]+(\S+)[ \t]*$",
    ),
    # hostapd: wpa_psk_file, where a word of one kind of letter is a host, and eap_user_file
    directive(
        ":",
        r"^[ \t]*(?:\w+=\S+[ \t]+)*(?:[\da-f]{2}:){5}[\da-f]{2}[ \t]+"
        r"((?=\S*\d)(?=[^A-Z\n]*[A-Z])(?=[^a-z\n]*[a-z])[^\n]{8,63}|[\da-fA-F]{64})$",
        0,
    ),
    directive(":", r"^[ \t]*(?:\w+=\S+[ \t]+)*(?:00:){5}00[ \t]+(\S[^\n]{7,63})$"),
    directive(":", r"^[ \t]*(?:\w+=\S+[ \t]+)+(?:[\da-f]{2}:){5}[\da-f]{2}[ \t]+(\S[^\n]{7,63})$"),
    directive(
        "peap ttls md5 gtc mschapv2 pwd",
        r"^[ \t]*\"[^\"\n]+\"[ \t]+[A-Z][A-Z0-9,-]*[ \t]+(\"[^\"\n]+\"|hash:[\da-f]{32})"
        r"(?:[ \t]+\[2\])?[ \t]*$",
    ),
    # TACACS+, fetchmail, Dovecot
    directive("cleartext", r"=[ \t]*cleartext[ \t]+(\"[^\"\n]+\"|[^\s\"};]+)"),
    directive(
        "key",
        r"^[ \t]*key[ \t]*=[ \t]*(\"[^\"\n]{4,}\")[ \t]*$",
        also="cleartext accounting tac_plus",
    ),
    directive("poll skip", r"\b(?:poll|skip)\b[^\n]{0,300}?\bpass(?:word)?[ \t]+(\S+)"),
    directive("{plain {clear", r"\{(?:PLAIN|PLAIN-TRUNC|CLEAR|CLEARTEXT)\}([^\s:\"']{3,})"),
    # what a program prints when it starts for the first time
    directive("password", r"\bpassword:[ \t]+((?=\S*\d)(?=\S*[A-Za-z])[A-Za-z\d]{12,})[ \t]*$"),
    directive("password", r"\bpassword\b[^\n:]{0,60}:\s*\n\s*([\da-f]{32})\s*$"),
    # codes that a camera reads: of a wireless network, of a SIM
    directive(
        "wifi:", r"\bWIFI:(?:[A-Z]:(?:\\.|[^;\\\n]){0,99};){0,5}?P:((?:\\.|[^;\\\n]){1,99});", 0
    ),
    directive("lpa:1$", r"\bLPA:1\$[\w.-]+\$([A-Z0-9-]{6,})", 0),
    *ROUTER_DIRECTIVES,
)
"""Each pattern finds a value."""
_SIGNS = tuple((sign, number) for number, row in enumerate(DIRECTIVES) for sign in row.signs)
"""Signs with their rows: to look for all signs is quicker than one pattern of them."""
_LOGIN_LINES = (
    # .pgpass: host:port:database:user:password
    compile_late(r"(?m)^(?![0-9A-Fa-f:./]+$)[^\s:#]*:(?:\d{2,5}|\*):[^\s:]+:[^\s:]+:([^\s:]+)$"),
    # sasl_passwd: [host]:port user:password
    compile_late(r"(?m)^[ \t]*\[[\w.-]+\](?::\w+)?[ \t]+[^\s:]+:([^\s/][^\n]*)$"),
    # passwd.client of Exim: host:user:password
    compile_late(r"(?m)^(?:\*|[\w*-]+(?:\.[\w*-]+)+):[^\s:@]+@[^\s:]+:([^\s/:]+)[ \t]*$"),
    compile_late(
        r"(?m)^[ \t]*[\w-]+(?:\.[\w-]+)+(?::\w+)?[ \t]+[^\s:]+@[^\s:]+:([^\s/]\S*)[ \t]*$"
    ),
)
"""Lines with a login, but without a word for it."""
_PROSE = word_set(
    "password passwords passphrase pass secret secrets token tokens credential credentials bearer"
)
"""Names that also occur in sentences."""


def values_of_names(text: str) -> Iterator[str]:
    """Yield the secrets in a text whose names say so, with their quotes."""
    for pattern in NAMED:
        for name, value in pattern.findall(text):
            if _says_secret(name, value) and _is_set(value):
                yield value
            elif is_login(name) and is_login_pair(value.strip("\"'")):
                yield value.partition(":")[2] or value
    for name, value in _BLANK.findall(text):
        if _is_line_of(text, name, value):
            yield value


def values_of_directives(text: str, lowered: str) -> Iterator[str]:
    """Yield the secrets in a text by a directive of a program or a clause of SQL."""
    for number in sorted({number for sign, number in _SIGNS if sign in lowered}):
        row = DIRECTIVES[number]
        if not row.also or any(sign in lowered for sign in row.also):
            yield from filter(is_value, (match[1] for match in row.pattern.finditer(text)))


def values_of_login_lines(text: str) -> Iterator[str]:
    """Yield the passwords in lines such as those of ``.pgpass`` and ``sasl_passwd``."""
    for pattern in _LOGIN_LINES if ":" in text else ():
        yield from filter(is_given, (match[1] for match in pattern.finditer(text)))


def _says_secret(name: str, value: str) -> bool:
    """Say whether a name makes its value secret; ``userPassword=password`` maps two attributes.

    Names of variables are lower or upper case: the value of ``DB_PASSWORD=MyDbPassword`` is one.
    """
    kind = kind_of_name(name)
    if kind is None or name.islower() or name.isupper():
        return kind is not None
    bare = value.strip("\"'")
    return not (bare[:1].islower() and bare.isalpha() and kind == kind_of_name(bare))


def _is_line_of(text: str, name: str, value: str) -> bool:
    """Say whether a name and the word after it are a line of a file, and not of a sentence."""
    if not _says_secret(name, value) or not _is_set(value):
        return False
    is_word = value.isalpha() and value.islower()
    is_prose = name.isupper() or (name.lower() in _PROSE and is_word)
    return "\n" in text.strip() or not is_prose


def _is_set(word: str) -> bool:
    """Say whether the value of a name is a secret: not a flag, a path or an expression."""
    bare = word.strip("\"'")
    is_expression = bare == word and ("(" in bare or VARIABLE.match(bare) is not None)
    is_other = is_expression or VERSION.match(bare) is not None
    return len(bare) >= SHORTEST_SET and is_value(word) and not is_other
