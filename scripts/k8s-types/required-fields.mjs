/**
 * Returns the fields of each type that are not optional, given those that are recorded, and by minor version, the oldest first, those that Go's tags do not let
 * encoders leave out. A type that is recorded keeps its fields, and a field that it gets later is optional, as older servers lack it: code that
 * compiles with one version of the package compiles with the next. `required` of OpenAPI documents changes between versions.
 */
export function requiredFields(recorded, tags) {
  const all = { ...Object.assign({}, ...Object.values(tags)), ...recorded };
  return Object.fromEntries(Object.entries(all).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** Prints the record, one type a line. */
export function printRequiredFields(required) {
  const lines = Object.entries(required).map(
    ([type, fields]) => `  ${JSON.stringify(type)}: ${JSON.stringify(fields)}`,
  );
  return `{\n${lines.join(",\n")}\n}\n`;
}
