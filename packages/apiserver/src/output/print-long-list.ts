import { printServerJson } from "@kubescaffold/k8s";
import { eachInTurns } from "@kubescaffold/platform/clock";

/** A list or a table; its items or rows are the last member. */
type LongList = Readonly<Record<string, unknown>>;

/** Prints a list or a table as YAML, its parts one by one. Guarantees: the text is that of the whole; does not block the event loop. */
export async function longYaml(list: LongList): Promise<string> {
  // YAML is rare and its printer large.
  const { printYaml, sortYamlKeys } = await import("@kubescaffold/k8s/yaml");
  const { name, parts } = partsOf(list);
  if (parts.length === 0) return printYaml(list);
  const start = `${name}:\n`;
  const texts = await eachInTurns(parts, (part) => printYaml({ [name]: [part] }).slice(start.length));
  const keys = sortYamlKeys(Object.keys(list));
  const printed = (names: readonly string[]): string =>
    names.length === 0 ? "" : printYaml(Object.fromEntries(names.map((each) => [each, list[each]])));
  const at = keys.indexOf(name);
  return `${printed(keys.slice(0, at))}${start}${texts.join("")}${printed(keys.slice(at + 1))}`;
}

const LIST_END = "\n  ]\n}";
const EMPTY_END = "[]\n}";

/** Prints a list or a table as indented JSON, likewise. */
export async function longPrettyJson(list: LongList): Promise<string> {
  const { name, parts } = partsOf(list);
  if (parts.length === 0) return printServerJson(list, 2);
  const start = `{\n  ${JSON.stringify(name)}: [\n`;
  const texts = await eachInTurns(parts, (part) =>
    printServerJson({ [name]: [part] }, 2).slice(start.length, -LIST_END.length),
  );
  const head = printServerJson({ ...list, [name]: [] }, 2).slice(0, -EMPTY_END.length);
  return `${head}[\n${texts.join(",\n")}${LIST_END}`;
}

function partsOf(list: LongList): { readonly name: string; readonly parts: readonly unknown[] } {
  const name = "rows" in list ? "rows" : "items";
  const parts = list[name];
  return { name, parts: Array.isArray(parts) ? parts : [] };
}
