"""What ``init`` says of states: how many SLS are here, and where the others usually come from."""

from collections.abc import Iterator

from pillarbook.highstate.needed_states import NeededStates

REPOSITORY = "https://github.com/saltstack-formulas/NAME-formula"
_NAMES = (
    "apache apt apt-cacher aptly bind chrony collectd consul cron dhcpd docker dovecot "
    "elasticsearch epel etcd exim fail2ban ferm firewalld gerrit git golang grafana haproxy "
    "hostsfile icinga2 influxdb iptables iscsi jenkins keepalived kibana kubernetes letsencrypt "
    "libvirt locale logrotate logstash lvm mattermost memcached mongodb monit moosefs munin mysql "
    "nexus nfs nginx node ntp openldap openssh openvpn packages packer php pip postfix postgres "
    "powerdns proftpd prometheus python rabbitmq redis resolver rkhunter rspamd rsyslog ruby salt "
    "samba sensu shorewall snmp squid strongswan sudoers suricata sysctl syslog-ng systemd "
    "telegraf template timezone tinyproxy tomcat ufw unbound users uwsgi vault vim vmware-tools "
    "vsftpd wordpress xinetd zabbix znc "
)
FORMULAS = frozenset(_NAMES.split())
"""Formulas by the name that their SLS begin with."""


def describe_states(needed: NeededStates) -> Iterator[str]:
    """Yield what was found of the states of a tree; nothing without a top file of states."""
    if not needed.top:
        return
    here, missing = len(needed.here), len(needed.missing)
    if not missing:
        yield f"{needed.top}: found, the top file of states; {_count(here)}, all in this repository"
        return
    left_out = ", so no states are compiled" if needed.are_elsewhere else ""
    yield (
        f"{needed.top}: found, the top file of states; {missing} of {_count(here + missing)} are"
        f" not in this repository (formulas, gitfs?){left_out}: {', '.join(needed.missing)}"
    )
    heads = dict.fromkeys(name.partition(".")[0] for name in needed.missing)
    known = [name for name in heads if name in FORMULAS]
    if known:
        yield f"formulas are usually in {REPOSITORY}: {', '.join(known)}"


def _count(states: int) -> str:
    return f"{states} state SLS"
