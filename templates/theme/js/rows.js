/* What can be done with the rows of a pillar: link to one, copy the link, the path, the value; unfold a long text. */
"use strict";
{
  const { readPath, readSection, readValue, toJson, toYaml } = globalThis.pillarbookValues;

  const make = (name, properties) => Object.assign(document.createElement(name), properties);

  /* Long texts */

  const unfold = (text) => {
    const { textContent } = text;
    const lines = textContent.trimEnd().split("\n").length;
    const size = lines > 1 ? `${lines.toLocaleString("en")} lines` : `${textContent.length.toLocaleString("en")} characters`;
    const button = make("button", { type: "button", className: "unfold" });
    const fold = (folded) => {
      text.classList.toggle("folded", folded);
      button.textContent = folded ? `Show all ${size}` : "Show less";
      button.setAttribute("aria-expanded", String(!folded));
    };
    button.addEventListener("click", () => fold(!text.classList.contains("folded")));
    text.removeAttribute("tabindex");
    text.after(button);
    fold(true);
  };

  /* The clipboard; a page from disk may have none, and then an old way serves. */

  const copyOldWay = (text) => {
    const area = make("textarea", { value: text, className: "pillarbook-copied" });
    const focused = document.activeElement;
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    focused?.focus();
    return done;
  };
  const copy = async (text) => {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      return copyOldWay(text);
    }
  };

  /* What was done, for the eye and for a screen reader */

  const said = make("p", { className: "pillarbook-said" });
  said.setAttribute("role", "status");
  let silence = 0;
  const say = (words) => {
    said.textContent = words;
    clearTimeout(silence);
    silence = setTimeout(() => (said.textContent = ""), 2500);
  };

  /* The actions: one set of buttons, which goes to the row that is pointed at */

  const isSection = (row) => row.classList.contains("section");
  const rowsOf = (row) => (isSection(row) ? Array.from(row.parentElement.rows).slice(1).filter((one) => !one.matches(".list")) : [row]);
  const nameOf = ({ cells: [head] }) =>
    Array.from(head.childNodes, (part) => (part === bar || part.matches?.("small") ? "" : part.textContent)).join("").trim();
  const write = (row, writer) => writer(isSection(row) ? readSection(rowsOf(row)) : readValue(row.cells[1]));

  const ACTIONS = [
    ["link", (row) => `${location.href.replace(/#.*$/, "")}#${row.id}`],
    ["path", (row) => (readPath(row) ?? [nameOf(row)]).map((key) => (typeof key === "string" ? key : JSON.stringify(key))).join(":")],
    // A value of one line goes into the middle of something: a line break behind it would be in the way.
    ["YAML", (row) => write(row, toYaml).replace(/^(.*)\n$/, "$1")],
    ["JSON", (row) => write(row, toJson)],
  ];
  const WRITERS = 2;

  const bar = make("span", { className: "actions" });
  bar.setAttribute("role", "group");
  const buttons = ACTIONS.map(([name, text]) => {
    const button = make("button", { type: "button", textContent: name });
    button.addEventListener("click", async () => {
      const row = button.closest("tr");
      const done = await copy(text(row));
      say(done ? `Copied the ${name} of ${nameOf(row)}` : "The browser does not let this page copy");
    });
    return button;
  });
  bar.append(...buttons);

  const goTo = (row) => {
    if (!row?.id.startsWith("k-") || bar.parentElement === row.cells[0]) return;
    const name = nameOf(row);
    bar.setAttribute("aria-label", `Copy ${name}`);
    buttons.forEach((button, at) => button.setAttribute("aria-label", `Copy ${ACTIONS[at][0]} of ${name}`));
    // A single value can always be written; a section needs all of its keys.
    const rows = rowsOf(row);
    const writable = !isSection(row) || (rows.length && rows.every(readPath));
    for (const button of buttons.slice(-WRITERS)) button.hidden = !writable;
    row.cells[0].append(bar);
  };

  /* A section that many minions share is on a page of its own: its row leads to the key that was asked for. */
  const showSection = () => {
    const id = location.hash.slice(1);
    const [top] = id.split(".");
    const link = document.getElementById(`${top}.*`);
    if (!link || document.getElementById(id)) return;
    link.hash = id;
    location.replace(`#${top}`);
  };

  const addLink = (head, id) => {
    const link = make("a", { href: `#${id}` });
    link.append(...head.childNodes);
    head.append(link);
  };

  const setUp = (table) => {
    table.addEventListener("pointerover", (event) => {
      if (event.pointerType === "mouse") goTo(event.target.closest("tr"));
    });
    table.addEventListener("focusin", (event) => goTo(event.target.closest("tr")));
    const goToTarget = () => {
      const row = table.querySelector(":target");
      if (row) goTo(row.closest("tr"));
    };
    addEventListener("hashchange", goToTarget);
    goToTarget();
    addEventListener("hashchange", showSection);
    showSection();
  };

  /* What differs in other environments: each key links to its row of the pillar. In a narrow place the rows become
     cards, where each value says of which environment it is. */
  const setUpDifferences = (table) => {
    const pillar = document.querySelectorAll("#pillar-table tr[id]:not(.section)");
    const rows = new Map(Array.from(pillar, (row) => [row.cells[0].textContent, row]));
    const names = Array.from(table.tHead.rows[0].cells, (cell) => cell.firstChild.data.trim());
    for (const row of table.tBodies[0].rows) {
      const [head, ...cells] = row.cells;
      const target = rows.get(head.textContent);
      if (target) addLink(head, target.id);
      for (const cell of cells) cell.dataset.l = names[cell.cellIndex];
    }
    table.classList.add("stack");
  };

  document.querySelectorAll(".pillarbook .differences").forEach(setUpDifferences);
  document.querySelectorAll(".pillarbook .long").forEach(unfold);
  const tables = document.querySelectorAll("#pillar-table");
  tables.forEach(setUp);
  if (tables.length) document.body.append(said);
}
