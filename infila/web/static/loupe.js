// A magnifying glass: where the cells of a board are smaller than a finger, a tap on the board shows those around it as
// large as they must be, until the piece is laid or put back. A tap in the glass is one on the board.

const root = document.querySelector(".table");
const glass = document.querySelector("#loupe");
const SIZE = Number(glass.dataset.size);
const board = () => root.querySelector(".board > .panel > svg");
const FINGER = 44, CELLS = 5;
let middle = null;      // of what it shows, on the board

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
    ["data-part", "tabindex"].forEach((name) => part.removeAttribute(name));
  });
  delete copy.dataset.panel;
  glass.replaceChildren(copy);
  board().insertAdjacentHTML("beforeend", `<rect class="lens" x="${left}" y="${top}" width="${SIZE}" height="${SIZE}" rx="10"/>`);
}

root.addEventListener("marked", draw);

root.addEventListener("click", (event) => {
  const cell = event.target.closest("[data-lens]");
  if (cell) return board().querySelector(`[data-part="${CSS.escape(cell.dataset.lens)}"]`).dispatchEvent(new MouseEvent("click", { bubbles: true }));
  const place = board().getScreenCTM();
  if (event.pointerType !== "touch" || !board().contains(event.target) || place.a * SIZE / CELLS >= FINGER) return;
  middle = new DOMPoint(event.clientX, event.clientY).matrixTransform(place.inverse());
  draw();
});
