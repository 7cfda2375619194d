// A game that is being made ready: says how far it is, and goes on with what was sent.
const bar = document.querySelector("[data-ready]");

async function look() {
  const now = await fetch(bar.dataset.ready).then((answer) => answer.json()).catch(() => ({}));
  if (now.ready) { bar.value = 1; return go(); }
  if (now.left) {
    if (now.share) bar.value = Math.max(bar.value, now.share);
    const text = document.querySelector("#left");
    if (text.textContent !== now.left) text.textContent = now.left;
  }
  return setTimeout(look, 1000);
}

// this page leaves no trace in the history
async function go() {
  const sending = document.querySelector("main form");
  if (!sending) return location.reload();
  const answer = await fetch(sending.action, { method: "POST", body: new URLSearchParams(new FormData(sending)) }).catch(() => null);
  return answer?.redirected ? location.replace(answer.url) : sending.submit();
}

look();
