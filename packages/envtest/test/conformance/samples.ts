/** A sample of a metric. */
export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const LINE = /^(?<name>[\w:]+)(?:\{(?<labels>.*)\})? (?<value>\S+)$/u;
const LABEL = /(\w+)="((?:[^"\\]|\\.)*)"/gu;

/** Parses the text format of Prometheus. */
export function parseSamples(text: string): {
  readonly types: ReadonlyMap<string, string>;
  readonly samples: readonly Sample[];
} {
  const types = new Map<string, string>();
  const samples: Sample[] = [];
  for (const line of text.split("\n")) {
    const [, , family = "", type = ""] = line.split(" ");
    if (line.startsWith("# TYPE ")) types.set(family, type);
    const { name, labels = "", value } = LINE.exec(line)?.groups ?? {};
    if (line.startsWith("#") || name === undefined) continue;
    const pairs = [...labels.matchAll(LABEL)].map(([, key = "", each = ""]): [string, string] => [key, each]);
    samples.push({ name, labels: Object.fromEntries(pairs), value: Number(value) });
  }
  return { types, samples };
}
