"""What sticks out of a page, or is cut off at an edge."""

from playwright.sync_api import Page

# What scrolls by itself may hold what is wider; what hides its overflow would hide text.
_SCRIPT = """() => {
  const root = document.documentElement, width = root.clientWidth, found = [];
  if (root.scrollWidth > width) found.push(`the page is ${root.scrollWidth} wide in ${width}`);
  const scrolls = new Map();
  function scrolled(element) {
    if (!element || element === root) return false;
    if (!scrolls.has(element)) {
      const how = getComputedStyle(element).overflowX;
      scrolls.set(element, how === "auto" || how === "scroll" || scrolled(element.parentElement));
    }
    return scrolls.get(element);
  }
  function name(element) {
    const id = element.id ? "#" + element.id.slice(0, 60) : "";
    const text = element.textContent.trim().slice(0, 40);
    return `${element.localName}${id}.${[...element.classList].join(".")} "${text}"`;
  }
  for (const element of document.body.querySelectorAll("*")) {
    const box = element.getBoundingClientRect();
    if (!box.width || !box.height || box.right <= 0) continue;
    if ((box.right > width + 1 || box.left < -1) && !scrolled(element.parentElement))
      found.push(`${Math.round(box.left)}..${Math.round(box.right)} of ${width}: ${name(element)}`);
    const style = getComputedStyle(element);
    if (["hidden", "clip"].includes(style.overflowX) && element.clientWidth > 1
        && element.scrollWidth > element.clientWidth + 1)
      found.push(`cut off: ${name(element)}`);
  }
  return found.slice(0, 20);
}"""


def find_overflow(page: Page) -> list[str]:
    """Return a line for each element that sticks out of the page or is cut off."""
    found: list[str] = page.evaluate(_SCRIPT)
    return found


def find_broken_words(page: Page) -> list[str]:
    """Return the words that two lines share: a name may break after ``.``, ``:``, ``/``, ``-`` and
    ``_`` only. Words that fit in no column are left out.
    """
    found: list[str] = page.evaluate(_BROKEN_WORDS)
    return found


_BROKEN_WORDS = r"""() => {
  const found = [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const { data, parentElement: place } = walk.currentNode;
    if (!place.checkVisibility() || place.closest(".unseen, pre, .matrix .group")) continue;  // these names are cut, and whole below
    for (const { 0: word, index } of data.matchAll(/[\p{L}\p{N}]+/gu)) {
      if (word.length > 24) continue;
      const range = document.createRange();
      range.setStart(walk.currentNode, index);
      range.setEnd(walk.currentNode, index + word.length);
      const lines = new Set([...range.getClientRects()].map((line) => Math.round(line.top)));
      if (lines.size > 1) found.push(`${word} in ${data.slice(0, 80)}`);
    }
  }
  return found;
}"""
