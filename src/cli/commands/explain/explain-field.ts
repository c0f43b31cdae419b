import {
  type BuiltInResource,
  builtInResources,
  builtInSchema,
  definitionNameOf,
  describeDefinition,
  referenceIn,
  type TypeDescriptions,
} from "@kubescaffold/k8s/tables";
import { readYamlDocuments, YamlError } from "@kubescaffold/k8s/yaml";
import { asRecord, isRecord, nearestName } from "@kubescaffold/platform";

import { createDiskReader } from "../../../machinery/disk.ts";
import { FileTree } from "../../../machinery/file-tree.ts";
import { UnknownTopicError } from "../../command/errors.ts";

type Schema = Readonly<Record<string, unknown>>;

/** A kind with its schema. */
export interface ExplainedKind {
  readonly kind: string;
  /** The group and version, such as `apps/v1`. */
  readonly version: string;
  /** The names in lower case that users call it by. */
  readonly names: readonly string[];
  /** Set for a kind of Kubernetes: returns the kind with the descriptions of its types. */
  readonly describedBy?: (types: TypeDescriptions) => ExplainedKind;
  readonly schema: () => Schema;
  /** Returns a schema, or the one that it refers to. */
  readonly resolve: Resolve;
}

type Resolve = (schema: Schema) => Schema;

const CRD_FOLDER = "config/crd/bases";

/** The kinds that can be explained. */
export interface FoundKinds {
  /** The kinds of the project, from its generated CRDs, then the built-in ones. */
  readonly kinds: readonly ExplainedKind[];
  /** The errors of files of the project with invalid YAML, whose kinds are missing. */
  readonly unreadable: readonly YamlError[];
}

/** Returns the kinds of a project and of Kubernetes. */
export async function findKinds(root: string): Promise<FoundKinds> {
  const tree = new FileTree(createDiskReader(root));
  const unreadable: YamlError[] = [];
  const own = tree
    .filesBelow(CRD_FOLDER)
    .filter((file) => file.endsWith(".yaml"))
    .flatMap((file) => {
      try {
        return readYamlDocuments(tree.read(file) ?? "", { file }).flatMap((each) => kindsOfCrd(each));
      } catch (error) {
        if (!(error instanceof YamlError)) throw error;
        unreadable.push(error);
        return [];
      }
    });
  return { kinds: [...own, ...builtInResources.map((resource) => builtInKind(resource))], unreadable };
}

function kindsOfCrd(document: unknown): readonly ExplainedKind[] {
  const { group, names, versions } = asRecord(asRecord(document)["spec"]);
  const { kind = "", plural = "", singular = "", shortNames = [] } = asRecord(names);
  const called = [kind, plural, singular, ...(Array.isArray(shortNames) ? shortNames : [])].map(String);
  return (Array.isArray(versions) ? versions : [])
    .map((each) => asRecord(each))
    .toSorted((left, right) => Number(right["storage"] === true) - Number(left["storage"] === true))
    .map(({ name, schema }) => ({
      kind: String(kind),
      version: `${String(group)}/${String(name)}`,
      names: called.map((each) => each.toLowerCase()).filter((each) => each !== ""),
      schema: () => asRecord(asRecord(schema)["openAPIV3Schema"]),
      resolve: (each) => each,
    }));
}

function builtInKind(resource: BuiltInResource, types: TypeDescriptions = {}): ExplainedKind {
  const { group, version, kind, plural, singular, shortNames } = resource;
  return {
    kind,
    version: group === "" ? version : `${group}/${version}`,
    names: [kind.toLowerCase(), plural, singular, ...shortNames],
    describedBy: (each) => builtInKind(resource, each),
    schema: () => describedDefinition(definitionNameOf(resource), types),
    resolve: (schema) => {
      const reference = referenceIn(schema);
      if (reference === undefined) return schema;
      const { description } = schema;
      return {
        ...describedDefinition(reference, types),
        ...(typeof description === "string" ? { description } : {}),
      };
    },
  };
}

function describedDefinition(name: string | undefined, types: TypeDescriptions): Schema {
  const schema = name === undefined ? undefined : builtInSchema(name);
  return name === undefined || schema === undefined ? {} : asRecord(describeDefinition(name, schema, types));
}

