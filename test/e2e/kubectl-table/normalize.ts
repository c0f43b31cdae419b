// cspell:ignore smhd
/** What a command of kubectl wrote, without what differs from one run to the next. */
export interface RecordedCommand {
  readonly command: string;
  readonly status: number | undefined;
  readonly stdout: readonly string[];
  readonly stderr: readonly string[];
}

// Names that the server or a controller generates: they have no vowels, and no 0, 1, and 3.
const GENERATED = "[bcdfghjklmnpqrstvwxz2456789]";

const RULES: readonly (readonly [RegExp, string])[] = [
  [/\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b/gu, "<uid>"],
  [/\b\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z/gu, "<time>"],
  [/\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} [+-]\d{4}/gu, "<time>"],
  [/\b(LIVE|MERGED)-\d+/gu, "$1"],
  [/\b\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}\.\d+ [+-]\d{4}/gu, "<time>"],
  [/\b\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2} [+-]\d{4} UTC/gu, "<time>"],
  [/(resource ?version"?: *"?)\d+/giu, "$1<version>"],
  [/(\/\/(?:127\.0\.0\.1|localhost|\[::1\])):\d+/gu, "$1:<port>"],
  [/\b10\.0\.0\.(?!0\b)\d{1,3}\b/gu, "<ip>"],
  [/\b3[0-2]\d{3}\b/gu, "<node port>"],
  [new RegExp(String.raw`-${GENERATED}{8,10}-${GENERATED}{5}\b`, "gu"), "-<hash>-<suffix>"],
  [new RegExp(String.raw`-${GENERATED}{8,10}\b`, "gu"), "-<hash>"],
  [new RegExp(String.raw`(pod-template-hash[=:"] ?"?)${GENERATED}{5,10}`, "gu"), "$1<hash>"],
  // Ages, with the spaces before them: their widths move columns.
  [/(?<= )(?:\d+d)?(?:\d+h)?(?:\d+m)?(?:\d+s)?(?: ago)?(?<=\d[smhd](?: ago)?)(?=\s|$|\))/gu, "<age>"],
];

// kubectl logs the end of its watches depending on how long they took.
const WATCH_LOG = /^[EIW]\d{4} .* reflector\.go:\d+\]/u;

/** Returns the lines of a text, with what is volatile replaced by its name. */
export function normalize(text: string, namespace: string, folder: string): string[] {
  let normalized = text.replaceAll(folder, "<folder>").replaceAll(namespace, "<namespace>");
  for (const [pattern, name] of RULES) normalized = normalized.replaceAll(pattern, name);
  const lines = normalized.split("\n").filter((line) => !WATCH_LOG.test(line));
  return lines.map((line) => line.replaceAll(/(?<=\S) {2,}/gu, "  ").trimEnd());
}

/** Returns the lines of `kubectl explain` that show the structure: names and types, without what describes them. */
export function structureOf(lines: readonly string[]): readonly string[] {
  return lines.filter((line) => line.includes("\t") || /^(?:GROUP|KIND|VERSION|FIELDS?|RESOURCE):/u.test(line));
}

/** Splits a command line into words, where single quotes keep spaces. */
export function wordsOf(line: string): string[] {
  return Array.from(line.matchAll(/(?:[^\s']|'[^']*')+/gu), ([word]) => word.replaceAll("'", ""));
}
