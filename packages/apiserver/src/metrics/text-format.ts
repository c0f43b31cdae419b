import type { Family, Sample } from "./families.ts";

/** The media type of the text format of Prometheus, as kube-apiserver states it. */
export const TEXT_FORMAT = "text/plain; version=0.0.4; charset=utf-8; escaping=underscores";

/** Prints families in the text format of Prometheus, in the order of their names; families without samples are left out. */
export function printFamilies(families: readonly Family[]): string {
  return families
    .filter(({ samples }) => samples.length > 0)
    .toSorted((left, right) => (left.name < right.name ? -1 : 1))
    .map(({ name, type, samples }) => `# TYPE ${name} ${type}\n${samples.map(printSample).join("")}`)
    .join("");
}

function printSample({ name, labels, value }: Sample): string {
  const pairs = Object.keys(labels)
    .toSorted()
    .map((key) => `${key}="${escaped(labels[key] ?? "")}"`);
  return `${name}${pairs.length === 0 ? "" : `{${pairs.join(",")}}`} ${printValue(value)}\n`;
}

function escaped(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}

function printValue(value: number): string {
  return value === Number.POSITIVE_INFINITY ? "+Inf" : String(value);
}
