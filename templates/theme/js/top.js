/* In another theme: the heads of tables stick below its bar, whose links may take several lines. */
"use strict";
{
  const bar = document.querySelector(".navbar.fixed-top");
  const report = document.querySelector(".pillarbook");
  const follow = () => report.style.setProperty("--top", `${bar.getBoundingClientRect().height}px`);
  if (bar && report) new ResizeObserver(follow).observe(bar);
}