/** Returns the names of the fields of a kind or of its field at a path; none if there is no such field. */
export function fieldNames({ schema, resolve }: ExplainedKind, path: readonly string[]): readonly string[] {
  let properties = propertiesOf(resolve(schema()), resolve);
  for (const name of path) {
    properties = Object.hasOwn(properties, name) ? propertiesOf(resolve(asRecord(properties[name])), resolve) : {};
  }
  return Object.keys(properties);
}

/** Returns the facts about a field as JSON shows them. Fails: as {@link explainField}. */
export function fieldFacts(explained: ExplainedKind, path: readonly string[]): Schema {
  const { resolve } = explained;
  const schema = fieldSchema(explained, path);
  const { description } = schema;
  const required = elementOf(schema, resolve)["required"];
  const isRequired = (name: string): boolean => Array.isArray(required) && required.includes(name);
  return {
    name: explained.kind,
    version: explained.version,
    path,
    type: typeOf(schema, resolve),
    ...(typeof description === "string" ? { description } : {}),
    rules: Object.fromEntries(RULES.filter((rule) => schema[rule] !== undefined).map((rule) => [rule, schema[rule]])),
    fields: Object.entries(propertiesOf(schema, resolve)).map(([name, value]) => {
      const field = resolve(asRecord(value));
      const text = field["description"];
      return {
        name,
        type: typeOf(field, resolve),
        required: isRequired(name),
        ...(typeof text === "string" ? { description: text } : {}),
      };
    }),
  };
}

/** Returns the text about a field of a kind, or about the kind if the path is empty. Fails: {@link UnknownTopicError}. */
export function explainField(explained: ExplainedKind, path: readonly string[]): string {
  const { kind, version, resolve } = explained;
  const schema = fieldSchema(explained, path);
  const head = [`Kind:     ${kind}`, `Version:  ${version}`];
  if (path.length > 0) head.push(`Field:    ${path.join(".")} <${typeOf(schema, resolve)}>`);
  const texts = [schema["description"], ...rulesOf(schema)].filter((each) => typeof each === "string");
  return [head.join("\n"), ...texts, ...fieldsOf(schema, resolve)].join("\n\n");
}

function fieldSchema({ kind, schema: schemaOf, resolve }: ExplainedKind, path: readonly string[]): Schema {
  let schema = resolve(schemaOf());
  const passed = [kind.toLowerCase()];
  for (const name of path) {
    const properties = propertiesOf(schema, resolve);
    const next = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (next === undefined) {
      const nearest = nearestName(name, Object.keys(properties));
      throw new UnknownTopicError(
        [...passed, name].join("."),
        nearest === undefined ? undefined : [...passed, nearest].join("."),
        { name, of: passed.join(".") },
      );
    }
    passed.push(name);
    schema = resolve(asRecord(next));
  }
  return schema;
}

function fieldsOf(schema: Schema, resolve: Resolve): readonly string[] {
  const properties = Object.entries(propertiesOf(schema, resolve));
  if (properties.length === 0) return [];
  const required = elementOf(schema, resolve)["required"];
  const rows = properties.map(([name, value]) => {
    const field = resolve(asRecord(value));
    const isRequired = Array.isArray(required) && required.includes(name);
    const { description } = field;
    const [first = ""] = typeof description === "string" ? description.split(/(?<=\.)\s/u) : [];
    return [
      `  ${name} <${typeOf(field, resolve)}>${isRequired ? " required" : ""}`,
      first.replaceAll("\n", " "),
    ] as const;
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
function elementOf(schema: Schema, resolve: Resolve): Schema {
  const inner = schema["items"] ?? schema["additionalProperties"];
  return isRecord(inner) && schema["properties"] === undefined ? elementOf(resolve(inner), resolve) : schema;
}

function propertiesOf(schema: Schema, resolve: Resolve): Schema {
  return asRecord(elementOf(schema, resolve)["properties"]);
}

function typeOf(schema: Schema, resolve: Resolve): string {
  const { type, items, additionalProperties } = schema;
  if (type === "array") return `[]${typeOf(resolve(asRecord(items)), resolve)}`;
  if (isRecord(additionalProperties)) return `map[string]${typeOf(resolve(additionalProperties), resolve)}`;
  if (schema["x-kubernetes-int-or-string"] === true || schema["format"] === "int-or-string") return "integer or string";
  return typeof type === "string" ? type : "any";
}
