/* Lists take one row until somebody opens them: lists of a pillar, and lists in the arguments of a state.

   Members of a closed list are hidden "until found": the browser's own search opens them, and so does a link to one.
   While somebody filters, all members are rows as any others. */
"use strict";
globalThis.pillarbookLists = (() => {
  const { readPath, readPositions } = globalThis.pillarbookValues;

  const make = (name, properties = {}) => Object.assign(document.createElement(name), properties);
  // Characters of its values that the row of a list shows.
  const MOST = 160;
  const MOST_KEYS = 3;

  const lists = [];
  const members = new Map();

  /* A member is hidden by the filter, or until found, or not at all. */
  const apply = (item) => {
    const { list, fits } = members.get(item);
    if (!fits) item.setAttribute("hidden", "");
    else if (list.isClosed && !list.isSearched) item.setAttribute("hidden", "until-found");
    else item.removeAttribute("hidden");
  };
  const close = (list, isClosed) => {
    list.isClosed = isClosed;
    const words = isClosed ? `Show ${list.items.length.toLocaleString("en")} rows` : "Show less";
    list.button.textContent = words;
    list.button.setAttribute("aria-label", `${words} of ${list.name}`);
    list.button.setAttribute("aria-expanded", String(!isClosed));
    list.items.forEach(apply);
  };
  const open = (item) => {
    const list = members.get(item)?.list;
    if (!list?.isClosed) return false;
    close(list, false);
    return true;
  };

  const join = (texts) => {
    const all = texts.join(", ");
    if (all.length <= MOST) return all;
    const first = all.slice(0, MOST);
    const end = first.lastIndexOf(", ");
    return `${end < 0 ? first : first.slice(0, end + 2)}…`;
  };
  const fold = (items, head, place, name) => {
    const button = make("button", { type: "button", className: "unfold" });
    const list = { items, name, head, button, isClosed: false, isSearched: false };
    for (const item of items) members.set(item, { list, fits: true });
    button.addEventListener("click", () => close(list, !list.isClosed));
    place.append(" ", button);
    head.classList.add("list");
    items[0].before(head);
    lists.push(list);
    close(list, !items.some((item) => item.matches(":target")));
  };

  /* The rows of a pillar */

  // A row whose key is no link is beside the one before: its page is the same up to the last key of its id.
  const linkKeys = (body) => {
    let page = "";
    for (const { id, cells } of body.querySelectorAll("tr[id]:not(.section)")) {
      const key = cells[0].lastElementChild;
      if (key.localName === "a") page = key.getAttribute("href");
      else {
        page = page.slice(0, page.lastIndexOf(".") + 1) + (key.firstElementChild ? "*" : id.slice(id.lastIndexOf(".") + 1));
        const link = make("a", { href: page });
        key.before(link);
        link.append(key);
      }
    }
  };

  // The outermost list that a row is in; nothing where its path is not shown as it is.
  const outermost = (row) => {
    const path = readPath(row);
    const position = path ? Math.min(...readPositions(row, path.length)) : Infinity;
    if (position === Infinity || position === 0) return null;
    const keys = path.slice(0, position);
    const name = keys.join(":");
    if (!row.cells[0].textContent.startsWith(`${name}:`)) return null;
    return { id: JSON.stringify(keys), name, last: String(keys.at(-1)), path, position };
  };
  const describeValues = (rows, found) => {
    const [{ path, position }] = found;
    if (found.every((one) => one.path.length === position + 1)) return join(rows.map((row) => row.cells[1].textContent));
    // Of mappings what each has under the first key.
    const below = JSON.stringify(path.slice(position + 1));
    const same = rows.filter((_, at) => JSON.stringify(found[at].path.slice(position + 1)) === below);
    return `${path.slice(position + 1).join(":")}: ${join(same.map((row) => row.cells[1].textContent))}`;
  };
  const describeSources = (cell, rows) => {
    const sources = rows.map(({ cells }) => Array.from(cells[2].childNodes).filter((node) => node.localName !== "ol"));
    const texts = [...new Set(sources.map((nodes) => nodes.map(({ textContent }) => textContent).join("").trim()))];
    cell.append(...sources[0].map((node) => node.cloneNode(true)));
    if (texts.length > 1 && texts.every((text) => text.startsWith(":"))) cell.append(make("small", { textContent: ` to ${texts.at(-1)}` }));
    else if (texts.length > 1) cell.append(make("small", { textContent: " and other lines" }));
    if (rows.some((row) => row.cells[2].querySelector("ol"))) {
      const overrides = make("ol");
      const item = make("li");
      item.append(make("small", { textContent: "overrides other values" }));
      overrides.append(item);
      cell.append(overrides);
    }
  };
  const foldRows = (rows, found) => {
    const [{ name, last, position, path }] = found;
    const head = make("tr");
    const [key, value, source] = [make("th"), make("td"), make("td")];
    const link = path.length === position + 1 ? rows[0].cells[0].querySelector("a")?.cloneNode(false) : null;
    const shown = link ?? make("span");
    shown.append(make("b", { textContent: last }));
    key.append(name.slice(0, name.length - last.length), shown);
    value.append(make("span", { textContent: describeValues(rows, found) }));
    describeSources(source, rows);
    head.append(key, value, source);
    fold(rows, head, value, name);
  };
  const foldBody = (body) => {
    let rows = [];
    let found = [];
    const end = () => {
      if (rows.length > 1) foldRows(rows, found);
      [rows, found] = [[], []];
    };
    for (const row of Array.from(body.rows)) {
      const one = row.classList.contains("section") ? null : outermost(row);
      if (one?.id !== found[0]?.id) end();
      if (!one) continue;
      rows.push(row);
      found.push(one);
    }
    end();
  };

  /* The arguments of a state */

  const foldArguments = (box) => {
    let items = [];
    const nameOf = (item) => {
      const path = item.querySelector(":scope > span");
      const position = path?.querySelector("b > i");
      return position ? path.textContent.slice(0, -position.textContent.length - 1) : null;
    };
    // The keys that the members come from; members of one list as this list.
    const describeKeys = (head, members) => {
      const keys = new Map();
      for (const link of members.flatMap((item) => [...item.querySelectorAll(":scope > .from > a")])) {
        const key = link.textContent.replace(/:\d+$/, "");
        if (!keys.has(key)) keys.set(key, Object.assign(link.cloneNode(false), { textContent: key }));
      }
      if (!keys.size || keys.size > MOST_KEYS) return;
      const from = make("div", { className: "from" });
      from.append("from ", ...[...keys.values()].flatMap((link, at) => (at ? [", ", link] : [link])));
      head.append(from);
    };
    const end = () => {
      const name = items.length > 1 ? nameOf(items[0]) : null;
      if (name !== null) {
        const head = make("li");
        const path = make("span");
        path.append(make("b", { textContent: name }));
        head.append(path, " ", make("code", { textContent: join(items.map((item) => item.children[1].textContent)) }));
        fold(items, head, head, name);
        describeKeys(head, items);
      }
      items = [];
    };
    for (const item of Array.from(box.children)) {
      if (items.length && nameOf(item) !== nameOf(items[0])) end();
      items.push(item);
    }
    end();
  };

  for (const table of document.querySelectorAll(".pillarbook #pillar-table")) {
    for (const body of table.tBodies) {
      linkKeys(body);
      foldBody(body);
    }
    table.addEventListener("beforematch", (event) => open(event.target));
  }
  for (const table of document.querySelectorAll(".pillarbook .states")) {
    for (const box of table.querySelectorAll("tbody td:nth-child(2) > ul")) foldArguments(box);
    table.addEventListener("beforematch", (event) => open(event.target));
  }

  return {
    /* Open the list of a member; says whether it was closed. */
    open,
    /* Show a row, or not, because of what is filtered. */
    show: (row, fits) => {
      const member = members.get(row);
      if (!member) row.hidden = !fits;
      else {
        member.fits = fits;
        apply(row);
      }
    },
    /* Show members as rows of their own, for the time of a search. */
    search: (table, isSearched) => {
      for (const list of lists) {
        if (list.isSearched === isSearched || !table.contains(list.head)) continue;
        list.isSearched = isSearched;
        list.head.hidden = isSearched;
        list.items.forEach(apply);
      }
    },
  };
})();
