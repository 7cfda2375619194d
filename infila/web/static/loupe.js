// A magnifying glass: where the cells of a board are smaller than a finger, a tap on the board shows those around it as
// large as they must be, until the piece is laid or put back. A tap in the glass is one on the board.

const root = document.querySelector(".table");
const glass = document.querySelector("#loupe");
const SIZE = Number(glass.dataset.size);
const board = () => root.querySelector(".board > .panel > svg");
const FINGER = 44, CELLS = 5;
let middle = null;      // of what it shows, in the board's own measure

function draw() {
  board().querySelector(".lens")?.remove();
  const wanted = middle && board().querySelector(".target");
  glass.hidden = !wanted;
  if (!wanted) { middle = null; return glass.replaceChildren(); }
  const { x, y, width, height } = board().viewBox.baseVal;
  const within = (at, low, size) => Math.min(Math.max(at - SIZE / 2, low), low + size - SIZE);
  const [left, top] = [within(middle.x, x, width), within(middle.y, y, height)];
  glass.classList.toggle("left", middle.x > x + width / 2);
  glass.classList.toggle("up", middle.y > y + height / 2);
  const copy = board().cloneNode(true);
  copy.setAttribute("viewBox", `${left} ${top} ${SIZE} ${SIZE}`);
  copy.querySelectorAll("[data-part]").forEach((part) => {
    part.dataset.lens = part.dataset.part;
    ["data-part", "tabindex", "role", "aria-label", "aria-pressed"].forEach((name) => part.removeAttribute(name));
  });
  ["data-panel", "role", "aria-label"].forEach((name) => copy.removeAttribute(name));
  glass.replaceChildren(copy);
  const lens = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  Object.entries({ class: "lens", x: left, y: top, width: SIZE, height: SIZE, rx: 10 }).forEach(([name, value]) => lens.setAttribute(name, value));
  board().append(lens);
}

["marked", "updated"].forEach((kind) => root.addEventListener(kind, draw));

root.addEventListener("click", (event) => {
  const cell = event.target.closest("[data-lens]");
  if (cell) return board().querySelector(`[data-part="${CSS.escape(cell.dataset.lens)}"]`).dispatchEvent(new MouseEvent("click", { bubbles: true }));
  const place = board().getScreenCTM();
  if (event.pointerType !== "touch" || !board().contains(event.target) || place.a * SIZE / CELLS >= FINGER) return;
  middle = new DOMPoint(event.clientX, event.clientY).matrixTransform(place.inverse());
  draw();
});
