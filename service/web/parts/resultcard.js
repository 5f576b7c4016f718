// A result as a picture: drawn here, given to whatever the device shares with, or kept as a file.
import { t } from "../i18n.js";

const [WIDTH, HEIGHT, EDGE] = [1200, 630, 72];
const SEATS = ["#1f6fb2", "#c4550a", "#1c7f5a", "#8a3f9e", "#8a6d00"];
/** The table cloth of each game: light above left, deeper below right. @type {Record<string, string[]>} */
const CLOTHS = {
  "akropolis": ["#7fb6cf", "#2f6f93"], "babylonia": ["#e3c592", "#a8743c"], "machi-koro": ["#a9dcf0", "#5aa9c9"],
  "tides-of-time": ["#4b4470", "#1d1a38"], "world-wonders": ["#efe0bd", "#b99a63"],
};

/** @typedef {{seat: number, name: string, points: number | string, won: boolean}} Row */
/** @typedef {{game: string, look: string, title: string, reason: string, rows: Row[]}} Card */

/** @param {Card} card @returns {Promise<Blob>} */
export async function picture(card) {
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [WIDTH, HEIGHT];
  const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  await document.fonts.load('600 40px "Fraunces Turnlog"').catch(() => []); // the next best face will do
  cloth(pen, CLOTHS[card.look] || ["#f3ede0", "#c9b68e"]);
  panel(pen, EDGE - 24, EDGE - 24, WIDTH - 2 * EDGE + 48, HEIGHT - 2 * EDGE + 48);
  write(pen, card.game, EDGE + 24, EDGE + 56, 34, "#615b50");
  write(pen, card.title, EDGE + 24, EDGE + 122, 58, "#25221d");
  write(pen, card.reason, EDGE + 24, EDGE + 168, 26, "#615b50", false);
  const step = Math.min(76, 300 / card.rows.length);
  card.rows.forEach((row, n) => line(pen, row, EDGE + 24, EDGE + 232 + n * step));
  write(pen, "Turnlog", WIDTH - EDGE - 130, HEIGHT - EDGE - 2, 26, "#615b50");
  return new Promise((done, failed) => canvas.toBlob((blob) => (blob ? done(blob) : failed(new Error("no picture"))),
    "image/png"));
}

/** @param {CanvasRenderingContext2D} pen @param {string[]} tones */
function cloth(pen, [light, deep]) {
  const shade = pen.createLinearGradient(0, 0, WIDTH, HEIGHT);
  shade.addColorStop(0, light);
  shade.addColorStop(1, deep);
  pen.fillStyle = shade;
  pen.fillRect(0, 0, WIDTH, HEIGHT);
}

/**
 * @param {CanvasRenderingContext2D} pen
 * @param {number} x
 * @param {number} y
 * @param {number} width
 * @param {number} height
 */
function panel(pen, x, y, width, height) {
  pen.save();
  pen.shadowColor = "#0006";
  pen.shadowBlur = 40;
  pen.shadowOffsetY = 16;
  pen.fillStyle = "#fffdf7";
  pen.beginPath();
  pen.roundRect(x, y, width, height, 28);
  pen.fill();
  pen.restore();
}

/**
 * @param {CanvasRenderingContext2D} pen @param {string} text @param {number} x @param {number} y @param {number} size
 * @param {string} colour @param {boolean} [display]
 */
function write(pen, text, x, y, size, colour, display = true) {
  pen.font = display ? `600 ${size}px "Fraunces Turnlog", Georgia, serif` : `${size}px system-ui, sans-serif`;
  pen.fillStyle = colour;
  pen.fillText(text, x, y, WIDTH - x - EDGE);
}

/** @param {CanvasRenderingContext2D} pen @param {Row} row @param {number} x @param {number} y */
function line(pen, row, x, y) {
  pen.fillStyle = SEATS[row.seat % SEATS.length];
  pen.beginPath();
  pen.arc(x + 18, y - 12, 18, 0, 2 * Math.PI);
  pen.fill();
  write(pen, `${row.name}${row.won ? "  ★" : ""}`, x + 56, y, 36, "#25221d", false);
  write(pen, String(row.points), WIDTH - EDGE - 120, y, 44, "#25221d");
}

/** @param {Card} card */
export async function share(card) {
  const file = new File([await picture(card)], "turnlog.png", { type: "image/png" });
  const given = { files: [file], title: card.title, text: `${card.game}: ${card.title}` };
  if (navigator.canShare?.(given)) return navigator.share(given).catch(() => {}); // who closes the sheet has chosen
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = file.name;
  link.setAttribute("aria-label", t("result.card"));
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
