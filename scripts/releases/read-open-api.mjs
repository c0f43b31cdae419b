import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

import { readEnums } from "./read-enums.mjs";

const FILE = /^(?:api|apis__(?<group>[^_]+))__(?<version>v\d+(?:(?:alpha|beta)\d+)?)_openapi\.json$/u;

/**
 * Reads the OpenAPI v3 documents of all group versions from the sources of Kubernetes, as a server of that version serves them, but for descriptions:
 * `{ group, version, schemas }`, in the order of their names.
 */
export function readOpenApi(sources) {
  const folder = path.join(sources, "api", "openapi-spec", "v3");
  const generated = path.join(sources, "pkg", "generated", "openapi", "zz_generated.openapi.go");
  const enums = readEnums(readFileSync(generated, "utf8"));
  return readdirSync(folder)
    .map((file) => ({ file, groups: FILE.exec(file)?.groups }))
    .filter(({ groups }) => groups !== undefined)
    .map(({ file, groups }) => {
      const { components } = JSON.parse(readFileSync(path.join(folder, file), "utf8"));
      const schemas = withEnums(components.schemas, enums);
      return { group: groups.group ?? "", version: groups.version, schemas: withoutDescriptions(schemas) };
    })
    .toSorted((a, b) => compareTexts(a.group, b.group) || compareTexts(a.version, b.version));
}

function withEnums(schemas, enums) {
  for (const [name, schema] of Object.entries(schemas)) {
    for (const { path: fields, values } of enums.get(name.split(".").slice(-3).join("_")) ?? []) {
      const target = fields.reduce((at, field) => child(at, field), schema);
      if (target === undefined) throw new TypeError(`${name} has no field ${fields.join(".")}, which has an enum`);
      target.enum = values;
    }
  }
  return schemas;
}

function child(schema, field) {
  return field === "[]" ? (schema?.items ?? schema?.additionalProperties) : schema?.properties?.[field];
}

// A property may be called description, so only texts are removed. Members are sorted, as servers do not always sort them.
function withoutDescriptions(value) {
  if (Array.isArray(value)) return value.map(withoutDescriptions);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, item]) => !(key === "description" && typeof item === "string"))
      .toSorted(([a], [b]) => compareTexts(a, b))
      .map(([key, item]) => [key, withoutDescriptions(item)]),
  );
}

function compareTexts(a, b) {
  return a < b ? -1 : Number(a > b);
}
