// What moves on a table: pieces slide from where they lay to where they are. It compares the picture before a change with
// the one after it, part by part; those who want no motion get none.

const root = document.querySelector(".table");
const calm = matchMedia("(prefers-reduced-motion: reduce)");
const EASE = "cubic-bezier(.2,.7,.2,1)";
const STEP = 60;        // between pieces that come one after the other, in ms
let before = new Map(), threads = [];
let held = false;       // the piece lies where it was held already
let looked = false;     // what is shown now is known: it was looked at while a move was on its way
let long = 240;         // how long something moves, in ms

const shown = () => [...root.querySelectorAll("[data-part]")].filter((part) => part.checkVisibility());
const key = (part) => `${part.ownerSVGElement.getAttribute("data-panel")}/${part.getAttribute("data-part")}/${part.getAttribute("data-nth") || 0}`;
const drawn = () => [...root.querySelectorAll(".board .thread")];
const face = (part) => part.querySelector(".chip")?.getAttribute("href");
const middle = (box) => [box.x + box.width / 2, box.y + box.height / 2];

// where parts are on the screen, and in their panels: a panel that moves as a whole moves nothing in it
function placer() {
  const panels = new Map();
  return (part) => {
    const box = part.getBoundingClientRect(), own = part.ownerSVGElement;
    if (!panels.has(own)) panels.set(own, own.getBoundingClientRect());
    const panel = panels.get(own);
    return { box, x: box.x - panel.x, y: box.y - panel.y };
  };
}

// A board has hundreds of parts that never move. Those that were drawn together and not again lie where they lay if the
// first of them does, with the same size; in a hand they are raised, each for itself.
function still(place) {
  const groups = new Map();
  return (part, old) => {
    const group = part.parentNode;
    if (old.part !== part || part.ownerSVGElement.getAttribute("data-panel").startsWith("hand")) return false;
    if (!groups.has(group)) {
      const now = place(part), moved = ["width", "height"].map((side) => now.box[side] - old.box[side]);
      groups.set(group, [now.x - old.x, now.y - old.y, ...moved].every((by) => Math.abs(by) < 0.5));
    }
    return groups.get(group);
  };
}

function look() {
  const place = placer();
  const whole = (part) => ({ part, name: part.getAttribute("data-part"), face: face(part), ink: getComputedStyle(part).color, ...place(part) });
  looked = true;
  held = root.querySelector(".hold") !== null;
  threads = drawn().map((thread) => thread.getAttribute("d"));
  before = calm.matches ? new Map() : new Map(shown().map((part) => [key(part), whole(part)]));
}

root.addEventListener("waiting", look);
root.addEventListener("leaving", () => {
  if (!looked) look();
  looked = false;
});
["resize", "scroll", "pointerdown"].forEach((kind) => addEventListener(kind, () => { looked = false; }, true));

root.addEventListener("shown", (event) => {
  if (calm.matches || document.hidden) return;
  const { last, mover, seat } = event.detail;
  const place = placer();
  const now = shown();
  const keys = new Set(now.map(key));
  const named = (name) => [...before.values()].find((old) => old.name === name);
  const laid = now.find((part) => part.classList.contains("last")) || now.find((part) => part.dataset.part === last[last.length - 1]);
  const home = root.querySelector(`[data-seat="${mover}"]`)?.getBoundingClientRect();
  const hand = last.length > 1 ? (mover === seat && named(last[0])?.box) || home : null;
  const stays = still(place);
  const moving = [];            // all places are known before anything moves
  const turned = now.filter((part) => { const old = before.get(key(part))?.face; return old && face(part) && face(part) !== old; });
  const slides = laid && hand && !held && !turned.includes(laid);
  if (slides) moving.push(slide(laid.querySelector(".piece, .chip") || laid, hand, 0));
  long = parseFloat(getComputedStyle(root).getPropertyValue("--m-move")) || 240;
  let late = slides ? long : 0;
  now.filter((part) => part !== laid).forEach((part) => {
    const old = before.get(key(part));
    if (!old && part.dataset.from) {
      const source = [...before].find(([each, { name }]) => name === last[0] && !keys.has(each))?.[1] || named(part.dataset.from);
      if (source) moving.push(slide(part, source.box, late));
      late += STEP;
    } else if (old && !stays(part, old)) {
      const to = place(part);
      if (Math.hypot(old.x - to.x, old.y - to.y) > 2) moving.push(slide(part, { x: to.box.x + old.x - to.x, y: to.box.y + old.y - to.y, width: to.box.width, height: to.box.height }, 0));
    }
  });
  moving.forEach((move) => move());
  turned.forEach((part) => turn(part.querySelector(".chip")));
  const gone = [...before].filter(([each, { part, name }]) => !keys.has(each) && !part.dataset.from && name !== last[0]);
  if (laid) leave(gone.map(([, old]) => old), laid);
  drawn().filter((thread) => !threads.includes(thread.getAttribute("d"))).forEach((thread) => draw(thread, late));
});

// a chip is turned over where it lies, a thread is drawn from end to end
function turn(chip) {
  Object.assign(chip.style, { transformBox: "fill-box", transformOrigin: "50% 50%" });
  chip.animate([{ scale: "-1 1" }, { scale: "1 1" }], { duration: 1.5 * long });
}
function draw(thread, late) {
  const all = thread.getTotalLength?.();
  if (all) thread.animate([{ strokeDasharray: all, strokeDashoffset: all }, { strokeDasharray: all, strokeDashoffset: 0 }], { duration: 2 * long, delay: late, easing: EASE, fill: "backwards" });
}

// from a box on the screen to where the piece is: what starts it
function slide(piece, from, late) {
  const to = piece.getBoundingClientRect();
  if (!to.width) return () => {};
  const turn = piece.parentNode.getScreenCTM?.().inverse();
  const [fx, fy] = middle(from);
  const [tx, ty] = middle(to);
  const dx = turn.a * (fx - tx) + turn.c * (fy - ty);
  const dy = turn.b * (fx - tx) + turn.d * (fy - ty);
  const own = getComputedStyle(piece).transform;
  const rest = own === "none" ? "" : own;
  return () => piece.animate([{ transform: `translate(${dx}px, ${dy}px) ${rest}` }, { transform: rest || "none" }], { duration: long, delay: late, easing: EASE, fill: "backwards" });
}

// what has gone flies to where it lies now, and is gone
function leave(gone, target) {
  const [tx, ty] = middle(target.getBoundingClientRect());
  const copies = gone.map(({ part, box, ink }) => {
    const copy = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    const piece = part.cloneNode(true);         // the part itself may still be in the page, on another panel
    piece.classList.remove("target", "twistable", "last", "lit");
    copy.classList.add("ghost");
    copy.append(piece);
    Object.assign(copy.style, { left: `${box.x}px`, top: `${box.y}px`, width: `${box.width}px`, height: `${box.height}px`, color: ink });
    return copy;
  });
  document.body.append(...copies);
  const insides = copies.map((copy) => copy.firstChild.getBBox());
  copies.forEach((copy, i) => {
    const inside = insides[i], [x, y] = middle(gone[i].box);
    copy.setAttribute("viewBox", `${inside.x} ${inside.y} ${inside.width} ${inside.height}`);
    copy.animate([{ transform: "none" }, { transform: `translate(${tx - x}px, ${ty - y}px) scale(.4)` }], { duration: 1.5 * long, delay: i * STEP / 2, easing: EASE, fill: "backwards" }).finished.finally(() => copy.remove());
  });
}
