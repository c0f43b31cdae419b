// Animated SVG of a recording: each distinct line is drawn once, and the frames are shown in turn. A picture, such as one of a browser, fills the frame.
import { Screen } from "./screen.mjs";

const LINE = 18;
const CHARACTER = 8.43;
const MARGIN = 16;
// Gray, red, green, yellow, blue, magenta, cyan, and white of a dark terminal.
const COLORS = ["#8b949e", "#ff7b72", "#7ee787", "#e3b341", "#79c0ff", "#d2a8ff", "#76e3ea", "#f0f6fc"];
// Outputs that follow each other faster are one frame.
const FRAME_SECONDS = 0.08;
// A pause of the program is not longer than this, and the last frame stays this long.
const LONGEST_PAUSE_SECONDS = 2;
const LONGEST_PICTURE_SECONDS = 3;
const LAST_SECONDS = 4;

/**
 * Returns the recording as SVG.
 *
 * @param {readonly (readonly [seconds: number, shown: string | { picture: string | undefined }])[]} outputs text, or a picture (WebP in Base64) that is
 *   shown until there is another one, or none
 * @param {{ columns: number, rows: number, title: string }} screen
 */
export function renderSvg(outputs, { columns, rows, title }) {
  const { frames, seconds } = framesOf(outputs, { columns, rows });
  const width = Math.ceil(columns * CHARACTER + 2 * MARGIN);
  const height = rows * LINE + 2 * MARGIN;
  const symbols = new Map();
  const shown = frames.map(({ lines, picture }, index) =>
    picture === undefined ? frame(lines, { index, symbols }) : pictureFrame(picture, index),
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${String(width)} ${String(height)}" width="${String(width)}" role="img">`,
    `<title>${escapeText(title)}</title>`,
    `<style>${styleSheet(frames, seconds)}</style>`,
    `<defs>${[...symbols].map(([line, id]) => `<text id="${id}" y="${String(LINE - 5)}">${line}</text>`).join("\n")}</defs>`,
    `<rect width="100%" height="100%" rx="8" fill="#0d1117"/>`,
    `<g transform="translate(${String(MARGIN)} ${String(MARGIN)})">`,
    ...shown,
    "</g>",
    "</svg>",
    "",
  ].join("\n");
}

function framesOf(outputs, size) {
  const screen = new Screen(size);
  const frames = [];
  let clock = 0;
  let before = 0;
  let picture;
  for (const [at, shown] of outputs) {
    clock += Math.min(at - before, picture === undefined ? LONGEST_PAUSE_SECONDS : LONGEST_PICTURE_SECONDS);
    before = at;
    if (typeof shown === "string") screen.write(shown);
    else picture = shown.picture;
    const lines = screen.lines();
    const last = frames.at(-1);
    if (last !== undefined && isSameFrame(last, { lines, picture })) continue;
    if (last !== undefined && last.picture === picture && clock - last.start < FRAME_SECONDS) last.lines = lines;
    else frames.push({ start: clock, lines, picture });
  }
  return { frames, seconds: clock + LAST_SECONDS };
}

// What the terminal prints behind a picture is not seen.
function isSameFrame(left, right) {
  if (left.picture !== right.picture) return false;
  return left.picture !== undefined || JSON.stringify(left.lines) === JSON.stringify(right.lines);
}

function pictureFrame(picture, index) {
  const image = `<image href="data:image/webp;base64,${picture}" width="100%" height="100%" preserveAspectRatio="xMidYMid slice"/>`;
  return `<g class="f" id="f${String(index)}" transform="translate(${String(-MARGIN)} ${String(-MARGIN)})">${image}</g>`;
}

function frame(lines, { index, symbols }) {
  const uses = lines.flatMap((runs, row) => {
    const text = runs.map(span).join("");
    if (text.trim() === "") return [];
    if (!symbols.has(text)) symbols.set(text, `l${String(symbols.size)}`);
    return [`<use href="#${symbols.get(text)}" y="${String(row * LINE)}"/>`];
  });
  return `<g class="f" id="f${String(index)}">${uses.join("")}</g>`;
}

function span({ text, style: { color, bold, dim } }) {
  const classes = [color === undefined ? "" : `c${String(color)}`, bold ? "b" : "", dim ? "d" : ""].filter(Boolean);
  return classes.length === 0 ? escapeText(text) : `<tspan class="${classes.join(" ")}">${escapeText(text)}</tspan>`;
}

// Without animations, as some readers prefer, the last frame is shown.
function styleSheet(frames, seconds) {
  const percent = (time) => `${((time / seconds) * 100).toFixed(3)}%`;
  const rules = frames.map(({ start }, index) => {
    const end = frames[index + 1]?.start ?? seconds;
    const isLast = index === frames.length - 1;
    const steps = [
      start === 0 ? "" : `0%{visibility:hidden}`,
      `${percent(start)}{visibility:visible}`,
      isLast ? "" : `${percent(end)}{visibility:hidden}`,
      `100%{visibility:${isLast ? "visible" : "hidden"}}`,
    ];
    return `@keyframes k${String(index)}{${steps.join("")}}#f${String(index)}{animation-name:k${String(index)}}`;
  });
  return [
    `text{font:14px ui-monospace,monospace;fill:#e6edf3;white-space:pre}`,
    `.b{font-weight:700}.d{opacity:.65}`,
    ...COLORS.map((color, index) => `.c${String(index)}{fill:${color}}`),
    `.f{visibility:hidden;animation:${seconds.toFixed(3)}s step-end infinite}`,
    ...rules,
    `@media (prefers-reduced-motion:reduce){.f{animation:none}#f${String(frames.length - 1)}{visibility:visible}}`,
  ].join("\n");
}

function escapeText(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
