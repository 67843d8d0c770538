"""Salt's own values of master options, as far as pillar, states or a template may look them up.

Source: Salt 3008.3 ``salt/config/__init__.py`` (``DEFAULT_MASTER_OPTS``, ``apply_master_config``)
and ``salt/syspaths.py``, on Linux. Left out are options of transport, clustering, logging formats
and credentials. Three values are fixed so that the result does not depend on the machine: ``id``
is ``master`` (Salt: the host's name and ``_master``), ``user`` is ``root``, and nothing is put
below ``root_dir``.
"""

from typing import Any


def master_defaults() -> dict[str, Any]:
    """Return a fresh mapping of the options."""
    return {
        **_pillar(),
        **_targeting(),
        **_rendering(),
        **_states(),
        **_files(),
        **_folders(),
        **_master(),
        **_absent(),
    }


def _absent() -> dict[str, Any]:
    """Return options that Salt has no default for; their absence means what stands here."""
    return {
        "id": "master",
        "pillarenv_from_saltenv": False,
        "ext_pillar_first": False,
        "exclude_ext_pillar": [],
        "allow_undefined": False,
    }


def _pillar() -> dict[str, Any]:
    """Return what pillar is compiled by."""
    return {
        "pillar_roots": {"base": ["/srv/pillar", "/srv/spm/pillar"]},
        "ext_pillar": [],
        "on_demand_ext_pillar": ["libvirt", "virtkey"],
        "pillar_version": 2,
        "pillar_opts": False,
        "pillar_safe_render_error": True,
        "pillar_source_merging_strategy": "smart",
        "pillar_merge_lists": False,
        "pillar_mask_output": True,
        "pillar_includes_override_sls": False,
        "pillar_cache": False,
        "pillar_cache_ttl": 3600,
        "pillar_cache_backend": "disk",
        "pillar.cache_driver": None,
        "decrypt_pillar": [],
        "decrypt_pillar_delimiter": ":",
        "decrypt_pillar_default": "gpg",
        "decrypt_pillar_renderers": ["gpg"],
        "gpg_decrypt_must_succeed": True,
        "gpg_cache": False,
        "gpg_cache_ttl": 86400,
        "gpg_cache_backend": "disk",
        "pass_variable_prefix": "",
        "pass_strict_fetch": False,
        "pass_gnupghome": "",
        "pass_dir": "",
    }


def _targeting() -> dict[str, Any]:
    """Return what chooses minions and environments."""
    return {
        "nodegroups": {},
        "ssh_list_nodegroups": {},
        "range_server": "range:80",
        "env_order": [],
        "saltenv": None,
        "lock_saltenv": False,
        "pillarenv": None,
        "default_top": "base",
        "top_file_merging_strategy": "merge",
        "master_tops": {},
        "master_tops_first": False,
        "order_masters": False,
        "minion_data_cache": True,
        "enforce_mine_cache": False,
        "preserve_minion_cache": False,
    }


def _rendering() -> dict[str, Any]:
    """Return how files are rendered."""
    return {
        "renderer": "jinja|yaml",
        "renderer_whitelist": [],
        "renderer_blacklist": [],
        "jinja_env": {},
        "jinja_sls_env": {},
        "jinja_lstrip_blocks": False,
        "jinja_trim_blocks": False,
        "optimization_order": [0, 1, 2],
        "features": {},
    }


def _states() -> dict[str, Any]:
    """Return what concerns states."""
    return {
        "state_top": "top.sls",
        "state_top_saltenv": None,
        "state_verbose": True,
        "state_output": "full",
        "state_output_diff": False,
        "state_output_profile": True,
        "state_auto_order": True,
        "state_events": False,
        "state_aggregate": False,
        "state_max_parallel": 0,
        "failhard": False,
        "test": False,
        "thoriumenv": None,
        "thorium_top": "top.sls",
        "thorium_interval": 0.5,
        "thorium_roots": {"base": ["/srv/thorium"]},
    }


