// The board seen larger, by two fingers or by + and −; a drag that begins on nothing playable then moves it. 0 or a double
// tap shows all of it.

const board = document.querySelector(".board");
const MOST = 4, STEP = 1.4, STILL = 8, TWICE = 300;
const fingers = new Map();
let [zoom, x, y] = [1, 0, 0];   // and where its upper left corner is
let moved = false;              // the click that ends a drag is none
let tap = {};

const spot = ({ clientX, clientY }) => { const box = board.getBoundingClientRect(); return [clientX - box.x, clientY - box.y]; };
const between = (value, low, high) => Math.min(Math.max(value, low), high);
const playable = ({ target }) => target.closest(".can, .target, .selected");

function show(left, top) {
  [x, y] = [between(left, board.clientWidth * (1 - zoom), 0), between(top, board.clientHeight * (1 - zoom), 0)];
  board.classList.toggle("zoomed", zoom > 1);
  board.style.setProperty("--zoom", `translate(${x}px, ${y}px) scale(${zoom})`);
}

// what lay at one point lies at the other
function grow(by, from, to = from) {
  const before = zoom;
  zoom = between(zoom * by, 1, MOST);
  show(to[0] - (from[0] - x) * zoom / before, to[1] - (from[1] - y) * zoom / before);
}

function pair() {
  const [[a, b], [c, d]] = fingers.values();
  return { far: Math.hypot(a - c, b - d), middle: [(a + c) / 2, (b + d) / 2] };
}

addEventListener("pointerdown", (event) => {
  moved = false;
  if (board.contains(event.target)) fingers.set(event.pointerId, spot(event));
});

addEventListener("pointermove", (event) => {
  const [before, now] = [fingers.get(event.pointerId), spot(event)];
  if (!before) {
    if (event.pointerType === "touch" && board.contains(event.target)) fingers.set(event.pointerId, now);    // it was here first
    return;
  }
  const two = fingers.size === 2 && pair();
  const far = Math.hypot(now[0] - before[0], now[1] - before[1]);
  if (!two && (zoom === 1 || (!moved && (playable(event) || far < STILL)))) return;
  if (two) board.parentNode.dispatchEvent(new Event("pointercancel"));  // no piece is being dragged
  fingers.set(event.pointerId, now);
  moved = true;
  if (two) grow(pair().far / two.far, two.middle, pair().middle);
  else show(x + now[0] - before[0], y + now[1] - before[1]);
});

["pointerup", "pointercancel"].forEach((kind) => addEventListener(kind, ({ pointerId }) => fingers.delete(pointerId)));

board.addEventListener("click", (event) => {
  if (moved) return event.stopPropagation();
  const twice = event.timeStamp - tap.timeStamp < TWICE && Math.hypot(event.x - tap.x, event.y - tap.y) < 3 * STILL;
  if (twice && !playable(event)) grow(0, [0, 0]);
  tap = event;
}, true);

document.addEventListener("keydown", (event) => {
  const by = { "+": STEP, "=": STEP, "-": 1 / STEP, "0": 0 }[event.key];
  if (by === undefined || event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input, textarea, select")) return;
  event.preventDefault();
  const box = (board.querySelector(":focus") || board).getBoundingClientRect();
  grow(by, spot({ clientX: box.x + box.width / 2, clientY: box.y + box.height / 2 }));
});

// what has the focus is seen
board.addEventListener("focusin", ({ target }) => {
  const [part, room] = [target.getBoundingClientRect(), board.getBoundingClientRect()];
  const by = (low, high) => Math.max(room[low] - part[low], 0) + Math.min(room[high] - part[high], 0);
  if (zoom > 1 && target !== board) show(x + by("left", "right"), y + by("top", "bottom"));
});

new ResizeObserver(() => show(x, y)).observe(board);
