import { definitionPlace } from "./places.mjs";

/**
 * Prints the named string types of Kubernetes' API as JSON: their values, other names and the fields that hold them, and the types that are
 * closed, which are those whose values the server lists as an enum.
 */
export function printStringTypes({ values, aliases, fields }, definitions) {
  const closed = new Set();
  for (const [definition, schema] of Object.entries(definitions)) {
    const { place, name } = definitionPlace(definition);
    for (const [field, property] of Object.entries(schema.properties ?? {})) {
      const type = fields[`${place}.${name}`]?.[field];
      if (type === undefined || leafOf(property).enum === undefined) continue;
      if (!isSameSet(leafOf(property).enum, values[type])) throw new TypeError(`${type} has other values in Go`);
      closed.add(type);
    }
  }
  return `${JSON.stringify({ aliases, closed: [...closed].toSorted((a, b) => (a < b ? -1 : 1)), fields, values }, null, 2)}\n`;
}

// Lists and maps have the schema of their values.
function leafOf(schema) {
  const inner = schema.items ?? schema.additionalProperties;
  return typeof inner === "object" ? leafOf(inner) : schema;
}

function isSameSet(left, right) {
  return JSON.stringify(left.toSorted()) === JSON.stringify(right.toSorted());
}
