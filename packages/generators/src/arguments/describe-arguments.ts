import { MARKER_DEFINITIONS } from "../markers/catalogue.ts";
import type { ArgumentType, MarkerDefinition } from "../markers/definitions/marker-definition.ts";
import { usageOf } from "../markers/parse-marker.ts";
import { describeType } from "../markers/parse-value.ts";
import { GENERATOR_DEFINITIONS, OPTION_DEFINITIONS } from "./generator-definitions.ts";

/** What help was asked for: `-h` for the options, `-w` for the markers of the generators among the words; more letters for more text. */
export interface HelpRequest {
  /** The topic. */
  readonly about: "options" | "markers";
  /** 1 lines, 2 with the arguments, 3 with where a marker stands, 4 JSON. */
  readonly level: number;
  /** The other words. */
  readonly words: readonly string[];
}

/** Help as it is printed: text goes to standard error, as upstream's does, and JSON to standard output. */
export interface ArgumentHelp {
  /** Whether the content is text or JSON. */
  readonly kind: "text" | "json";
  /** The help, which ends with a line break. */
  readonly content: string;
}

const FLAG = /^(?:-(?<letters>w+|h+)|--(?<name>which-markers|detailed-help))$/u;

/** Returns what help the words ask for, or nothing when they ask for a run. */
export function readHelpRequest(words: readonly string[]): HelpRequest | undefined {
  const letters = words
    .map((word) => FLAG.exec(word)?.groups)
    .map((groups) => groups?.["letters"] ?? (groups?.["name"] === undefined ? "" : (groups["name"][0] ?? "")))
    .join("")
    .replaceAll("d", "h");
  if (letters === "") return undefined;
  const about = letters.includes("w") ? "markers" : "options";
  const level = letters.replaceAll(about === "markers" ? /[^w]/gu : /[^h]/gu, "").length;
  return { about, level: Math.min(level, 4), words: words.filter((word) => !FLAG.test(word)) };
}

/** Describes the options of the command line, or the markers of the generators that the words name; of all of them when they name none. */
export function describeArguments({ about, level, words }: HelpRequest): ArgumentHelp {
  const definitions = about === "options" ? OPTION_DEFINITIONS : markersOf(words);
  const groups = groupByCategory(definitions);
  if (level >= 4) {
    const content = groups.map(([category, markers]) => ({ category, markers: markers.flatMap(jsonOf) }));
    return { kind: "json", content: `${JSON.stringify(content)}\n` };
  }
  const sign = about === "markers" ? "+" : "";
  const sections = groups.map(([category, markers]) =>
    [category, "", ...textOf(markers, level, sign)].join("\n").trimEnd(),
  );
  return { kind: "text", content: `${sections.join("\n\n")}\n` };
}

/** Returns the help of one marker, written with or without its `+` and its value, or nothing if there is no such marker. */
export function describeMarker(text: string): DescribedMarker | undefined {
  const name = text.replace(/^\+/u, "").split("=", 1)[0] ?? "";
  const short = name.slice(0, Math.max(0, name.lastIndexOf(":")));
  const found = [name, short].flatMap((each) => MARKER_DEFINITIONS.filter((marker) => marker.name === each));
  const [first] = found;
  if (first === undefined) return undefined;
  const ofName = found.filter((marker) => marker.name === first.name);
  return { text: textOf(ofName, 3, "+").join("\n").trimEnd(), definitions: ofName.flatMap((each) => jsonOf(each)) };
}

/** The help of a marker, and the same as JSON, in the shape of `gen -wwww`. */
export interface DescribedMarker {
  /** The help as text. */
  readonly text: string;
  /** The definitions in the shape of `gen -wwww`. */
  readonly definitions: readonly object[];
}

/** Lists the names of all markers. */
export function markerNames(): readonly string[] {
  return [...new Set(MARKER_DEFINITIONS.map(({ name }) => name))];
}

