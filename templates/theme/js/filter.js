/* The filter box of a table: hides the rows that do not hold every word typed. */
"use strict";

function setUpFilter(input) {
  const table = document.getElementById(input.dataset.filter);
  const box = input.closest(".filter");
  const output = box.querySelector("output");
  const bodies = Array.from(table.tBodies, (body) => ({
    body,
    rows: Array.from(body.rows).filter((row) => !row.classList.contains("section")),
  }));
  let texts = null;

  function filter() {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    texts = texts || new Map(bodies.flatMap(({ rows }) => rows.map((row) => [row, row.textContent.toLowerCase()])));
    let shown = 0;
    for (const { body, rows } of bodies) {
      let here = 0;
      for (const row of rows) {
        const text = texts.get(row);
        const fits = words.every((word) => text.includes(word));
        if (row.hidden === fits) row.hidden = !fits;
        if (fits) here += 1;
      }
      body.hidden = here === 0;
      shown += here;
    }
    output.textContent = words.length ? `${shown} of ${texts.size}` : "";
  }

  input.addEventListener("input", filter);
  input.addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      input.value = "";
      filter();
    }
  });
  box.hidden = false;
  if (input.value) filter();
}

const inputs = document.querySelectorAll("[data-filter]");
inputs.forEach(setUpFilter);

/* A slash goes to the box, as in many places; a link to a key shows it whatever is filtered. */
document.addEventListener("keydown", (event) => {
  if (event.key === "/" && inputs.length && !event.target.closest("input")) {
    event.preventDefault();
    inputs[0].focus();
  }
});
window.addEventListener("hashchange", () => {
  for (const input of inputs) {
    if (input.value) {
      input.value = "";
      input.dispatchEvent(new Event("input"));
    }
  }
  document.querySelector(":target")?.scrollIntoView();
});
