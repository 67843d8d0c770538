/* The search box in the header. The index lies in sorted blocks, which are scripts: a page from disk may load those.
   report/search_index.py writes them and says what is in them. */
"use strict";
{
  const BASE = new URL("../assets/search/", document.currentScript.src);
  const ROOT = new URL("../../", BASE);
  const MOST = 6; // results of a kind
  const MOST_WORDS = 4; // that lead to blocks
  const BLOCKS = 8; // that a query reads
  // The lists that have all of a kind, to be filtered.
  const LISTS = { Minions: "minions/index.html", Keys: "keys/index.html" };
  const KINDS = ["Minions", "Keys", "Values", "Grains", "SLS files", "States", "Rules", "Pages"];

  /* Keys are written `a:b`; who writes `a.b` means them, too. */
  const fold = (text) => text.toLowerCase().replace(/[\u{10000}-\u{10ffff}]/gu, "\ufffd").replaceAll(".", ":");
  const make = (name, properties, ...children) => {
    const element = Object.assign(document.createElement(name), properties);
    element.append(...children);
    return element;
  };

  /* The index */

  const load = (name) =>
    new Promise((done, failed) => {
      const script = make("script", { src: new URL(name, BASE), onload: done, onerror: failed });
      document.head.append(script);
    });
  const received = new Map();
  globalThis.pillarbookSearch = (number, texts, rows) => {
    const text = (at) => texts[at ?? 0];
    // The page of a key is filtered by the value. Its first words do, as a long text is cut there; the page writes
    // escaped characters in another way.
    const filterOf = (kind, label, page, anchor) => {
      if (text(kind) !== "Values" || !text(page) || anchor) return "";
      const words = text(label).split(/\s+/).filter((word) => !word.includes("\\")).slice(0, 3);
      return words.length ? `?q=${encodeURIComponent(words.join(" "))}` : "";
    };
    const entries = rows.map(([offset, kind, label, detail, minion, page, anchor]) => ({
      term: fold(text(label)).slice(offset),
      kind: text(kind),
      label: text(label),
      detail: [text(detail), text(minion)].filter(Boolean).join(", "),
      address: `${text(page) || `minions/${text(minion) || text(label)}.html`}${filterOf(kind, label, page, anchor)}${anchor ? `#${text(anchor)}` : ""}`,
    }));
    received.set(`${number}.js`, entries);
  };
  globalThis.pillarbookSearchKeys = (number, keys) => received.set(`keys${number}.js`, keys);
  const loading = new Map();
  const read = async (name) => {
    if (!loading.has(name)) loading.set(name, load(name));
    await loading.get(name);
    return received.get(name);
  };
  const readDirectory = async () => {
    await read("index.js");
    return globalThis.pillarbookSearchIndex;
  };

  /* The number of texts in a sorted list that come before a word. */
  const countBefore = (texts, word) => {
    let [low, high] = [0, texts.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (texts[middle] < word) low = middle + 1;
      else high = middle;
    }
    return low;
  };

  /* The blocks of a word: the first, and about how many. The first has all entries with a term that begins with the
     word, or the best of them and the others follow. */
  const locate = async (text) => {
    const { keys: firsts, step } = await readDirectory();
    const word = text.slice(0, 64); // keys are no longer
    const group = Math.max(0, countBefore(firsts, word) - 1);
    const keys = [...(await read(`keys${group}.js`)), ...firsts.slice(group + 1)];
    const at = countBefore(keys, word);
    const count = keys.slice(at).findIndex((key) => !key.startsWith(word));
    const blocks = count < 0 ? keys.length - at : count;
    return { text, first: group * step + (blocks ? at : Math.max(0, at - 1)), blocks };
  };
  const readBlock = async (number, word) => (await read(`${number}.js`)).filter(({ term }) => term.startsWith(word));

  const rank = ({ label, term, kind }, word) => {
    const text = fold(label);
    if (text === word) return 0;
    return kind !== "Values" && text.startsWith(word) ? 1 : term === word ? 2 : text.startsWith(word) ? 3 : 4;
  };

  /* The entries that all words fit. Each word leads to a block. If these do not have enough, the narrowest word has
     more blocks, some of which are read, too. */
  const findEntries = async (words) => {
    const asked = [...new Set([words.join(" "), ...words.slice(0, MOST_WORDS)])];
    const places = await Promise.all(asked.map(locate));
    const answers = await Promise.all(places.map(({ first, text }) => readBlock(first, text)));
    const fits = ({ label, detail }) => words.every((word) => fold(`${label} ${detail}`).includes(word));
    const found = answers.flat().filter(fits);
    const [narrowest] = places.filter((_, at) => answers[at].length).sort((one, other) => one.blocks - other.blocks);
    for (let more = 1; more < narrowest?.blocks && asked.length + more <= BLOCKS && found.length <= MOST; more += 1) {
      found.push(...(await readBlock(narrowest.first + more, narrowest.text)).filter(fits));
    }
    const isWhole = !narrowest || narrowest.blocks === 1;
    return { asked, found, isWhole };
  };

  const NOTHING = "Nothing found: the search looks at how words begin.";
  const NOT_ALL = "Nothing found among the first entries that these words begin: write one of them in full.";

  /* Groups of results: [kind, entries], the best first; and what to say if there are none. */
  const find = async (query) => {
    const words = fold(query).split(/\s+/).filter(Boolean);
    if (!words.length) return { results: [], nothing: "" };
    const { asked, found, isWhole } = await findEntries(words);
    const groups = new Map(KINDS.map((kind) => [kind, new Map()]));
    for (const entry of found) {
      const group = groups.get(entry.kind);
      const place = Math.min(...asked.map((word) => rank(entry, word)));
      // A file is found by its name and by its path.
      const key = entry.kind === "SLS files" ? entry.address : `${entry.address} ${entry.label}`;
      if (!(group.get(key)?.place <= place)) group.set(key, { ...entry, place });
    }
    const results = [...groups]
      .map(([kind, group]) => [
        kind,
        [...group.values()].sort((one, other) => one.place - other.place || one.label.length - other.label.length),
      ])
      .filter(([, entries]) => entries.length);
    return { results, nothing: isWhole ? NOTHING : NOT_ALL };
  };

  /* The box. Its ids have dots, as those of headings never do. */

  const input = make("input", { type: "search", id: "search.box", placeholder: "Search the report", autocomplete: "off", spellcheck: false });
  const list = make("div", { id: "search.results", hidden: true });
  const said = make("p", { className: "unseen" });
  const box = make("div", { className: "search" }, input, make("kbd", { textContent: "/" }), list, said);
  box.setAttribute("role", "search");
  said.setAttribute("role", "status");
  list.setAttribute("role", "listbox");
  list.setAttribute("aria-label", "Results");
  for (const [name, value] of [["aria-label", input.placeholder], ["role", "combobox"], ["aria-autocomplete", "list"], ["aria-controls", list.id], ["aria-expanded", "false"]]) {
    input.setAttribute(name, value);
  }

  let options = [];
  let active = -1;
  const mark = (at) => {
    options[active]?.setAttribute("aria-selected", "false");
    active = at;
    const option = options[active];
    option?.setAttribute("aria-selected", "true");
    option?.scrollIntoView({ block: "nearest" });
    if (option) input.setAttribute("aria-activedescendant", option.id);
    else input.removeAttribute("aria-activedescendant");
  };
  const show = (open) => {
    list.hidden = !open;
    input.setAttribute("aria-expanded", String(open));
    if (!open) mark(-1);
  };

  const writeOption = ({ label, detail, address }) => {
    const option = make("a", { href: new URL(address, ROOT), id: `search.${options.length}`, tabIndex: -1 });
    option.append(make("span", { textContent: label }), make("small", { textContent: detail }));
    option.setAttribute("role", "option");
    option.setAttribute("aria-selected", "false");
    options.push(option);
    return option;
  };
  const writeGroup = (query) => ([kind, entries], at) => {
    const hasMore = entries.length > MOST;
    const head = make("p", { id: `search.kind.${at}`, textContent: hasMore ? `${kind}, the first ${MOST}` : kind });
    const shown = entries.slice(0, MOST);
    if (hasMore && LISTS[kind]) {
      const address = `${LISTS[kind]}?q=${encodeURIComponent(query)}`;
      shown.push({ label: `More in the list of ${kind.toLowerCase()}`, detail: "", address });
    }
    const group = make("div", {}, head, ...shown.map(writeOption));
    group.setAttribute("role", "group");
    group.setAttribute("aria-labelledby", head.id);
    return group;
  };

  let latest = 0;
  const search = async () => {
    latest += 1;
    const [own, query] = [latest, input.value];
    const failed = () => ({ results: [], nothing: "The index of the report cannot be read." });
    const { results, nothing } = await find(query).catch(failed);
    if (own !== latest) return; // another letter was typed meanwhile
    mark(-1);
    options = [];
    list.replaceChildren(...results.map(writeGroup(query)));
    if (!options.length) list.append(make("p", { className: "nothing", textContent: nothing }));
    said.textContent = !query.trim() ? "" : options.length ? `${options.length} results` : nothing;
    show(query.trim() !== "");
  };

  const move = (step) => {
    if (list.hidden) return show(options.length > 0);
    const stops = options.length + 1; // the box itself is one
    return mark(((active + 1 + step + stops) % stops) - 1);
  };

  input.addEventListener("input", search);
  input.addEventListener("focus", () => {
    readDirectory().catch(() => {}); // the first letter finds it there
    if (input.value) search();
  });
  input.addEventListener("keydown", (event) => {
    const filter = document.querySelector(".pillarbook input[data-filter]");
    if (event.key === "ArrowDown" || event.key === "ArrowUp") move(event.key === "ArrowDown" ? 1 : -1);
    else if (event.key === "Enter") (options[active] ?? options[0])?.click();
    else if (event.key === "Escape" && list.hidden) input.blur();
    else if (event.key === "Escape") show(false);
    else if (event.key === "/" && !input.value && filter) filter.focus();
    else return;
    event.preventDefault();
  });
  box.addEventListener("focusout", (event) => {
    if (!box.contains(event.relatedTarget)) show(false);
  });

  /* A slash goes to the box, and once more to the filter of the page. */
  document.addEventListener(
    "keydown",
    (event) => {
      if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.target.closest("input, textarea, select, [contenteditable]")) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      input.focus();
      input.select();
    },
    { capture: true },
  );

  document.querySelector("header.site")?.append(box);
}