const OTHERS: ReadonlySet<string> = new Set(["RBAC", "Webhook", "object", "applyconfiguration", "conversion"]);

// The markers that a generator acts on; those that upstream has for its own generators are in their categories.
const CATEGORIES: Readonly<Record<string, (category: string) => boolean>> = {
  crd: (category) => !OTHERS.has(category),
  schemapatch: (category) => !OTHERS.has(category),
  rbac: (category) => category === "RBAC",
  webhook: (category) => category === "Webhook",
  object: (category) => category === "object",
  applyconfiguration: (category) => category === "applyconfiguration",
  conversion: (category) => category === "conversion",
};

function markersOf(words: readonly string[]): readonly MarkerDefinition[] {
  const heads = words.map((word) => word.replace(/^\+/u, "").split(":")[0] ?? "");
  const named = GENERATOR_DEFINITIONS.map((each) => each.name).filter((name) => heads.includes(name));
  if (named.length === 0) return MARKER_DEFINITIONS;
  return MARKER_DEFINITIONS.filter((each) => named.some((name) => CATEGORIES[name]?.(each.category) === true));
}

function groupByCategory(
  definitions: readonly MarkerDefinition[],
): readonly (readonly [category: string, markers: readonly MarkerDefinition[]])[] {
  const categories = [...new Set(definitions.map((each) => each.category))];
  return categories.map((category) => [
    category === "" ? "sources" : category,
    definitions.filter((each) => each.category === category),
  ]);
}

function textOf(markers: readonly MarkerDefinition[], level: number, sign: string): readonly string[] {
  if (level === 1) return table(markers.map((each) => [sign + each.name, each.summary]));
  return markers.flatMap((each) => {
    const { grammar, targets } = each;
    const usage = usageOf(each).replace(/^\+/u, sign);
    const argumentLines =
      "arguments" in grammar ? table(grammar.arguments.map((one) => [one.name, argumentText(one)])) : [];
    const places = `Applies to: ${targets.map((target) => (target === "field" ? "property" : target)).join(", ")}.`;
    const place = level >= 3 && sign === "+" ? [`    ${places}`] : [];
    return [`  ${usage}`, `    ${each.summary}`, ...place, ...argumentLines.map((line) => `  ${line}`), ""];
  });
}

function argumentText(argument: {
  readonly type: ArgumentType;
  readonly isOptional: boolean;
  readonly summary: string;
}): string {
  return `${describeType(argument.type)}${argument.isOptional ? "" : ", required"}: ${argument.summary}`;
}

function table(rows: readonly (readonly [string, string])[]): readonly string[] {
  const width = Math.max(0, ...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
}

// Upstream's shape, with one entry for each place that a marker may be at.
function jsonOf({ name, targets, category, grammar, summary }: MarkerDefinition): readonly object[] {
  const fields =
    "arguments" in grammar
      ? grammar.arguments.map((each) => ({
          name: each.name,
          ...jsonType(each.type),
          optional: each.isOptional,
          summary: each.summary,
          details: "",
        }))
      : valueFields(grammar);
  return targets.map((target) => ({ name, target, summary, details: "", category, fields }));
}

function valueFields(grammar: MarkerDefinition["grammar"]): readonly object[] {
  const field = (type: object, isOptional = false): object => ({
    name: "",
    ...type,
    optional: isOptional,
    summary: "",
    details: "",
  });
  switch (grammar.kind) {
    case "value":
      return [field(jsonType(grammar.type), grammar.isOptional)];
    case "json":
      return [field({ type: "any" })];
    case "decimal":
      return [field({ type: grammar.isWhole ? "int" : "number" })];
    case "raw":
      return [field({ type: "raw" })];
    default:
      return [];
  }
}

function jsonType(type: ArgumentType): object {
  switch (type.kind) {
    case "integer":
      return { type: "int" };
    case "boolean":
      return { type: "bool" };
    case "list":
      return { type: "slice", itemType: jsonType(type.items) };
    default:
      return { type: type.kind };
  }
}
