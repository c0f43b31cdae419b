import { compileJsonPath, type JsonPath } from "../json-path/json-path.ts";
import { PluginUsageError } from "./errors.ts";

/** The format of `--output`. */
export type OutputFormat =
  | { readonly kind: "table"; readonly isWide: boolean }
  | { readonly kind: "json" | "yaml" | "name" }
  | { readonly kind: "jsonpath"; readonly path: JsonPath }
  | { readonly kind: "custom-columns"; readonly columns: readonly CustomColumn[] };

/** A column of `custom-columns`. */
interface CustomColumn {
  readonly header: string;
  readonly path: JsonPath;
}

const SIMPLE = ["json", "yaml", "name"] as const;
const ALLOWED = "custom-columns,json,jsonpath,name,wide,yaml";

/** Reads the value of `--output`. Fails: {@link PluginUsageError}, `JsonPathSyntaxError`. */
export function readOutputFormat(text: string | undefined): OutputFormat {
  if (text === undefined || text === "") return { kind: "table", isWide: false };
  if (text === "wide") return { kind: "table", isWide: true };
  const simple = SIMPLE.find((each) => each === text);
  if (simple !== undefined) return { kind: simple };
  const separator = text.indexOf("=");
  const kind = separator === -1 ? text : text.slice(0, separator);
  const argument = separator === -1 ? "" : text.slice(separator + 1);
  if (kind === "jsonpath") return { kind, path: templateOf(argument) };
  if (kind === "custom-columns") return { kind, columns: columnsOf(argument) };
  throw new PluginUsageError(
    `unable to match a printer suitable for the output format ${JSON.stringify(text)}, allowed formats are: ${ALLOWED}`,
  );
}

function templateOf(template: string): JsonPath {
  if (template === "") throw new PluginUsageError("template format specified but no template given");
  return compileJsonPath(relaxed(template), { allowMissingKeys: true });
}

// As in kubectl, braces and the first dot may be omitted.
function relaxed(path: string): string {
  if (path.includes("{")) return path;
  return `{${/^[.[$@]/u.test(path) ? path : `.${path}`}}`;
}

function columnsOf(specification: string): readonly CustomColumn[] {
  if (specification === "") throw new PluginUsageError("custom-columns format specified but no custom columns given");
  return splitColumns(specification).map((column) => {
    const colon = column.indexOf(":");
    if (colon === -1) {
      throw new PluginUsageError(`unexpected custom-columns spec: ${column}, expected <header>:<json-path-expr>`);
    }
    return {
      header: column.slice(0, colon),
      path: compileJsonPath(relaxed(column.slice(colon + 1)), { allowMissingKeys: true }),
    };
  });
}

// A comma inside of brackets or parentheses belongs to the path.
function splitColumns(specification: string): readonly string[] {
  const columns: string[] = [];
  let [start, depth] = [0, 0];
  for (let index = 0; index < specification.length; index += 1) {
    const character = specification.charAt(index);
    if ("[({".includes(character)) depth += 1;
    if ("])}".includes(character)) depth -= 1;
    if (character !== "," || depth > 0) continue;
    columns.push(specification.slice(start, index));
    start = index + 1;
  }
  return [...columns, specification.slice(start)];
}
