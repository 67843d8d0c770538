/* Tables that can be sorted: the heads of their columns become buttons. */
"use strict";
{
  const collator = new Intl.Collator("en", { numeric: true });
  const NEXT = { none: "ascending", ascending: "descending", descending: "none" };

  const setUp = (table) => {
    const [body] = table.tBodies;
    if (!body || table.tBodies.length > 1 || !table.tHead) return;
    const heads = Array.from(table.tHead.rows[0].cells);
    const original = Array.from(body.rows);

    const keyOf = (cell) => {
      const text = cell?.dataset.v ?? cell?.textContent.trim() ?? "";
      return text !== "" && Number.isFinite(Number(text)) ? Number(text) : text;
    };
    const compare = (a, b) => {
      if (typeof a === "number" && typeof b === "number") return a - b;
      if (typeof a !== typeof b) return typeof a === "number" ? 1 : -1;
      return collator.compare(a, b);
    };
    const sort = (column, direction) => {
      if (direction === "none") return body.append(...original);
      const turn = direction === "ascending" ? 1 : -1;
      const keyed = original.map((row) => [keyOf(row.cells[column]), row]);
      keyed.sort(([a], [b]) => turn * compare(a, b));
      return body.append(...keyed.map(([, row]) => row));
    };

    heads.forEach((head, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "sort";
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener("click", () => {
        const direction = NEXT[head.getAttribute("aria-sort") ?? "none"];
        for (const other of heads) other.removeAttribute("aria-sort");
        if (direction !== "none") head.setAttribute("aria-sort", direction);
        sort(column, direction);
      });
    });
  };

  document.querySelectorAll(".pillarbook table[data-sort]").forEach(setUp);
}
