// The site's only document is there twice: as the window, which holds Python and lives as long as somebody plays, and in
// its frame, where one page after another is shown.

const inside = window !== window.parent && window.parent.infila;
if (inside) {
  document.querySelector(".late").remove();     // the window speaks for both
  (await import("./page_inside.js")).show(inside);
} else {
  await import("./house.js");
}
