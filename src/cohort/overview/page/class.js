
"use strict";
// The page can be read without any of this: it sorts and filters the table, and opens each answer in its place there.
(function () {
  const table = document.getElementById("class");
  const body = table.tBodies[0];
  const rows = Array.from(body.rows);
  const words = rows.map(function (row) { return row.textContent.toLowerCase(); });
  const heads = Array.from(table.tHead.rows[0].cells);
  // A browser lays out a few hundred rows at once, not ten thousand.
  const AT_ONCE = 300;
  let order = rows;
  let room = AT_ONCE;
  document.documentElement.classList.add("js");

  // A phone shows a row as a block, where each number needs its name; only the words, so that no class is in two places.
  heads.forEach(function (head, at) {
    if (head.dataset.sort === "number") {
      rows.forEach(function (row) { row.cells[at].dataset.name = head.textContent; });
    }
  });

  // ---- An answer in its place -------------------------------------------------------------------------------------

  const openRows = new Map();

  function linkOf(row) {
    const link = row.cells[0].querySelector("a[href^='#']");
    return link && document.getElementById(link.hash.slice(1)) ? link : null;
  }

  function close(row) {
    const open = openRows.get(row);
    if (open) {
      open.home.append(open.article);
      open.more.remove();
      openRows.delete(row);
      row.classList.remove("open");
      open.link.setAttribute("aria-expanded", "false");
    }
  }

  function show(row) {
    if (openRows.has(row)) { return; }
    const link = linkOf(row);
    if (!link) { return; }
    const article = document.getElementById(link.hash.slice(1));
    const more = document.createElement("tr");
    more.className = "more";
    const cell = more.insertCell();
    cell.colSpan = heads.length;
    openRows.set(row, { more: more, article: article, home: article.parentNode, link: link });
    cell.append(article);
    if (row.isConnected) { row.after(more); }
    row.classList.add("open");
    link.setAttribute("aria-expanded", "true");
  }

  rows.forEach(function (row) {
    const link = linkOf(row);
    if (link) { link.setAttribute("aria-expanded", "false"); }
  });

  body.addEventListener("click", function (event) {
    const link = event.target.closest("th[scope=row] > a[aria-expanded]");
    if (!link) { return; }
    event.preventDefault();
    const row = link.closest("tr");
    if (openRows.has(row)) { close(row); } else { show(row); }
  });

  // A link to a student or into an answer opens its row first.
  function follow() {
    const target = location.hash.length > 1 ? document.getElementById(location.hash.slice(1)) : null;
    const article = target && target.closest("article");
    if (!article) { return; }
    const row = rows.find(function (row) { const link = linkOf(row); return link && link.hash === "#" + article.id; });
    if (row) {
      show(row);
      if (!row.isConnected) {
        search.value = "";
        filter.value = "";
        room = rows.length;
        draw();
      }
      target.scrollIntoView({ block: "center" });
    }
  }
  window.addEventListener("hashchange", follow);

  // ---- Sorting ----------------------------------------------------------------------------------------------------

  function key(row, at, isNumber) {
    const text = row.cells[at].textContent.trim();
    if (!isNumber) { return text.toLowerCase(); }
    return text === "" ? -Infinity : Number(text);
  }

  function sort(head, at) {
    const isNumber = head.dataset.sort === "number";
    const was = head.getAttribute("aria-sort");
    // Numbers begin with the largest, names with the first.
    const isUp = was === "none" ? !isNumber : was === "descending";
    heads.forEach(function (other) { if (other.dataset.sort) { other.setAttribute("aria-sort", "none"); } });
    head.setAttribute("aria-sort", isUp ? "ascending" : "descending");
    const keys = new Map(rows.map(function (row) { return [row, key(row, at, isNumber)]; }));
    const places = new Map(rows.map(function (row, place) { return [row, place]; }));
    const compare = new Intl.Collator(undefined, { numeric: true }).compare;
    order = rows.slice().sort(function (one, other) {
      const way = isNumber ? keys.get(one) - keys.get(other) || 0 : compare(keys.get(one), keys.get(other));
      return (isUp ? way : -way) || places.get(one) - places.get(other);
    });
    draw();
  }

  heads.forEach(function (head, at) {
    if (!head.dataset.sort) { return; }
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = head.textContent;
    head.replaceChildren(button);
    head.setAttribute("aria-sort", "none");
    button.addEventListener("click", function () { sort(head, at); });
  });

  // ---- Filtering --------------------------------------------------------------------------------------------------

  const search = document.getElementById("search");
  const filter = document.getElementById("filter");
  const shown = document.getElementById("shown");
  const further = document.getElementById("further");
  const found = new Map(rows.map(function (row, at) { return [row, words[at]]; }));
  document.querySelector(".controls").hidden = false;

  function draw() {
    const wanted = search.value.toLowerCase().split(" ").filter(Boolean);
    const matching = order.filter(function (row) {
      return (filter.value === "" || row.dataset.f.split(" ").includes(filter.value))
        && wanted.every(function (word) { return found.get(row).includes(word); });
    });
    const all = document.createDocumentFragment();
    matching.slice(0, room).forEach(function (row) {
      all.append(row);
      const open = openRows.get(row);
      if (open) { all.append(open.more); }
    });
    body.replaceChildren(all);
    further.hidden = matching.length <= room;
    further.textContent = "Show all " + matching.length;
    shown.textContent = matching.length + " of " + rows.length;
  }

  function drawAnew() {
    room = AT_ONCE;
    draw();
  }

  let waits = 0;
  search.addEventListener("input", function () {
    clearTimeout(waits);
    waits = setTimeout(drawAnew, 60);
  });
  filter.addEventListener("change", drawAnew);
  further.addEventListener("click", function () {
    room = rows.length;
    draw();
  });
  // Paper has no button to press.
  window.addEventListener("beforeprint", function () {
    room = rows.length;
    draw();
  });
  draw();
  follow();
})();