def _files() -> dict[str, Any]:
    """Return where files come from."""
    return {
        "file_roots": {"base": ["/srv/salt", "/srv/spm/salt"]},
        "master_roots": {"base": ["/srv/salt-master"]},
        "file_client": "local",
        "local": True,
        "file_buffer_size": 1048576,
        "file_ignore_regex": [],
        "file_ignore_glob": [],
        "file_recv": False,
        "file_recv_max_size": 100,
        "fileserver_backend": ["roots"],
        "fileserver_followsymlinks": True,
        "fileserver_ignoresymlinks": False,
        "fileserver_verify_config": True,
        "hash_type": "sha256",
        "gitfs_remotes": [],
        "gitfs_mountpoint": "",
        "gitfs_root": "",
        "gitfs_base": "master",
        "gitfs_fallback": "",
        "gitfs_saltenv_whitelist": [],
        "gitfs_saltenv_blacklist": [],
        "gitfs_saltenv": [],
        "gitfs_ref_types": ["branch", "tag", "sha"],
        "gitfs_disable_saltenv_mapping": False,
        "git_pillar_base": "master",
        "git_pillar_branch": "master",
        "git_pillar_env": "",
        "git_pillar_fallback": "",
        "git_pillar_root": "",
        "git_pillar_includes": True,
        "winrepo_dir": "/srv/salt/win/repo",
        "winrepo_dir_ng": "/srv/salt/win/repo-ng",
        "winrepo_cachefile": "winrepo.p",
        "winrepo_branch": "master",
    }


def _folders() -> dict[str, Any]:
    """Return where a master keeps its own files."""
    return {
        "root_dir": "/",
        "pki_dir": "/etc/salt/pki/master",
        "cachedir": "/var/cache/salt/master",
        "sock_dir": "/var/run/salt/master",
        "extension_modules": "/var/cache/salt/master/extmods",
        "utils_dirs": ["/var/cache/salt/master/extmods/utils"],
        "module_dirs": [],
        "runner_dirs": [],
        "outputter_dirs": [],
        "token_dir": "/var/cache/salt/master/tokens",
        "syndic_dir": "/var/cache/salt/master/syndics",
        "sqlite_queue_dir": "/var/cache/salt/master/queues",
        "queue_dirs": [],
        "pidfile": "/var/run/salt-master.pid",
        "log_file": "/var/log/salt/master",
        "key_logfile": "/var/log/salt/key",
        "ssh_log_file": "/var/log/salt/ssh",
        "syndic_log_file": "/var/log/salt/syndic",
        "syndic_pidfile": "/var/run/salt-syndic.pid",
        "extmod_whitelist": {},
        "extmod_blacklist": {},
        "clean_dynamic_modules": True,
    }


def _master() -> dict[str, Any]:
    """Return what else a template may look up."""
    return {
        "__role": "master",
        "__fs_update": True,
        "user": "root",
        "interface": "0.0.0.0",  # noqa: S104 - Salt's default, nothing is bound
        "publish_port": 4505,
        "ret_port": 4506,
        "ipv6": None,
        "transport": "zeromq",
        "worker_threads": 5,
        "timeout": 5,
        "publish_timeout": 30,
        "gather_job_timeout": 10,
        "loop_interval": 60,
        "keep_jobs_seconds": 86400,
        "job_cache": True,
        "master_job_cache": "local_cache",
        "ext_job_cache": "",
        "cache": "localfs",
        "serial": "msgpack",
        "open_mode": False,
        "auto_accept": False,
        "keysize": 2048,
        "peer": {},
        "external_auth": {},
        "publisher_acl": {},
        "publisher_acl_blacklist": {},
        "client_acl_verify": True,
        "token_expire": 43200,
        "eauth_tokens": "localfs",
        "log_level": "warning",
        "log_level_logfile": None,
        "log_granular_levels": {},
        "reactor": [],
        "engines": [],
        "event_return": "",
        "schedule": {},
        "runner_returns": True,
        "discovery": False,
        "ssl": None,
        "cluster_id": None,
        "cluster_peers": [],
        "fips_mode": False,
        "syndic_master": "masterofmasters",
        "default_include": "master.d/*.conf",
        "enable_ssh_minions": False,
        "ssh_user": "root",
        "ssh_port": "22",
        "ssh_timeout": 60,
        "ssh_sudo": False,
        "ssh_scan_ports": "22",
        "verify_env": True,
        "cython_enable": False,
        "enable_gpu_grains": False,
        "cli_summary": False,
        "show_timeout": True,
        "show_jid": False,
    }
