/** A value of a metric. */
export interface MetricSample {
  /** The name, for a histogram with `_bucket`, `_sum`, or `_count`. */
  readonly name: string;
  /** The values of the labels by name. */
  readonly labels: ReadonlyMap<string, string>;
  /** The value; infinite and `NaN` as well. */
  readonly value: number;
}

/** Metrics, the first line, from 1, that is none, or the limit that the text exceeds. */
export type ParsedMetrics =
  | { readonly kind: "metrics"; readonly samples: readonly MetricSample[] }
  | { readonly kind: "malformed"; readonly line: number }
  | { readonly kind: "too-large"; readonly limit: string };

// A manager has some thousand samples; Pods may be hostile.
const MOST_LINES = 200_000;
const MOST_SAMPLES = 50_000;
const MOST_LABELS = 500_000;
const LONGEST_LINE = 65_536;

/** Parses metrics in the text format of Prometheus, version 0.0.4. Comments, types, and times of samples are skipped. */
export function parseMetrics(text: string): ParsedMetrics {
  const samples: MetricSample[] = [];
  let labels = 0;
  let start = 0;
  for (let number = 1; start <= text.length; number += 1) {
    const found = text.indexOf("\n", start);
    const end = found < 0 ? text.length : found;
    if (number > MOST_LINES) return tooLarge(MOST_LINES, "lines");
    if (end - start > LONGEST_LINE) return tooLarge(LONGEST_LINE, "characters in a line");
    const content = text.slice(start, end).trim();
    start = end + 1;
    if (content === "" || content.startsWith("#")) continue;
    const sample = parseSample(content);
    if (sample === undefined) return { kind: "malformed", line: number };
    samples.push(sample);
    labels += sample.labels.size;
    if (samples.length > MOST_SAMPLES) return tooLarge(MOST_SAMPLES, "samples");
    if (labels > MOST_LABELS) return tooLarge(MOST_LABELS, "labels");
  }
  return { kind: "metrics", samples };
}

function tooLarge(limit: number, what: string): ParsedMetrics {
  return { kind: "too-large", limit: `${limit.toLocaleString("en-US")} ${what}` };
}

const NAME = /^[A-Z_a-z:][\w:]*/u;
const LABEL_NAME = /[A-Z_a-z]\w*/uy;
const SPACE = /[ \t]*/uy;

function parseSample(line: string): MetricSample | undefined {
  const [name] = NAME.exec(line) ?? [];
  if (name === undefined) return undefined;
  const start = skipSpace(line, name.length);
  const labels = line[start] === "{" ? parseLabels(line, start + 1) : { labels: NO_LABELS, end: start };
  if (labels === undefined) return undefined;
  const [value = "", time = "0", ...rest] = line
    .slice(labels.end)
    .trim()
    .split(/[ \t]+/u);
  const number = parseNumber(value);
  if (number === undefined || !/^-?\d+$/u.test(time) || rest.length > 0) return undefined;
  return { name, labels: labels.labels, value: number };
}

const NO_LABELS: ReadonlyMap<string, string> = new Map();

interface Labels {
  readonly labels: ReadonlyMap<string, string>;
  /** Where the line goes on. */
  readonly end: number;
}

// A comma may follow the last label, too.
function parseLabels(line: string, start: number): Labels | undefined {
  const labels = new Map<string, string>();
  let position = skipSpace(line, start);
  while (line[position] !== "}") {
    LABEL_NAME.lastIndex = position;
    const [name] = LABEL_NAME.exec(line) ?? [];
    if (name === undefined) return undefined;
    const equals = skipSpace(line, position + name.length);
    const quote = skipSpace(line, equals + 1);
    if (line[equals] !== "=" || line[quote] !== '"') return undefined;
    const value = parseText(line, quote + 1);
    if (value === undefined) return undefined;
    labels.set(name, value.text);
    position = skipSpace(line, value.end);
    if (line[position] === ",") position = skipSpace(line, position + 1);
    else if (line[position] !== "}") return undefined;
  }
  return { labels, end: position + 1 };
}

function parseText(line: string, start: number): { readonly text: string; readonly end: number } | undefined {
  let text = "";
  for (let position = start; position < line.length; position += 1) {
    const character = line[position] ?? "";
    if (character === '"') return { text, end: position + 1 };
    if (character === "\\") {
      position += 1;
      const escaped = ESCAPES[line[position] ?? ""];
      if (escaped === undefined) return undefined;
      text += escaped;
    } else text += character;
  }
  return undefined;
}

const ESCAPES: Readonly<Partial<Record<string, string>>> = { "\\": "\\", '"': '"', n: "\n" };

function skipSpace(line: string, position: number): number {
  SPACE.lastIndex = position;
  SPACE.exec(line);
  return SPACE.lastIndex;
}

function parseNumber(text: string): number | undefined {
  const infinite = /^(?<sign>[-+]?)(?:inf|infinity)$/iu.exec(text);
  if (infinite !== null) return infinite.groups?.["sign"] === "-" ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  if (/^nan$/iu.test(text)) return Number.NaN;
  return /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?$/iu.test(text) ? Number(text) : undefined;
}
