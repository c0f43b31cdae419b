import type { Answer, Json } from "./row.ts";

/** One recorded step of a row. */
export interface TranscriptStep {
  readonly step: string;
  readonly request?: string;
  readonly status?: number;
  readonly contentType?: string;
  readonly warnings?: readonly string[];
  readonly body?: unknown;
  readonly fact?: unknown;
}

/** Removes from answers what differs from run to run, and keeps which values were equal to one another. */
export interface Scrubber {
  readonly answer: (answer: Answer) => Omit<TranscriptStep, "step" | "request">;
  readonly value: (value: unknown) => unknown;
}

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gu;
const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/gu;
const AGE = /^(?:\d+[smhd])+$/u;
const PORT = /127\.0\.0\.1:\d+/gu;
const RESOURCE_VERSION_IN_TEXT = /((?:too old|Too large) resource version: \d+) \(\d+\)/gu;
const REVISION_IN_TEXT = /(object not decodable revision=)\d+/gu;
const VERSION_OF_OBJECT = /(ResourceVersion in object meta: )\d+/gu;
// In an object that a message prints, which may itself be quoted.
const PRINTED_VERSION = /("resourceVersion\\*":\\*")\d+/gu;

// A patched object that could not be decoded is quoted whole; its managedFields and the order of its keys are not compared.
const QUOTED_OBJECT = /Invalid value: ("\{\\"(?:[^"\\]|\\.)*\}")/gu;

/** Creates a scrubber for one row: equal identifiers get equal labels, numbered in the order of their first appearance. */
export function createScrubber(): Scrubber {
  const uids = new Map<string, string>();
  const versions = new Map<string, string>();
  const label = (labels: Map<string, string>, value: string, prefix: string): string => {
    const known = labels.get(value) ?? `<${prefix}-${String(labels.size + 1)}>`;
    labels.set(value, known);
    return known;
  };
  const text = (value: string): string =>
    value
      .replace(
        QUOTED_OBJECT,
        (_match, quoted: string) =>
          `Invalid value: ${JSON.stringify(sortedKeys(scrub(JSON.parse(JSON.parse(quoted) as string))))}`,
      )
      .replace(UUID, (uid) => label(uids, uid, "uid"))
      .replace(TIME, "<time>")
      .replace(PORT, "127.0.0.1:<port>")
      .replace(RESOURCE_VERSION_IN_TEXT, "$1 (<rv>)")
      .replace(REVISION_IN_TEXT, "$1<rv>")
      .replace(VERSION_OF_OBJECT, "$1<rv>")
      .replace(PRINTED_VERSION, "$1<rv>");
  const scrub = (value: unknown): unknown => {
    if (typeof value === "string") return text(value);
    // Recordings are JSON that loses digits when it is read.
    if (typeof value === "bigint") return `<integer ${String(value)}>`;
    if (Array.isArray(value)) return value.map(scrub);
    return typeof value === "object" && value !== null ? scrubObject(value as Json) : value;
  };
  const scrubObject = (object: Json): Json => {
    const isList = "items" in object || object["kind"] === "Table";
    return Object.fromEntries(
      Object.entries(object)
        .filter(([key]) => process.env["CONFORMANCE_OWNERS"] === "1" || key !== "managedFields")
        .map(([key, value]): [string, unknown] => {
          if (key === "metadata" && isList) return [key, scrubListMeta(value as Json)];
          if (key === "resourceVersion" && typeof value === "string") return [key, label(versions, value, "rv")];
          if (key === "name" && typeof object["generateName"] === "string")
            return [key, generatedName(String(value), object["generateName"])];
          if (key === "cells" && Array.isArray(value)) return [key, value.map(scrubCell)];
          return [key, scrub(value)];
        }),
    );
  };
  const scrubListMeta = ({ resourceVersion, continue: token, ...others }: Json): Json => ({
    ...(scrub(others) as Json),
    ...(resourceVersion === undefined ? {} : { resourceVersion: "<list-rv>" }),
    ...(token === undefined ? {} : { continue: token === "" ? "" : "<continue>" }),
  });
  const scrubCell = (cell: unknown): unknown => (typeof cell === "string" && AGE.test(cell) ? "<age>" : scrub(cell));
  return { value: scrub, answer: (answer) => scrubAnswer(answer, scrub) };
}

function scrubAnswer(answer: Answer, scrub: (value: unknown) => unknown): Omit<TranscriptStep, "step" | "request"> {
  const contentType = answer.headers.get("content-type") ?? "";
  const warnings = warningsOf(answer.headers);
  return {
    status: answer.status,
    ...(contentType === "application/json" ? {} : { contentType }),
    ...(warnings.length === 0 ? {} : { warnings: warnings.map((warning) => scrub(warning) as string) }),
    body: scrub(answer.body),
  };
}

// Headers joins repeated lines with a comma; each warning starts with its code.
function warningsOf(headers: Headers): readonly string[] {
  const joined = headers.get("warning");
  return joined === null ? [] : joined.split(/, (?=299 )/u);
}

function sortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortedKeys);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, item]) => [key, sortedKeys(item)]),
  );
}

function generatedName(name: string, generateName: string): string {
  const isGenerated =
    name.startsWith(generateName.slice(0, 58)) && name.length === Math.min(generateName.length, 58) + 5;
  return isGenerated ? `${generateName.slice(0, 58)}<5>` : name;
}
