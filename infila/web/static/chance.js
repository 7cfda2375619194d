// Chance: this browser's part in a shuffle (docs/reference/chance.md). It commits to random digits before anybody opens,
// opens them only for the commitments that it has seen, and only once, and looks afterwards whether all was kept.

const MOST = 400;       // things that are remembered
const ATTEMPTS = 5;     // at a shuffle
const PART = "chance:";  // a contribution, by its commitment
const TABLE = "shuffle:";  // a shuffle as it was when this browser opened, by its table
const $ = (selector) => document.querySelector(selector);
const hex = (numbers, width) => Array.from(numbers, (number) => number.toString(16).padStart(width, "0")).join("");

// ---- SHA-256: the browser's own is missing where pages come by plain http

const root = (prime, power) => (prime ** power % 1) * 2 ** 32 | 0;
const primes = [];
for (let n = 2; primes.length < 64; n += 1) if (primes.every((prime) => n % prime)) primes.push(n);
const turned = (word, by) => (word >>> by) | (word << (32 - by));

export function sha256(text) {
  const bytes = new TextEncoder().encode(text);
  const data = new DataView(new ArrayBuffer(((bytes.length + 8 >> 6) + 1) << 6));
  bytes.forEach((byte, i) => data.setUint8(i, byte));
  data.setUint8(bytes.length, 128);
  data.setUint32(data.byteLength - 4, bytes.length * 8);
  const hash = primes.slice(0, 8).map((prime) => root(prime, 1 / 2));
  for (let block = 0; block < data.byteLength; block += 64) {
    const words = [];
    let [a, b, c, d, e, f, g, h] = hash;
    primes.forEach((prime, i) => {
      if (i < 16) words[i] = data.getInt32(block + 4 * i);
      else {
        const [x, y] = [words[i - 15], words[i - 2]];
        const [s, t] = [turned(x, 7) ^ turned(x, 18) ^ (x >>> 3), turned(y, 17) ^ turned(y, 19) ^ (y >>> 10)];
        words[i] = words[i - 16] + s + words[i - 7] + t | 0;
      }
      const one = h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + ((e & f) ^ (~e & g)) + root(prime, 1 / 3) + words[i] | 0;
      const two = (turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c)) | 0;
      [a, b, c, d, e, f, g, h] = [one + two | 0, a, b, c, d + one | 0, e, f, g];
    });
    [a, b, c, d, e, f, g, h].forEach((word, i) => { hash[i] = hash[i] + word | 0; });
  }
  return hex(hash.map((word) => word >>> 0), 8);
}

export const committed = (words, attempt) => sha256(`infila words ${attempt}\n${words}\n`);

// ---- what is remembered

const read = (key) => { try { return JSON.parse(localStorage[key] ?? null); } catch { return null; } };
const keep = (key, what) => { localStorage[key] = JSON.stringify({ ...what, at: Date.now() }); };

// a new contribution, as the fields of a commitment; none if this browser could not keep it
function fresh(attempt) {
  try {
    const words = hex(crypto.getRandomValues(new Uint8Array(32)), 2);
    const commitment = committed(words, attempt);
    const old = Object.keys(localStorage).filter((key) => key.startsWith(PART) || key.startsWith(TABLE));
    old.sort((one, other) => read(other)?.at - read(one)?.at).slice(MOST).forEach((key) => localStorage.removeItem(key));
    keep(PART + commitment, { words, attempt });
    return { commitment, attempt };
  } catch { return {}; }
}

// what was sent with a form or in sitting down must be at the table that comes next
let sent = null;
try {
  sent = sessionStorage.chance;
  sessionStorage.removeItem("chance");
} catch { /* nothing is kept here */ }
function sending(fields) {
  if (fields.commitment) sessionStorage.chance = fields.commitment;
  return fields;
}

// ---- at a table

const heard = () => JSON.parse($("#chance")?.textContent || "null");
let facts = heard();

addEventListener("chance", () => {
  facts = heard();
  contribute();
});

function show(where, text) {
  const box = $(where);
  if (box) Object.assign(box, { textContent: text, hidden: false });
}
const warn = (what) => show("#warning", facts.texts[what]);

// one thing at a time; the stream tells of what follows, perhaps before the answer is here
let busy = false;
async function post(path, fields) {
  if (busy) return;
  busy = true;
  const seen = facts;
  try {
    const headers = { "Content-Type": "application/json" };
    const answer = await fetch(`/t/${facts.table}${path}`, { method: "POST", headers, body: JSON.stringify(fields) });
    if (answer.ok) sent = sending(fields).commitment || sent;
    else show("#problem", (await answer.json()).error);
    busy = false;
    if (facts !== seen) contribute();
  } catch {
    setTimeout(() => {       // no connection
      busy = false;
      if (facts === seen) post(path, fields);
      else contribute();
    }, 2000);
  }
}

// all that decides what is dealt, but for what is opened
const all = () => [facts.rules, ...facts.commitments].join(" | ");
const commit = (attempt) => post("/commit", fresh(attempt));

// before the deal: commit, and open when all have
function contribute() {
  const { commitment, attempt, mine, awaited } = facts;
  const known = read(TABLE + facts.table);
  const part = read(PART + mine);
  const list = all();
  if ((known && known.commitment !== commitment) || attempt > ATTEMPTS) return warn("changed");
  if (sent && facts.sitting && !part && read(PART + sent)?.attempt === attempt) return warn("left_out");
  if (awaited === "commitment") {
    if (known?.list && known.attempt >= attempt) return warn("changed");
    return commit(attempt);
  }
  if (part) keep(TABLE + facts.table, { ...known, commitment });
  if (awaited !== "opening") return null;
  $("#lost").hidden = Boolean(part);
  if (!part) return null;
  if (part.attempt !== attempt) return warn("changed");
  if (part.list && part.list !== list) return commit(attempt + 1);       // it was opened for others, who are gone
  keep(PART + mine, { ...part, list });
  keep(TABLE + facts.table, { commitment, attempt, mine, list });
  return post("/open", { contribution: part.words });
}

// after the deal: whether it is the shuffle that this browser has opened for, and whether the seed is the promised one
function check() {
  const { commitment, attempt, commitments, words, mine, seed } = facts;
  const known = read(TABLE + facts.table);
  if (!facts.sitting || !(known || sent || read(TABLE + facts.after)?.list)) return null;
  if (!mine) return warn("left_out");
  if (!read(PART + mine)) return warn("other");
  const kept = known?.commitment === commitment && known.attempt === attempt && known.mine === mine
    && known.list === all()
    && commitments.every((each, i) => (each ? each === committed(words[i], attempt) : !words[i]))
    && (!seed || sha256(seed) === commitment);
  if (!kept) return warn("broken");
  return seed && show("#checked", facts.texts.kept);
}

if (facts?.dealt) check();
else if (facts) contribute();
$("#anew")?.addEventListener("click", () => commit(facts.attempt + 1));

// ---- coming to a table

addEventListener("submit", ({ target: form, submitter }) => {
  if (!form.matches("[data-chance]") || submitter?.hasAttribute("formaction")) return;
  const field = form.elements.commitment || Object.assign(document.createElement("input"), { type: "hidden", name: "commitment" });
  field.value = sending(fresh(1)).commitment || "";
  form.append(field);
});

addEventListener("click", (event) => {
  const { dataset } = event.target.closest?.("[data-post='/seat']") || {};
  if (!dataset || dataset.method || !facts || facts.mine || facts.awaited) return;
  dataset.fields = JSON.stringify({ ...JSON.parse(dataset.fields), ...sending(fresh(facts.attempt)) });
}, true);
