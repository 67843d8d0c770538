/* What the rows of a pillar say, read from the page and written as YAML or JSON.

   A value is {text}, {plain} (what YAML and JSON write bare, or tagged JSON), {secret} or, of several
   rows, {map} or {list}. A key is a text, or tagged JSON where it is none. */
"use strict";
globalThis.pillarbookValues = (() => {
  // What YAML takes for a line break or does not take at all.
  const ODD = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
  const hasOdd = (text) => text.search(ODD) >= 0;
  const quote = (text) =>
    JSON.stringify(text).replace(ODD, (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, "0")}`);

  /* Reading */

  const readValue = (cell) => {
    // A short text is bare, and what is no text in an element of its own.
    const shown = cell.querySelector(":scope > :not(wbr)") ?? cell;
    const text = shown.textContent;
    if (shown.matches(".secret")) {
      const token = shown.querySelector("code").textContent;
      return { secret: { redacted: text.slice(0, -token.length).replace(/^redacted: /, "").trimEnd(), token } };
    }
    if (shown.matches("pre")) return { text, bare: false };
    const quoted = text.startsWith('"');
    if (shown.matches(".other, i") && !quoted) return { plain: text };
    return quoted ? { text: JSON.parse(text), bare: false } : { text, bare: true };
  };

  /* The keys of a row; null where one of them is nothing that a script can hold. */
  const readPath = (row) => {
    const { p } = row.dataset;
    if (p === undefined) return row.id.slice(2).split(".").map(decodeURIComponent);
    return p === "" ? null : JSON.parse(p);
  };
  const readPositions = (row, length) => {
    if (row.dataset.n !== undefined) return new Set(row.dataset.n.split(" ").map(Number));
    return new Set(row.cells[0].querySelector("b > i") ? [length - 1] : []);
  };

  /* All rows of a section as one value, with the section's key on top; null where a key stands in the way. */
  const readSection = (rows) => {
    const top = { map: [], known: new Map() };
    for (const row of rows) {
      const path = readPath(row);
      if (!path) return null;
      const positions = readPositions(row, path.length);
      let at = top;
      path.forEach((key, place) => {
        const last = place === path.length - 1;
        const known = JSON.stringify(key);
        let below = at.known.get(known);
        if (!below) {
          const isList = positions.has(place + 1);
          below = last ? readValue(row.cells[1]) : { [isList ? "list" : "map"]: [], known: new Map() };
          at.known.set(known, below);
          if (at.list) at.list.push(below);
          else at.map.push([key, below]);
        }
        at = below;
      });
    }
    return top;
  };

  /* JSON, in the form that pillarbook writes */

  const NUMBERS = { ".inf": "Infinity", "-.inf": "-Infinity", ".nan": "NaN" };

  const block = (open, items, close, indent) =>
    `${open}\n${items.map((item) => `${indent}  ${item}`).join(",\n")}\n${indent}${close}`;

  const toJson = (value, indent = "") => {
    if (value.secret) return JSON.stringify(value.secret);
    if (value.text !== undefined) return JSON.stringify(value.text);
    if (value.plain !== undefined) return NUMBERS[value.plain] ?? value.plain;
    const below = `${indent}  `;
    if (value.list) return block("[", value.list.map((item) => toJson(item, below)), "]", indent);
    if (value.map.every(([key]) => typeof key === "string" && !key.startsWith("$")))
      return block("{", value.map.map(([key, item]) => `${JSON.stringify(key)}: ${toJson(item, below)}`), "}", indent);
    const pairs = value.map.map(([key, item]) => `[${JSON.stringify(key)}, ${toJson(item, `${below}  `)}]`);
    return block('{"$map": [', pairs, "]}", indent);
  };

  /* YAML 1.1, as PyYAML reads it */

  const WORDS = /^(?:y|n|yes|no|on|off|true|false|null)$/i;

  const tagged = (plain) => {
    const [[tag, body]] = Object.entries(JSON.parse(plain));
    if (tag === "$date" || tag === "$datetime") return body;
    if (tag === "$bytes") return `!!binary ${quote(body)}`;
    if (tag === "$set" && body.every((item) => item === null || typeof item !== "object"))
      return `!!set {${body.map((item) => `? ${JSON.stringify(item)}`).join(", ")}}`;
    return quote(plain);
  };
  const writePlain = (plain) => {
    if (plain.startsWith('{"')) return tagged(plain);
    // PyYAML takes 1e+16 for text: it wants a dot.
    return plain.replace(/^(-?\d+)e/, "$1.0e");
  };
  const writeKey = (key) => {
    if (typeof key === "string") return /^[A-Za-z_/][\w./@-]*$/.test(key) && !WORDS.test(key) ? key : quote(key);
    return key !== null && typeof key === "object" ? tagged(JSON.stringify(key)) : JSON.stringify(key);
  };
  const isBare = ({ text, bare }) => bare && !/: |:$| #|\t|^---|^\.\.\./.test(text) && !hasOdd(text);
  const isLiteral = (text) => /^[^\s][^]*\n/.test(text) && !hasOdd(text) && !/^(?:---|\.\.\.)(?:\s|$)/m.test(text);

  const writeText = (value) => {
    const { text } = value;
    if (isBare(value)) return [text];
    if (!isLiteral(text)) return [quote(text)];
    const lines = text.replace(/\n$/, "").split("\n");
    const keep = text.endsWith("\n\n") ? "+" : text.endsWith("\n") ? "" : "-";
    return [`|${keep}`, ...lines.map((line) => line && `  ${line}`)];
  };
  const indented = (lines) => lines.map((line) => line && `  ${line}`);

  const writeEntry = ([key, item]) => {
    const name = writeKey(key);
    const lines = writeLines(item);
    // Longer keys are none to YAML, unless they say that they are.
    const head = name.length > 1000 ? [`? ${name}`, ":"] : [`${name}:`];
    if (item.map || item.list) return [...head, ...indented(lines)];
    head[head.length - 1] += ` ${lines[0]}`;
    return [...head, ...lines.slice(1)];
  };
  const writeLines = (value) => {
    if (value.secret) return [`{redacted: ${quote(value.secret.redacted)}, token: ${quote(value.secret.token)}}`];
    if (value.text !== undefined) return writeText(value);
    if (value.plain !== undefined) return [writePlain(value.plain)];
    if (value.map) return value.map.flatMap(writeEntry);
    return value.list.flatMap((item) => {
      const [first, ...others] = writeLines(item);
      return [`- ${first}`, ...indented(others)];
    });
  };
  const toYaml = (value) => `${writeLines(value).join("\n")}\n`;

  return { readPath, readPositions, readSection, readValue, toJson, toYaml };
})();
