// Tables of what controller-gen makes of the structs of Kubernetes' API packages, and what differs in those of another version.
import { schemaPatch } from "../releases/table-patch.mjs";
import { literal, NOTICE, printTexts } from "./print-tables.mjs";

/** Returns the schemas of structs by group and version and by name, from the output of scripts/k8s-structs, with references to other structs. */
export function structTables(schemas) {
  const flat = Object.fromEntries(Object.entries(schemas).map(([name, each]) => [name, each.flat]));
  const places = {};
  for (const [name, schema] of Object.entries(compressed(flat)).toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const [place, type] = name.split(".");
    places[place] = { ...places[place], [type]: schema };
  }
  return places;
}

/** Returns what makes the tables of one version of those of another: by group and version, structs by name, as in the patches of definitions. */
export function structPatch(base, other) {
  const places = Object.keys({ ...base, ...other }).toSorted();
  const patches = places.map((place) => [place, schemaPatch(base[place] ?? {}, other[place] ?? {})]);
  return Object.fromEntries(patches.filter(([, patch]) => Object.keys(patch).length > 0));
}

/** Prints the module that holds the schemas of all structs. */
export function printStructs(tables) {
  const texts = new Map(Object.entries(tables).map(([place, structs]) => [place, Object.entries(structs)]));
  return printTexts({ texts, name: "structTexts", what: "schemas of structs" });
}

/** Prints the module of what differs in the structs of another version: one struct a line, which is what makes a change readable. */
export function printStructPatch(minor, patch) {
  const places = Object.entries(patch).map(([place, structs]) => {
    const lines = Object.entries(structs).map(([name, schema]) => `${JSON.stringify(name)}:${JSON.stringify(schema)}`);
    return `${JSON.stringify(place)}:{\n${lines.join(",\n")}\n}`;
  });
  return `/** What differs in the structs of Kubernetes ${minor} from those of the version of the types of this package. */
${NOTICE}
/** What differs in the structs of Kubernetes ${minor}, as JSON. */
export const structPatch: string = ${literal(`{\n${places.join(",\n")}\n}`)};
`;
}

// Writes a reference wherever a schema equals that of a struct, which is exact whatever the names are.
function compressed(structs) {
  const nameOfText = new Map();
  for (const [name, schema] of Object.entries(structs)) {
    const text = JSON.stringify(schema);
    if (text.length > 80 && !nameOfText.has(text)) nameOfText.set(text, name);
  }
  const replace = (value) => {
    if (Array.isArray(value)) return value.map(replace);
    if (typeof value !== "object" || value === null) return value;
    const name = nameOfText.get(JSON.stringify(value));
    return name === undefined ? mapFields(value, replace) : { $ref: name };
  };
  return Object.fromEntries(
    Object.entries(structs).map(([name, schema]) => {
      const first = nameOfText.get(JSON.stringify(schema));
      return [name, first === undefined || first === name ? mapFields(schema, replace) : { $ref: first }];
    }),
  );
}

function mapFields(value, change) {
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, change(item)]));
}
