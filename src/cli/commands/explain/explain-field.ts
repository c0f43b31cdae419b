import { isRecord } from "@kubescaffold/k8s";
import { builtInResources, builtInSchema } from "@kubescaffold/k8s/tables";
import { readYamlDocuments } from "@kubescaffold/k8s/yaml";

import { createDiskReader } from "../../../machinery/disk.ts";
import { FileTree } from "../../../machinery/file-tree.ts";
import { nearestName } from "../../../plugin/nearest-name.ts";
import { UnknownTopicError } from "../../errors.ts";

type Schema = Readonly<Record<string, unknown>>;

/** A kind with its schema. */
export interface ExplainedKind {
  readonly kind: string;
  /** The group and version, such as `apps/v1`. */
  readonly version: string;
  /** The names in lower case that users call it by. */
  readonly names: readonly string[];
  readonly schema: () => Schema;
}

const CRD_FOLDER = "config/crd/bases";

/** Returns the kinds of a project, from its generated CRDs, then the built-in ones. */
export async function findKinds(root: string): Promise<readonly ExplainedKind[]> {
  const tree = new FileTree(createDiskReader(root));
  const files = tree.filesBelow(CRD_FOLDER).filter((file) => file.endsWith(".yaml"));
  const own = files.flatMap((file) =>
    readYamlDocuments(tree.read(file) ?? "", { file }).flatMap((each) => kindsOfCrd(each)),
  );
  return [...own, ...BUILT_IN];
}

function kindsOfCrd(document: unknown): readonly ExplainedKind[] {
  const { group, names, versions } = recordOf(recordOf(document)["spec"]);
  const { kind = "", plural = "", singular = "", shortNames = [] } = recordOf(names);
  const called = [kind, plural, singular, ...(Array.isArray(shortNames) ? shortNames : [])].map(String);
  return (Array.isArray(versions) ? versions : [])
    .map((each) => recordOf(each))
    .toSorted((left, right) => Number(right["storage"] === true) - Number(left["storage"] === true))
    .map(({ name, schema }) => ({
      kind: String(kind),
      version: `${String(group)}/${String(name)}`,
      names: called.map((each) => each.toLowerCase()).filter((each) => each !== ""),
      schema: () => recordOf(recordOf(schema)["openAPIV3Schema"]),
    }));
}

const BUILT_IN: readonly ExplainedKind[] = builtInResources.map((resource) => {
  const { group, version, kind, plural, singular, shortNames } = resource;
  return {
    kind,
    version: group === "" ? version : `${group}/${version}`,
    names: [kind.toLowerCase(), plural, singular, ...shortNames],
    schema: () => recordOf(builtInSchema(resource)),
  };
});

/** Returns the names of the fields of a kind or of its field at a path; none if there is no such field. */
export function fieldNames({ schema }: ExplainedKind, path: readonly string[]): readonly string[] {
  let properties = propertiesOf(resolved(schema()));
  for (const name of path) {
    properties = Object.hasOwn(properties, name) ? propertiesOf(resolved(recordOf(properties[name]))) : {};
  }
  return Object.keys(properties);
}

/** Returns the facts about a field as JSON shows them. Fails: as {@link explainField}. */
export function fieldFacts(explained: ExplainedKind, path: readonly string[]): Schema {
  const schema = fieldSchema(explained, path);
  const { description } = schema;
  const required = elementOf(schema)["required"];
  const isRequired = (name: string): boolean => Array.isArray(required) && required.includes(name);
  return {
    name: explained.kind,
    version: explained.version,
    path,
    type: typeOf(schema),
    ...(typeof description === "string" ? { description } : {}),
    rules: Object.fromEntries(RULES.filter((rule) => schema[rule] !== undefined).map((rule) => [rule, schema[rule]])),
    fields: Object.entries(propertiesOf(schema)).map(([name, value]) => {
      const field = resolved(recordOf(value));
      const text = field["description"];
      return {
        name,
        type: typeOf(field),
        required: isRequired(name),
        ...(typeof text === "string" ? { description: text } : {}),
      };
    }),
  };
}

