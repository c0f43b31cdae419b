import { definitionPlace } from "./places.mjs";
import { versionsText } from "./superset.mjs";

/**
 * Prints the named string types of Kubernetes' API as JSON, given by minor version, the oldest first, what Go has of them, and the definitions: their values, other
 * names, and the fields that hold them; the versions of types and values that not all versions have; and the types that are closed, which are those whose values
 * the newest server lists as an enum. Types of the former output, `recorded`, stay open or closed: code that uses them compiles further on.
 */
export function printStringTypes(strings, definitions, recorded) {
  const minors = Object.keys(strings);
  const merged = (key) => Object.assign({}, ...minors.map((minor) => strings[minor][key]));
  const types = Object.keys(merged("values")).toSorted();
  const having = (type) => minors.filter((minor) => type in strings[minor].values);
  const values = Object.fromEntries(types.map((type) => [type, mergedValues(strings, type)]));
  const valueVersions = (type) =>
    values[type].map((value) => [
      value,
      versionsText(
        having(type).filter((minor) => strings[minor].values[type].includes(value)),
        having(type),
      ),
    ]);
  const enums = Object.assign({}, ...minors.map((minor) => enumTypes(strings[minor], definitions[minor])));
  const isClosed = (type) => (type in recorded.values ? recorded.closed.includes(type) : type in enums);
  const facts = {
    aliases: merged("aliases"),
    closed: types.filter(isClosed),
    fields: mergedFields(strings),
    typeVersions: stated(types.map((type) => [type, versionsText(having(type), minors)])),
    values,
    versions: stated(types.map((type) => [type, stated(valueVersions(type))])),
  };
  return `${JSON.stringify(facts, null, 2)}\n`;
}

function compareTexts(a, b) {
  return a < b ? -1 : Number(a > b);
}

function mergedValues(strings, type) {
  return [...new Set(Object.values(strings).flatMap(({ values }) => values[type] ?? []))].toSorted(compareTexts);
}

function mergedFields(strings) {
  const structs = [...new Set(Object.values(strings).flatMap(({ fields }) => Object.keys(fields)))].toSorted();
  return Object.fromEntries(
    structs.map((struct) => {
      const fields = Object.assign({}, ...Object.values(strings).map((each) => each.fields[struct]));
      return [struct, Object.fromEntries(Object.entries(fields).toSorted(([a], [b]) => (a < b ? -1 : 1)))];
    }),
  );
}

function stated(entries) {
  return Object.fromEntries(
    entries.filter(([, value]) => (typeof value === "string" ? value !== "" : Object.keys(value).length > 0)),
  );
}

function enumTypes({ values, fields }, definitions) {
  const found = {};
  for (const [definition, schema] of Object.entries(definitions)) {
    const { place, name } = definitionPlace(definition);
    for (const [field, property] of Object.entries(schema.properties ?? {})) {
      const type = fields[`${place}.${name}`]?.[field];
      if (type === undefined || leafOf(property).enum === undefined) continue;
      if (!isSameSet(leafOf(property).enum, values[type])) throw new TypeError(`${type} has other values in Go`);
      found[type] = true;
    }
  }
  return found;
}

// Lists and maps have the schema of their values.
function leafOf(schema) {
  const inner = schema.items ?? schema.additionalProperties;
  return typeof inner === "object" ? leafOf(inner) : schema;
}

function isSameSet(left, right) {
  return JSON.stringify(left.toSorted()) === JSON.stringify(right.toSorted());
}
