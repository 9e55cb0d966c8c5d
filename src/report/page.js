"use strict";
// The page works without this: links and a form are all that it needs. Here are the keys, answers that take
// longer than the page waits for, and a file that was changed.
(() => {
  const page = () => document.querySelector("main");

  // What is still being worked out comes as the same page once more.
  const later = async () => {
    if (!page() || !page().dataset.wait) return;
    let text;
    try {
      text = await (await fetch(page().dataset.wait)).text();
    } catch {
      return;
    }
    const next = new DOMParser().parseFromString(text, "text/html").querySelector("main");
    if (!next) return;
    const again = next.dataset.wait;
    const focus = document.activeElement && document.activeElement.getAttribute("href");
    page().replaceWith(document.adoptNode(next));
    if (focus) {
      const same = [...document.querySelectorAll("main a")].find((a) => a.getAttribute("href") === focus);
      if (same) same.focus();
    }
    if (again) setTimeout(later, 300);
  };
  later();

  // The middle of what is wider than the page: a graph begins there.
  for (const figure of document.querySelectorAll(".figure")) {
    figure.scrollLeft = (figure.scrollWidth - figure.clientWidth) / 2;
  }

  const links = () => [...document.querySelectorAll(".moves a")];
  let typed = "";
  let timer = 0;
  const go = () => {
    const link = links().find((a) => a.dataset.number === typed);
    typed = "";
    if (link) link.click();
  };
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input")) return;
    const all = links();
    const at = all.indexOf(document.activeElement);
    if (event.key === "ArrowDown" || event.key === "j") {
      if (all.length) all[Math.min(at + 1, all.length - 1)].focus();
    } else if (event.key === "ArrowUp" || event.key === "k") {
      if (all.length) all[Math.max(at - 1, 0)].focus();
    } else if (event.key === "u" || event.key === "Backspace") {
      const before = document.querySelector("a[rel=prev]");
      if (before) before.click();
    } else if (event.key === "b") {
      const best = document.querySelector(".moves .best a");
      if (best) best.click();
    } else if (event.key === "s" || event.key === "Home") {
      const start = document.querySelector("header > a");
      if (start) start.click();
    } else if (event.key === "/") {
      document.querySelector("header input").focus();
    } else if (/^[0-9]$/.test(event.key)) {
      // Another digit may follow where there are as many moves.
      typed += event.key;
      clearTimeout(timer);
      const longer = all.some((a) => a.dataset.number !== typed && a.dataset.number.startsWith(typed));
      if (longer) timer = setTimeout(go, 700);
      else go();
    } else {
      return;
    }
    event.preventDefault();
  });

  // The page follows the file.
  const version = document.body.dataset.version;
  const look = async () => {
    try {
      const now = await (await fetch("/version")).text();
      if (now && now !== version) return location.reload();
    } catch {
      // The program has ended.
      document.body.dataset.ended = "";
    }
    setTimeout(look, 1000);
  };
  if (version) setTimeout(look, 1000);
})();
