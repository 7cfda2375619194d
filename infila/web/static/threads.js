// What a move would make, while it is held over: its lines as threads with their sums, and what it would write down.

const root = document.querySelector(".table");
const all = (selector, from = root) => [...from.querySelectorAll(selector)];
const shown = (part) => part.getBoundingClientRect().width > 0;

function clear() {
  all(".would").forEach((thread) => thread.remove());
  all("[data-write].on").forEach((box) => box.classList.remove("on"));
}

root.addEventListener("unlit", clear);
root.addEventListener("lit", ({ detail: { k, w } }) => {
  clear();
  k?.forEach(thread);
  Object.entries(w || {}).forEach(([name, words]) => all(`[data-write="${name}"]`).forEach((box) => {
    box.classList.add("on");
    box.querySelector("text").textContent = words;
  }));
});

// through the middle of each part; the sum is on a corner of the last, where it covers nothing
function thread([sum, names], nth) {
  const parts = names.map((name) => all(`[data-part="${CSS.escape(name)}"]`).find(shown)).filter(Boolean);
  const panel = parts[0]?.ownerSVGElement;
  if (parts.length < 2) return;
  const turn = panel.getScreenCTM().inverse();
  const spots = parts.map((part) => {
    const box = [...all(".chip, .ghost, .piece, .hit, use", part), part].find(shown).getBoundingClientRect();
    return new DOMPoint(box.x + box.width / 2, box.y + box.height / 2).matrixTransform(turn);
  });
  const to = spots.at(-1);
  const half = Math.min(...spots.slice(1).map((spot, i) => Math.hypot(spot.x - spots[i].x, spot.y - spots[i].y))) / 2;
  const [x, y] = [to.x + (nth ? -half : half), to.y + half];
  const bead = sum && `<rect x="${x - 14}" y="${y - 11}" width="28" height="22" rx="11"/><text x="${x}" y="${y + 5}">${sum}</text>`;
  panel.insertAdjacentHTML("beforeend", `<g class="would"><path stroke-dasharray="${half / 2} ${1.5 * half}" stroke-dashoffset="${-0.75 * half}" d="M${spots.map((spot) => `${spot.x} ${spot.y}`).join("L")}"/>${bead}</g>`);
}
