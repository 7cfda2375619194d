// What a table sounds like: tones and noise, no files. Which sound a move makes, its game says. Nothing is heard before the
// first gesture, and nothing at all where sounds are switched off.
const root = document.querySelector(".table");
const tones = (pitches, step, last) => pitches.map((pitch, i) => ["triangle", pitch, pitch, step * i, i < pitches.length - 1 ? .2 : last, .6]);
const SOUNDS = {        // of each part: its kind, its pitch at the beginning and at the end, when, how long, how loud
  lay: [["noise", 1800, 500, 0, .05, 1], ["sine", 190, 90, 0, .09, .9]],
  turn: [["noise", 900, 3200, 0, .09, .5], ["noise", 1600, 500, .09, .05, .9]],
  draw: [["noise", 2600, 4200, 0, .11, .4]],
  take: [["noise", 1500, 500, 0, .16, .7], ...[.06, .14, .22].map((at) => ["sine", 150, 75, at, .1, .7])],
  chime: tones([523, 659, 784], .1, .4),
  croak: [0, .04, .08, .12, .26, .3, .34, .38, .42].map((at) => ["sawtooth", 130, 95, at, .035, .45]),
  yours: tones([587, 880], .11, .24),
  end: tones([523, 659, 784, 1047], .13, .7),
  tick: [["square", 1500, 1200, 0, .025, .35]],
};
let player, noise;

function make(name, late = 0) {
  if (localStorage.sound === "no" || !navigator.userActivation?.hasBeenActive || !SOUNDS[name]) return;
  if (!player) {
    player = new AudioContext();
    noise = player.createBuffer(1, player.sampleRate / 2, player.sampleRate);
    noise.getChannelData(0).forEach((_, i, data) => { data[i] = 2 * Math.random() - 1; });
  }
  root.dataset.sound = name;
  SOUNDS[name].forEach(([type, low, high, from, seconds, loud]) => {
    const start = player.currentTime + late + from;
    const rough = type === "noise";
    const source = rough ? new AudioBufferSourceNode(player, { buffer: noise }) : new OscillatorNode(player, { type });
    const shape = new BiquadFilterNode(player, { type: rough ? "bandpass" : "lowpass", frequency: type === "sawtooth" ? 900 : 6000 });
    const volume = new GainNode(player);
    const run = (what, from, to) => {
      what.setValueAtTime(from, start);
      what.exponentialRampToValueAtTime(to, start + seconds);
    };
    run((rough ? shape : source).frequency, low, high);
    run(volume.gain, loud / 10, .0001);
    source.connect(shape).connect(volume).connect(player.destination);
    source.start(start);
    source.stop(start + seconds);
  });
}

root.addEventListener("shown", ({ detail: { sound, yours, over, mover, seat } }) => {
  if (root.dataset.live !== "yes") return;
  make(sound);
  if (over) make("end", .4);
  else if (yours && mover !== seat) make("yours", .3);
});
root.addEventListener("sound", ({ detail }) => make(detail));
