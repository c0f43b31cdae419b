// A plot of the samples of a soak as SVG: one panel per quantity, below one another, with the time in minutes.

const WIDTH = 900;
const PANEL = { left: 70, right: 150, height: 120, gap: 50 };
const TOP = 40;
const COLORS = ["#0b6bcb", "#c4361c", "#1f7a1f", "#8a4bbf"];
const STEPS = [1, 2, 5, 10];

const PANELS = [
  {
    title: "Memory after garbage collection, MiB",
    series: {
      rssMiB: "manager, RSS",
      heapMiB: "manager, heap",
      serverRssMiB: "server, RSS",
      serverHeapMiB: "server, heap",
    },
  },
  { title: "Event-loop delay, ms", series: { delayP50Ms: "p50", delayP99Ms: "p99", delayMaxMs: "maximum" } },
  { title: "Queue depth", series: { queueDepth: "requests" } },
  {
    title: "From a write to its reconcile, ms",
    series: { latencyP50Ms: "p50", latencyP99Ms: "p99", latencyMaxMs: "maximum" },
  },
];

/** Returns the plot of samples. */
export function toSvg(samples, title) {
  const height = TOP + PANELS.length * (PANEL.height + PANEL.gap);
  const panels = PANELS.map((panel, index) => panelOf(panel, samples, TOP + index * (PANEL.height + PANEL.gap) + 20));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="sans-serif" font-size="12">`,
    `<rect width="${WIDTH}" height="${height}" fill="white"/>`,
    text({ x: PANEL.left, y: 22, size: 15 }, title),
    ...panels,
    "</svg>",
    "",
  ].join("\n");
}

function panelOf({ title, series }, samples, top) {
  // A series without values, such as the memory of a real server, has no line.
  const shown = Object.entries(series).filter(([column]) => samples.some((sample) => sample[column] > 0));
  const most = scaleOf(Math.max(1, ...shown.flatMap(([column]) => samples.map((sample) => sample[column]))));
  const lastSecond = Math.max(1, samples.at(-1)?.seconds ?? 1);
  const right = WIDTH - PANEL.right;
  const x = (seconds) => PANEL.left + ((right - PANEL.left) * seconds) / lastSecond;
  const y = (value) => top + PANEL.height * (1 - value / most);
  const lines = shown.map(([column, name], index) => {
    const points = samples.map((sample) => `${x(sample.seconds).toFixed(1)},${y(sample[column]).toFixed(1)}`).join(" ");
    const legendY = top + 12 + 18 * index;
    return [
      `<polyline points="${points}" fill="none" stroke="${COLORS[index]}" stroke-width="1.5"/>`,
      `<line x1="${right + 12}" y1="${legendY - 4}" x2="${right + 30}" y2="${legendY - 4}" stroke="${COLORS[index]}" stroke-width="2"/>`,
      text({ x: right + 36, y: legendY }, name),
    ].join("\n");
  });
  const levels = [0, most / 2, most].map((value) => gridLine(value, y(value), right));
  const minutes = minutesOf(lastSecond).map((minute) =>
    text({ x: x(minute * 60), y: top + PANEL.height + 16, anchor: "middle" }, `${minute} min`),
  );
  return [text({ x: PANEL.left, y: top - 6, size: 13 }, title), ...levels, ...minutes, ...lines].join("\n");
}

function gridLine(value, y, right) {
  return [
    `<line x1="${PANEL.left}" y1="${y}" x2="${right}" y2="${y}" stroke="#dddddd"/>`,
    text({ x: PANEL.left - 8, y: y + 4, anchor: "end" }, String(value)),
  ].join("\n");
}

// About five labels, at 0, 1, 2, 5, 10, 20, and so on.
function minutesOf(lastSecond) {
  const step = scaleOf(lastSecond / 60 / 6);
  const labels = [];
  for (let minute = 0; minute * 60 <= lastSecond; minute += step) labels.push(minute);
  return labels;
}

// The smallest of 1, 2, 5, 10, 20, and so on that is not smaller than a value.
function scaleOf(value) {
  const power = 10 ** Math.floor(Math.log10(value));
  return power * (STEPS.find((step) => step * power >= value) ?? 10);
}

function text({ x, y, size = 12, anchor = "start" }, content) {
  const escaped = content.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  return `<text x="${x}" y="${y}" font-size="${size}" text-anchor="${anchor}" fill="#222222">${escaped}</text>`;
}
