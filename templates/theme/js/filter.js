/* The filter box of a table: hides the rows that do not hold every word typed. */
"use strict";
{
  const lists = globalThis.pillarbookLists;
  const inputs = Array.from(document.querySelectorAll(".pillarbook input[data-filter]"));

  const wordsOf = (text) => text.toLowerCase().split(/\s+/).filter(Boolean);

  /* Minions on the other pages of a split list, from the script that the last page wrote beside them. */
  const findElsewhere = (table) => {
    const box = document.querySelector("#elsewhere");
    if (box?.dataset.table !== table.id) return () => 0;
    const [said, list] = [box.querySelector("p"), box.querySelector("ul")];
    const page = Number(box.dataset.page);
    const MOST = 50;
    let entries = null;
    const read = ({ rows, words, minions }) =>
      minions
        .map(([id, slug, outcome, pillarenv, values, overridden, secrets, diagnostics, unknown, ...tags]) => ({
          id,
          slug: slug || id,
          text: [id, `outcome:${words[outcome]}`, words[pillarenv], unknown ? "unknown:" : "", ...tags.map((tag) => words[tag])]
            .join(" ")
            .toLowerCase(),
        }))
        .filter((_, at) => Math.floor(at / rows) !== page);
    const show = (entry) => {
      const [item, link] = [document.createElement("li"), document.createElement("a")];
      link.href = `${encodeURIComponent(entry.slug)}.html`;
      link.textContent = entry.id;
      item.append(link);
      return item;
    };
    return (wanted) => {
      if (!entries && globalThis.pillarbookMinions) entries = read(globalThis.pillarbookMinions);
      const found = wanted.length && entries ? entries.filter(({ text }) => wanted.every((word) => text.includes(word))) : [];
      box.hidden = found.length === 0;
      said.textContent =
        found.length > MOST ? `${found.length.toLocaleString("en")} minions, the first ${MOST} of them:` : "";
      list.replaceChildren(...found.slice(0, MOST).map(show));
      return found.length;
    };
  };

  /* A row that names a line only means the file that the head of its section names: the filter and screen readers
     get it with the line, and the line leads where the file does. */
  const unseen = (text) => Object.assign(document.createElement("span"), { className: "unseen", textContent: text });
  const nameFile = (body, { children: [file, sls] }) => {
    const page = file.getAttribute("href");
    for (const { lastElementChild: cell } of body.rows) {
      const line = cell.firstChild;
      if (line?.nodeType !== Node.TEXT_NODE || !line.data.startsWith(":")) continue;
      line.before(unseen(file.textContent));
      if (sls) line.after(unseen(` ${sls.textContent}`));
      if (!page) continue;
      const [place, number] = line.data.match(/^:(\d+)/);
      line.data = line.data.slice(place.length); // more may follow: to which line
      line.before(Object.assign(document.createElement("a"), { href: `${page}#L${number}`, textContent: place }));
    }
  };

  /* Rows that name a group of minions: a word may be said of one of these, by id or grain. Who is in a group lies in
     scripts beside the page, loaded when somebody filters: it grows with the fleet, and the page must not. */
  const findMembers = (table, again) => {
    const addresses = table.dataset.minions?.split(" ") ?? [];
    let asked = false;
    let texts = null;
    let places = null;
    const read = () => {
      const { words, minions } = globalThis.pillarbookMinions;
      texts = minions.map(([id, , , pillarenv, , , , , , ...tags]) =>
        [id, words[pillarenv], ...tags.map((tag) => words[tag])].join(" ").toLowerCase(),
      );
      places = new Map(minions.map(([id], place) => [id, place]));
      again();
    };
    const load = () => {
      asked = true;
      let left = addresses.length;
      for (const src of addresses) {
        const script = Object.assign(document.createElement("script"), { src });
        script.addEventListener("load", () => {
          left -= 1;
          if (left === 0) read();
        });
        document.head.append(script);
      }
    };
    // How many minions before each place have all the words; most rows lack the same words.
    const counted = { key: null, sums: null };
    const count = (words) => {
      const key = words.join(" ");
      if (counted.key !== key) {
        const sums = new Uint32Array(texts.length + 1);
        texts.forEach((text, at) => {
          sums[at + 1] = sums[at] + (words.every((word) => text.includes(word)) ? 1 : 0);
        });
        Object.assign(counted, { key, sums });
      }
      return counted.sums;
    };
    const runsOf = (row) => {
      const links = Array.from(row.lastElementChild.querySelectorAll("a"));
      const group = links[0]?.getAttribute("href").match(/^#group-(\d+)$/);
      if (group) return globalThis.pillarbookGroups[group[1] - 1];
      return links.map(({ textContent }) => places.get(textContent)).flatMap((place) => [place, place]);
    };
    return (row, words) => {
      if (!addresses.length) return false;
      if (!asked) load();
      if (!texts) return false;
      const sums = count(words);
      const runs = runsOf(row);
      return runs.some((first, at) => at % 2 === 0 && sums[runs[at + 1] + 1] > sums[first]);
    };
  };

  /* Who comes back to the page finds what was typed, not what a link to the page asked for. */
  const remember = () => history.replaceState({ ...history.state, filters: inputs.map(({ value }) => value) }, "");

  const setUp = (input) => {
    const table = document.getElementById(input.dataset.filter);
    const box = input.closest(".filter");
    const output = box.querySelector("output");
    // Texts are read before other scripts put buttons into the rows.
    const textOf = (row) => row?.textContent.toLowerCase() ?? "";
    const bodies = Array.from(table.tBodies, (body) => {
      // What the head of a section says may be said of each of its rows.
      const section = body.querySelector("tr.section");
      const head = section?.matches("[data-counts]") ? textOf(section) : "";
      if (section?.cells[1]) nameFile(body, section.cells[1]);
      const rows = Array.from(body.rows)
        .filter((row) => !row.matches(".section, .list"))
        .map((row) => ({ row, text: `${textOf(row)} ${head}`, fits: true }));
      return { body, rows, fits: true };
    });
    const count = bodies.reduce((sum, { rows }) => sum + rows.length, 0);
    const elsewhere = findElsewhere(table);
    const isMember = findMembers(table, () => filter());

    // While one types, only the rows in sight are laid out; else all are, so that links to rows come out right.
    const layOut = (inSightOnly) => table.classList.toggle("filtered", inSightOnly);

    // Sections are hidden and shown as a whole where they can: that is one change and not one a row.
    const filter = () => {
      const words = wordsOf(input.value);
      const paths = words.map((word) => word.replaceAll(".", ":"));
      layOut(words.length > 0 || document.activeElement === input);
      lists.search(table, words.length > 0);
      let shown = 0;
      for (const part of bodies) {
        let here = 0;
        const changes = [];
        for (const entry of part.rows) {
          const others = words.filter((word, at) => !entry.text.includes(word) && !entry.text.includes(paths[at]));
          const fits = others.length === 0 || isMember(entry.row, others);
          if (fits) here += 1;
          if (fits !== entry.fits) changes.push([entry, fits]);
        }
        const fits = here > 0 || (words.length === 0 && part.rows.length === 0);
        if (fits !== part.fits) {
          part.body.hidden = !fits;
          part.fits = fits;
        }
        if (fits) {
          for (const [entry, now] of changes) {
            lists.show(entry.row, now);
            entry.fits = now;
          }
        }
        shown += here;
      }
      const further = elsewhere(words);
      output.textContent = words.length
        ? `${shown} of ${count}${further ? `, ${further.toLocaleString("en")} on other pages` : ""}`
        : "";
    };

    const clear = () => {
      input.value = "";
      remember();
      filter();
    };
    const showAll = () => {
      clear();
      layOut(false);
    };
    input.addEventListener("input", filter);
    input.addEventListener("change", remember);
    input.addEventListener("focus", () => layOut(true));
    input.addEventListener("blur", () => layOut(wordsOf(input.value).length > 0));
    input.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      if (input.value) clear();
      else input.blur();
    });
    box.hidden = false;
    return { table, filter, showAll };
  };

  const filters = inputs.map(setUp);

  // The targets of a minion have no filter box; they name their file in the head of the section, too.
  for (const head of document.querySelectorAll(".pillarbook table.targets tr.section > th")) {
    nameFile(head.closest("tbody"), head);
  }

  /* ?q= presets the first box of a page. */
  const preset = () => {
    const asked = [new URLSearchParams(location.search).get("q")];
    const texts = history.state?.filters ?? asked;
    inputs.forEach((input, at) => (input.value = texts[at] ?? input.value));
    filters.forEach(({ filter }, at) => inputs[at].value && filter());
  };
  preset();
  // The minions of other pages come with a script that is run later; a page from the history has its old texts.
  addEventListener("pageshow", () => filters.forEach(({ filter }, at) => inputs[at].value && filter()));

  /* A link to a row shows the row, whatever is filtered and closed. */
  const showTarget = () => {
    const row = document.querySelector(".pillarbook :target");
    if (!row) return;
    const isOpened = lists.open(row);
    if (row.getClientRects().length && !isOpened) return;
    filters.find(({ table }) => table.contains(row))?.showAll();
    row.scrollIntoView();
  };
  addEventListener("hashchange", showTarget);
  showTarget();
  // Lists above it take less room than when the browser went there.
  if (document.querySelector(".pillarbook .list")) document.querySelector(".pillarbook :target")?.scrollIntoView();

  /* A slash goes to the box, as in many places. */
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || !inputs.length) return;
    if (event.target.closest("input, textarea, select, [contenteditable]")) return;
    event.preventDefault();
    inputs[0].focus();
    inputs[0].select();
  });
}
