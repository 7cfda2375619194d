// What moves on a table: pieces slide from where they lay to where they are. It compares the picture before a change with
// the one after it, part by part; those who want no motion get none.

const root = document.querySelector(".table");
const calm = matchMedia("(prefers-reduced-motion: reduce)");
const EASE = "cubic-bezier(.2,.7,.2,1)";
const STEP = 60;        // between pieces that come one after the other, in ms
let before = new Map(), threads = [];
let held = false;       // the piece lies where it was held already

const shown = () => [...root.querySelectorAll("[data-part]")].filter((part) => part.getClientRects().length);
const key = (part) => `${part.ownerSVGElement.dataset.panel}/${part.dataset.part}/${part.dataset.nth || 0}`;
const drawn = () => [...root.querySelectorAll(".board .thread")];
const face = (part) => part.querySelector(".chip")?.getAttribute("href");
const middle = (box) => [box.x + box.width / 2, box.y + box.height / 2];
const time = () => parseFloat(getComputedStyle(root).getPropertyValue("--m-move")) || 240;

// where a part is on the screen, and in its panel: a panel that moves as a whole moves nothing in it
function place(part) {
  const box = part.getBoundingClientRect();
  const panel = part.ownerSVGElement.getBoundingClientRect();
  return { part, box, name: part.dataset.part, face: face(part), x: box.x - panel.x, y: box.y - panel.y, inside: part.getBBox(), ink: getComputedStyle(part).color };
}

root.addEventListener("leaving", () => {
  held = root.querySelector(".hold") !== null;
  threads = drawn().map((thread) => thread.getAttribute("d"));
  before = calm.matches ? new Map() : new Map(shown().map((part) => [key(part), place(part)]));
});

root.addEventListener("shown", (event) => {
  if (calm.matches || document.hidden) return;
  const { last, mover, seat } = event.detail;
  const now = shown();
  const keys = new Set(now.map(key));
  const named = (name) => [...before.values()].find((old) => old.name === name);
  const laid = now.find((part) => part.classList.contains("last")) || now.find((part) => part.dataset.part === last[last.length - 1]);
  const home = root.querySelector(`[data-seat="${mover}"]`)?.getBoundingClientRect();
  const hand = last.length > 1 ? (mover === seat && named(last[0])?.box) || home : null;
  const moving = [];            // all places are known before anything moves
  const turned = now.filter((part) => { const old = before.get(key(part))?.face; return old && face(part) && face(part) !== old; });
  const slides = laid && hand && !held && !turned.includes(laid);
  if (slides) moving.push(slide(laid.querySelector(".piece, .chip") || laid, hand, 0));
  let late = slides ? time() : 0;
  now.filter((part) => part !== laid).forEach((part) => {
    const old = before.get(key(part));
    if (!old && part.dataset.from) {
      const source = [...before].find(([each, { name }]) => name === last[0] && !keys.has(each))?.[1] || named(part.dataset.from);
      if (source) moving.push(slide(part, source.box, late));
      late += STEP;
    } else if (old) {
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
  chip.animate([{ scale: "-1 1" }, { scale: "1 1" }], { duration: 1.5 * time() });
}
function draw(thread, late) {
  const long = thread.getTotalLength?.();
  if (long) thread.animate([{ strokeDasharray: long, strokeDashoffset: long }, { strokeDasharray: long, strokeDashoffset: 0 }], { duration: 2 * time(), delay: late, easing: EASE, fill: "backwards" });
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
  return () => piece.animate([{ transform: `translate(${dx}px, ${dy}px) ${rest}` }, { transform: rest || "none" }], { duration: time(), delay: late, easing: EASE, fill: "backwards" });
}

// what has gone flies to where it lies now, and is gone
function leave(gone, target) {
  const [tx, ty] = middle(target.getBoundingClientRect());
  gone.forEach(({ part, box, inside, ink }, i) => {
    const copy = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    const [x, y] = middle(box);
    const piece = part.cloneNode(true);         // the part itself may still be in the page, on another panel
    piece.classList.remove("target", "twistable", "last", "lit");
    copy.classList.add("ghost");
    copy.setAttribute("viewBox", `${inside.x} ${inside.y} ${inside.width} ${inside.height}`);
    copy.append(piece);
    Object.assign(copy.style, { left: `${box.x}px`, top: `${box.y}px`, width: `${box.width}px`, height: `${box.height}px`, color: ink });
    document.body.append(copy);
    copy.animate([{ transform: "none" }, { transform: `translate(${tx - x}px, ${ty - y}px) scale(.4)` }], { duration: 1.5 * time(), delay: i * STEP / 2, easing: EASE, fill: "backwards" }).finished.finally(() => copy.remove());
  });
}
