/* Lets long names break after . : / - _ @ | and not within a word: ids, keys, files and addresses.

   Pages could have these marks themselves, but would be a fifth larger. Without script, names break anywhere. */
"use strict";
{
  const SHORT = 10;
  // A line number stays with its file, and times, versions and addresses are in one piece.
  const PLACES = /(?<=[^\s.:/_@|-][.:/_@|-]+)(?<!\d[.:-](?=\d))(?=[^\s.:/_@|-])(?!\d+$)/;

  const soften = (text) => {
    const parts = text.data.split(PLACES);
    if (parts.length === 1) return;
    text.replaceWith(...parts.flatMap((part, at) => (at ? [document.createElement("wbr"), part] : [part])));
  };

  for (const place of document.querySelectorAll(".pillarbook, .pillarbook-frame main")) {
    const walk = document.createTreeWalker(place, NodeFilter.SHOW_TEXT);
    const texts = [];
    while (walk.nextNode()) if (walk.currentNode.data.length > SHORT) texts.push(walk.currentNode);
    // Texts of several lines are shown as they are.
    for (const text of texts) if (!text.parentElement.closest("pre, script, .unseen, svg")) soften(text);
  }
}
