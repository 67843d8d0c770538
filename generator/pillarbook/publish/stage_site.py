"""Makes the folder that MkDocs writes a site to."""

from pathlib import Path
from typing import TYPE_CHECKING

from pillarbook.inventory.reach import LinkPolicy, Trust
from pillarbook.inventory.settings import Settings
from pillarbook.publish.replace_site import StagedSite, stage
from pillarbook.publish.sources import find_kept

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig

    from pillarbook.session import RunOptions


def stage_site(
    config: "MkDocsConfig", settings: Settings, options: "RunOptions", kept: tuple[Path, ...]
) -> StagedSite:
    """Make a folder beside the site.

    It is not within the site, as nothing is published before the leak gate has seen all
    (docs/decisions/0016).

    Raises:
        PublishError: The site's folder may not be replaced.
    """
    custom = config.theme.custom_dir
    own = (Path(config.docs_dir), *([Path(custom)] if custom else []), *kept)
    found = find_kept(settings, Trust(given=options.trust), options.allow, own)
    links = LinkPolicy(homes=(settings.folder,), allow=options.allow, trusted=options.trust)
    return stage(Path(config.site_dir), found, links)
