// Four short tones for who wants them: your turn, something placed, points, the end.
import { shared } from "./store.js";

/** Pitches in Hz, one after the other; how long each sounds, in seconds; how loud. */
const TONES = {
  turn: { pitches: [660, 880], apart: 0.16, long: 0.5, loud: 0.16 },
  placed: { pitches: [196], apart: 0, long: 0.12, loud: 0.22 },
  points: { pitches: [784, 988, 1175], apart: 0.07, long: 0.25, loud: 0.1 },
  end: { pitches: [523, 659, 784, 1047], apart: 0.18, long: 0.8, loud: 0.14 },
};

/** @type {AudioContext | null} */
let audio = null;

/** Sounds, if that is wanted, or if somebody tries it. @param {keyof typeof TONES} name @param {boolean} [anyway] */
export function play(name, anyway = false) {
  if (!shared().sound && !anyway) return;
  audio ||= new AudioContext();
  const { pitches, apart, long, loud } = TONES[name];
  window.dispatchEvent(new CustomEvent("turnlog:sound", { detail: name }));
  for (const [n, pitch] of pitches.entries()) ring(audio, pitch, audio.currentTime + n * apart, long, loud);
}

/** @param {AudioContext} audio @param {number} pitch @param {number} from @param {number} long @param {number} loud */
function ring(audio, pitch, from, long, loud) {
  const [tone, volume] = [audio.createOscillator(), audio.createGain()];
  tone.frequency.value = pitch;
  volume.gain.setValueAtTime(0, from);
  volume.gain.linearRampToValueAtTime(loud, from + 0.02);
  volume.gain.exponentialRampToValueAtTime(0.001, from + long);
  tone.connect(volume).connect(audio.destination);
  tone.start(from);
  tone.stop(from + long);
}
