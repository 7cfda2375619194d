// The board larger: by two fingers, or by + and −; then a drag that begins on nothing to be played moves it. 0 or a double
// tap shows all of it again. It is only seen differently: what is touched there stays what it is.

const root = document.querySelector(".table");
const board = root.querySelector(".board");
const MOST = 4, STEP = 1.4, STILL = 8, TWICE = 300;
const fingers = new Map();
let [zoom, x, y] = [1, 0, 0];   // what is shown, and where its upper left corner is
let pinch = null;               // where two fingers began, and what was shown then
let moved = false;              // the click that ends a drag is none
let tapped = { time: 0 };

const at = ({ clientX, clientY }) => { const box = board.getBoundingClientRect(); return [clientX - box.x, clientY - box.y]; };
const playable = ({ target }) => target.closest(".can, .target, .selected");

function show(to, left, top) {
  zoom = Math.min(Math.max(to, 1), MOST);
  const within = (value, size) => Math.min(Math.max(value, size * (1 - zoom)), 0);
  [x, y] = [within(left, board.clientWidth), within(top, board.clientHeight)];
  board.classList.toggle("zoomed", zoom > 1);
  board.style.setProperty("--zoom", zoom > 1 ? `translate(${x}px, ${y}px) scale(${zoom})` : "none");
}

// what lies at a point stays there
function around([px, py], to) {
  const grown = Math.min(Math.max(to, 1), MOST) / zoom;
  show(to, px - (px - x) * grown, py - (py - y) * grown);
}

function pinched() {
  const [one, other] = [...fingers.values()];
  return { far: Math.hypot(one[0] - other[0], one[1] - other[1]), x: (one[0] + other[0]) / 2, y: (one[1] + other[1]) / 2 };
}

board.addEventListener("pointerdown", (event) => {
  moved = false;
  fingers.set(event.pointerId, at(event));
  pinch = fingers.size === 2 ? { ...pinched(), zoom, left: x, top: y } : null;
  if (pinch) root.dispatchEvent(new Event("pointercancel"));    // no piece is being dragged
});

addEventListener("pointermove", (event) => {
  const before = fingers.get(event.pointerId);
  if (!before) return;
  const now = at(event);
  if (pinch) {
    fingers.set(event.pointerId, now);
    const to = pinched();
    const grown = Math.min(Math.max(pinch.zoom * to.far / pinch.far, 1), MOST) / pinch.zoom;
    show(pinch.zoom * grown, to.x - (pinch.x - pinch.left) * grown, to.y - (pinch.y - pinch.top) * grown);
    moved = true;
  } else if (zoom > 1 && (moved || (!playable(event) && Math.hypot(now[0] - before[0], now[1] - before[1]) > STILL))) {
    show(zoom, x + now[0] - before[0], y + now[1] - before[1]);
    fingers.set(event.pointerId, now);
    moved = true;
  }
});

["pointerup", "pointercancel"].forEach((kind) => addEventListener(kind, (event) => { fingers.delete(event.pointerId); pinch = null; }));

board.addEventListener("click", (event) => {
  if (moved) { event.stopPropagation(); moved = false; return; }
  const again = event.timeStamp - tapped.time < TWICE && Math.hypot(event.clientX - tapped.x, event.clientY - tapped.y) < 24;
  tapped = { time: event.timeStamp, x: event.clientX, y: event.clientY };
  if (again && zoom > 1 && !playable(event)) show(1, 0, 0);
}, true);

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input, textarea, select")) return;
  const by = { "+": STEP, "=": STEP, "-": 1 / STEP, "0": 0 }[event.key];
  if (by === undefined) return;
  event.preventDefault();
  const box = (board.querySelector("[data-part]:focus") || board).getBoundingClientRect();
  around(at({ clientX: box.x + box.width / 2, clientY: box.y + box.height / 2 }), by && zoom * by);
});

// what has the focus is seen
board.addEventListener("focusin", ({ target }) => {
  if (zoom === 1 || target === board) return;
  const [part, room] = [target.getBoundingClientRect(), board.getBoundingClientRect()];
  const by = (low, high, from, to) => Math.max(from - low, 0) + Math.min(to - high, 0);
  show(zoom, x + by(part.left, part.right, room.left, room.right), y + by(part.top, part.bottom, room.top, room.bottom));
});

new ResizeObserver(() => show(zoom, x, y)).observe(board);
