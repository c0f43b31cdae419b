import type { Answer, Json, Row, RowContext } from "../row.ts";
import { factsOf } from "./applied-facts.ts";
import { installCrd } from "./install-crd.ts";

const APPLY = "application/apply-patch+yaml";
const MERGE = "application/merge-patch+json";

/** Rows about writes in a version of objects whose fields have owners in other versions. */
export const OWNER_VERSION_ROWS: readonly Row[] = [
  { row: 702, title: "writes in a version beside owners of another version", run: writesBesideOwners },
];

const TEXT = { type: "string" };
const ITEMS = { type: "array", items: { type: "object", required: ["name"], properties: { name: TEXT, value: TEXT } } };
const KEYED = { ...ITEMS, "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"] };

/** The properties of the spec in each version beside those that both have. */
const SCHEMAS: Readonly<Record<string, { readonly v1beta1: Json; readonly v1: Json }>> = {
  same: { v1beta1: {}, v1: {} },
  adds: { v1beta1: {}, v1: { extra: TEXT } },
  "adds-default": { v1beta1: {}, v1: { extra: { ...TEXT, default: "d" } } },
  "defaults-both": { v1beta1: { extra: { ...TEXT, default: "b" } }, v1: { extra: { ...TEXT, default: "d" } } },
  loses: { v1beta1: { extra: TEXT }, v1: {} },
  "loses-default": { v1beta1: { extra: { ...TEXT, default: "d" } }, v1: {} },
  retypes: { v1beta1: { extra: { type: "integer" } }, v1: { extra: TEXT } },
  keys: { v1beta1: { list: ITEMS }, v1: { list: KEYED } },
  "without-keys": { v1beta1: { list: KEYED }, v1: { list: ITEMS } },
};

type Version = "v1beta1" | "v1";

/** A write: who, how, in which version, and the spec. */
type Step = readonly [who: string, how: "apply" | "force" | "patch", version: Version, spec: Json];

const LIST = { list: [{ name: "a", value: "1" }] };

const SEQUENCES: Readonly<Record<string, readonly Step[]>> = {
  "apply, another field by another": [
    ["one", "apply", "v1beta1", { a: "1" }],
    ["two", "apply", "v1", { b: "1" }],
  ],
  "apply, same field by another": [
    ["one", "apply", "v1beta1", { a: "1" }],
    ["two", "apply", "v1", { a: "2" }],
    ["two", "force", "v1", { a: "2" }],
  ],
  "apply, again in the other version": [
    ["one", "apply", "v1beta1", { a: "1", b: "1" }],
    ["one", "apply", "v1", { a: "1" }],
    ["one", "apply", "v1beta1", { b: "2" }],
  ],
  "apply in v1, in v1beta1 by another": [
    ["one", "apply", "v1", { a: "1" }],
    ["two", "apply", "v1beta1", { b: "1" }],
    ["one", "apply", "v1", {}],
  ],
  "patch, apply by another": [
    ["one", "apply", "v1beta1", { a: "1" }],
    ["two", "patch", "v1beta1", { b: "1" }],
    ["two", "apply", "v1", { b: "2" }],
    ["two", "force", "v1", { b: "2" }],
  ],
  "apply, patch in the other version": [
    ["one", "apply", "v1beta1", { a: "1" }],
    ["two", "patch", "v1", { a: "2" }],
    ["one", "apply", "v1beta1", { a: "1" }],
  ],
  "the extra field in v1": [
    ["one", "apply", "v1beta1", { a: "1" }],
    ["two", "apply", "v1", { extra: "x" }],
    ["two", "patch", "v1", { extra: "y" }],
    ["one", "apply", "v1beta1", { a: "2" }],
  ],
  "the extra field in v1beta1": [
    ["one", "apply", "v1beta1", { extra: "x" }],
    ["two", "apply", "v1", { a: "1" }],
    ["one", "apply", "v1beta1", { a: "2" }],
  ],
  "a list in v1beta1, in v1 by another": [
    ["one", "apply", "v1beta1", LIST],
    ["two", "apply", "v1", { list: [{ name: "b", value: "2" }] }],
    ["two", "force", "v1", { list: [{ name: "a", value: "2" }] }],
  ],
  "a list in v1, in v1beta1 by another": [
    ["one", "apply", "v1", LIST],
    ["two", "apply", "v1beta1", { list: [{ name: "b", value: "2" }] }],
    ["one", "apply", "v1", { list: [] }],
  ],
};

async function writesBesideOwners(context: RowContext): Promise<void> {
  const { namespace, quietly, note } = context;
  for (const [title, schema] of Object.entries(SCHEMAS)) {
    const group = `${title}.row702.example.com`;
    await installCrd(context, definitionOf(group, schema));
    for (const [index, [sequence, steps]] of Object.entries(SEQUENCES).entries()) {
      const name = `a-${String(index)}`;
      const outcomes: unknown[] = [];
      for (const [who, how, version, spec] of steps) {
        const path = `/apis/${group}/${version}/namespaces/${namespace}/things/${name}?fieldManager=${who}`;
        const body = { apiVersion: `${group}/${version}`, kind: "Thing", metadata: { name }, spec };
        const answer: Answer = await quietly({
          method: "PATCH",
          path: `${path}${how === "force" ? "&force=true" : ""}`,
          body: how === "patch" ? { spec } : body,
          contentType: how === "patch" ? MERGE : APPLY,
        });
        outcomes.push(`${who} ${how} ${version}: ${factsOf(answer)}`);
      }
      note(`${title}: ${sequence}`, outcomes);
    }
  }
}

function definitionOf(group: string, { v1beta1, v1 }: { readonly v1beta1: Json; readonly v1: Json }): Json {
  const versionOf = (name: Version, extra: Json): Json => ({
    name,
    served: true,
    storage: name === "v1",
    schema: {
      openAPIV3Schema: {
        type: "object",
        properties: { spec: { type: "object", properties: { a: TEXT, b: TEXT, ...extra } } },
      },
    },
  });
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `things.${group}` },
    spec: {
      group,
      scope: "Namespaced",
      names: { plural: "things", singular: "thing", kind: "Thing" },
      versions: [versionOf("v1beta1", v1beta1), versionOf("v1", v1)],
    },
  };
}
