/* The colours of the page: the system's, or those that the reader chose. Stands in the head, so that
   the choice is made before anything is painted. */
"use strict";
{
  const STORED = "pillarbook-scheme";
  const CHOICES = [
    ["system", "M2 3h12v8H2zM5.500 14h5M8 11v3"],
    ["light", "M8 5a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM8 1v1.500M8 13.500V15M1 8h1.500M13.500 8H15M3 3l1.100 1.100M11.900 11.900 13 13M3 13l1.100-1.100M11.900 4.100 13 3"],
    ["dark", "M13.500 9.500A6 6 0 1 1 6.500 2.500a5 5 0 0 0 7 7z"],
  ];
  const root = document.documentElement;

  // A browser may forbid storage; the choice then lasts as long as the page.
  const read = () => {
    try {
      return localStorage.getItem(STORED);
    } catch {
      return null;
    }
  };
  const write = (choice) => {
    try {
      localStorage.setItem(STORED, choice);
    } catch {
      /* see above */
    }
  };
  const apply = (choice) => {
    if (choice === "light" || choice === "dark") root.dataset.scheme = choice;
    else delete root.dataset.scheme;
  };

  const draw = (path) => {
    const make = (name) => document.createElementNS("http://www.w3.org/2000/svg", name);
    const [svg, line] = [make("svg"), make("path")];
    svg.setAttribute("viewBox", "0 0 16 16");
    svg.setAttribute("aria-hidden", "true");
    line.setAttribute("d", path);
    svg.append(line);
    return svg;
  };

  const addSwitch = () => {
    const header = document.querySelector("header.site");
    if (!header) return;
    const group = document.createElement("div");
    group.className = "scheme";
    group.setAttribute("role", "group");
    group.setAttribute("aria-label", "Colours");
    const buttons = CHOICES.map(([choice, path]) => {
      const button = document.createElement("button");
      button.type = "button";
      button.title = `Colours: ${choice}`;
      button.setAttribute("aria-label", button.title);
      button.append(draw(path));
      button.addEventListener("click", () => {
        write(choice);
        apply(choice);
        mark();
      });
      return button;
    });
    const mark = () => {
      const chosen = root.dataset.scheme ?? "system";
      buttons.forEach((button, at) => button.setAttribute("aria-pressed", String(CHOICES[at][0] === chosen)));
    };
    mark();
    group.append(...buttons);
    header.append(group);
    // Another tab of the same report chose.
    addEventListener("storage", (event) => {
      if (event.key !== STORED) return;
      apply(event.newValue);
      mark();
    });
  };

  apply(read());
  document.addEventListener("DOMContentLoaded", addSwitch);
}
