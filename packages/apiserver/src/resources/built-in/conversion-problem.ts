/** The kind of a type in Go, as its reflection names it. */
export type GoKind = "struct" | "slice" | "map" | "string" | "bool" | "int32" | "int64" | "float64";

/** Returns why Go cannot convert a value of a map to a type: the result of a strategic merge patch is such a map, and not JSON. */
export function conversionProblem(value: unknown, goType: string, kind: GoKind = kindOf(goType)): string {
  const source = sourceOf(value);
  if (kind === "struct") return `cannot restore struct from: ${source}`;
  if (kind === "slice" || kind === "map") return `cannot restore ${kind} from ${source}`;
  // In Go, integers can be converted to texts, and numbers to one another.
  const isConvertible = kind === "string" ? source === "int64" : kind !== "bool" && isNumeric(source);
  return isConvertible ? `cannot convert ${source} to ${goType}` : `unrecognized type: ${kind}`;
}

function kindOf(goType: string): GoKind {
  if (goType.startsWith("[]")) return "slice";
  if (goType.startsWith("map[")) return "map";
  return goType === "bool" || goType === "int32" || goType === "int64" || goType === "float64" ? goType : "string";
}

function sourceOf(value: unknown): string {
  if (Array.isArray(value)) return "slice";
  if (typeof value === "bigint") return "int64";
  if (typeof value === "number") return Number.isInteger(value) ? "int64" : "float64";
  if (typeof value === "boolean") return "bool";
  return typeof value === "string" ? "string" : "map";
}

function isNumeric(source: string): boolean {
  return source === "int64" || source === "float64";
}