/** Returns the text about a field of a kind, or about the kind if the path is empty. Fails: {@link UnknownTopicError}. */
export function explainField(explained: ExplainedKind, path: readonly string[]): string {
  const { kind, version } = explained;
  const schema = fieldSchema(explained, path);
  const head = [`Kind:     ${kind}`, `Version:  ${version}`];
  if (path.length > 0) head.push(`Field:    ${path.join(".")} <${typeOf(schema)}>`);
  const texts = [schema["description"], ...rulesOf(schema)].filter((each) => typeof each === "string");
  return [head.join("\n"), ...texts, ...fieldsOf(schema)].join("\n\n");
}

function fieldSchema({ kind, schema: schemaOf }: ExplainedKind, path: readonly string[]): Schema {
  let schema = resolved(schemaOf());
  const passed = [kind.toLowerCase()];
  for (const name of path) {
    const properties = propertiesOf(schema);
    const next = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (next === undefined) {
      const nearest = nearestName(name, Object.keys(properties));
      throw new UnknownTopicError(
        [...passed, name].join("."),
        nearest === undefined ? undefined : [...passed, nearest].join("."),
      );
    }
    passed.push(name);
    schema = resolved(recordOf(next));
  }
  return schema;
}

function fieldsOf(schema: Schema): readonly string[] {
  const properties = Object.entries(propertiesOf(schema));
  if (properties.length === 0) return [];
  const required = elementOf(schema)["required"];
  const rows = properties.map(([name, value]) => {
    const field = resolved(recordOf(value));
    const isRequired = Array.isArray(required) && required.includes(name);
    const { description } = field;
    const [first = ""] = typeof description === "string" ? description.split(/(?<=\.)\s/u) : [];
    return [`  ${name} <${typeOf(field)}>${isRequired ? " required" : ""}`, first.replaceAll("\n", " ")] as const;
  });
  const lines = rows.map(([left, right]) => (right === "" ? left : `${left}\n      ${right}`));
  return [`Fields:\n${lines.join("\n")}`];
}

const RULES = [
  "default",
  "enum",
  "format",
  "pattern",
  "minimum",
  "maximum",
  "minLength",
  "maxLength",
  "minItems",
  "maxItems",
];

function rulesOf(schema: Schema): readonly string[] {
  const rules = RULES.filter((name) => schema[name] !== undefined).map(
    (name) => `  ${name}: ${JSON.stringify(schema[name])}`,
  );
  return rules.length === 0 ? [] : [`Rules:\n${rules.join("\n")}`];
}

// The fields of lists and maps are those of their items.
function elementOf(schema: Schema): Schema {
  const inner = schema["items"] ?? schema["additionalProperties"];
  return isRecord(inner) && schema["properties"] === undefined ? elementOf(resolved(inner)) : schema;
}

function propertiesOf(schema: Schema): Schema {
  return recordOf(elementOf(schema)["properties"]);
}

// A reference beside a description is in a list of one.
function resolved(schema: Schema): Schema {
  const [only] =
    Array.isArray(schema["allOf"]) && schema["allOf"].length === 1 ? (schema["allOf"] as readonly unknown[]) : [];
  const reference = schema["$ref"] ?? recordOf(only)["$ref"];
  if (typeof reference !== "string") return schema;
  return {
    ...recordOf(builtInSchema(reference)),
    ...(typeof schema["description"] === "string" ? { description: schema["description"] } : {}),
  };
}

function typeOf(schema: Schema): string {
  const { type, items, additionalProperties } = schema;
  if (type === "array") return `[]${typeOf(resolved(recordOf(items)))}`;
  if (isRecord(additionalProperties)) return `map[string]${typeOf(resolved(additionalProperties))}`;
  if (schema["x-kubernetes-int-or-string"] === true || schema["format"] === "int-or-string") return "integer or string";
  return typeof type === "string" ? type : "any";
}

function recordOf(value: unknown): Schema {
  return isRecord(value) ? value : {};
}
