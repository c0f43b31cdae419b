import { crd } from "../kinds.ts";
import { objectOf, type Answer, type Json, type Row, type RowContext } from "../row.ts";
import { factsOf } from "./applied-facts.ts";
import { CRDS_PATH, installCrd } from "./install-crd.ts";

const APPLY = "application/apply-patch+yaml";
const MERGE = "application/merge-patch+json";
const GROUP = "row701.example.com";

/** Rows about writes of stored objects that do not fit the schema of their definition any more. */
export const OUTDATED_OBJECT_ROWS: readonly Row[] = [
  { row: 701, title: "writes of stored objects that no longer fit the schema", run: writesOutdatedObjects },
];

const TEXT = { type: "string" };
const KEYED = {
  type: "array",
  "x-kubernetes-list-type": "map",
  "x-kubernetes-list-map-keys": ["name"],
  items: { type: "object", required: ["name"], properties: { name: TEXT, value: { type: "integer" } } },
};
const OBJECTS = { type: "array", items: { type: "object", properties: { name: TEXT, value: { type: "integer" } } } };
const SET = { type: "array", "x-kubernetes-list-type": "set", items: TEXT };
const TEXTS = { type: "array", items: TEXT };
const OBJECT = { type: "object", properties: { a: TEXT } };
const ANY = { "x-kubernetes-preserve-unknown-fields": true };

interface Change {
  readonly before: Json;
  readonly stored: unknown;
  readonly after: Json;
  /** What is applied to the field afterwards. */
  readonly applied: unknown;
}

const CHANGES: Readonly<Record<string, Change>> = {
  textToNumber: { before: TEXT, stored: "x", after: { type: "integer" }, applied: 1 },
  numberToText: { before: { type: "integer" }, stored: 1, after: TEXT, applied: "x" },
  numberToFlag: { before: { type: "number" }, stored: 1, after: { type: "boolean" }, applied: true },
  flagToText: { before: { type: "boolean" }, stored: true, after: TEXT, applied: "x" },
  listToObject: { before: TEXTS, stored: ["x"], after: OBJECT, applied: { a: "y" } },
  objectToList: { before: OBJECT, stored: { a: "x" }, after: TEXTS, applied: ["y"] },
  objectToText: { before: OBJECT, stored: { a: "x" }, after: TEXT, applied: "y" },
  textToObject: { before: TEXT, stored: "x", after: OBJECT, applied: { a: "y" } },
  textsToNumbers: { before: TEXTS, stored: ["x"], after: { type: "array", items: { type: "integer" } }, applied: [1] },
  listToSet: { before: TEXTS, stored: ["x", "x", "y"], after: SET, applied: ["z"] },
  listToKeyed: { before: OBJECTS, stored: [{ name: "a" }, { name: "b" }], after: KEYED, applied: [{ name: "c" }] },
  listToKeyedTwice: { before: OBJECTS, stored: [{ name: "a" }, { name: "a" }], after: KEYED, applied: [{ name: "c" }] },
  listToKeyedWithout: { before: OBJECTS, stored: [{ value: 1 }], after: KEYED, applied: [{ name: "c" }] },
  setToKeyed: { before: SET, stored: ["x", "y"], after: KEYED, applied: [{ name: "c" }] },
  keyedToSet: { before: KEYED, stored: [{ name: "a" }], after: SET, applied: ["z"] },
  keyedToList: { before: KEYED, stored: [{ name: "a" }, { name: "b" }], after: OBJECTS, applied: [{ name: "c" }] },
  setToList: { before: SET, stored: ["x", "y"], after: TEXTS, applied: ["z"] },
  keyOfKeyed: {
    before: KEYED,
    stored: [{ name: "a", value: 1 }],
    after: { ...KEYED, "x-kubernetes-list-map-keys": ["value"], items: { ...KEYED.items, required: ["value"] } },
    applied: [{ name: "c", value: 2 }],
  },
  atomicObject: {
    before: OBJECT,
    stored: { a: "x" },
    after: { ...OBJECT, "x-kubernetes-map-type": "atomic" },
    applied: { a: "y" },
  },
  granularObject: {
    before: { ...OBJECT, "x-kubernetes-map-type": "atomic" },
    stored: { a: "x" },
    after: OBJECT,
    applied: { a: "y" },
  },
  anyToText: { before: ANY, stored: { z: [1] }, after: TEXT, applied: "y" },
  anyToObject: { before: ANY, stored: "x", after: OBJECT, applied: { a: "y" } },
  anyToKeyed: { before: ANY, stored: [{ name: "a" }, 1], after: KEYED, applied: [{ name: "c" }] },
  textToAny: { before: TEXT, stored: "x", after: ANY, applied: { z: 1 } },
  required: { before: TEXT, stored: "x", after: { type: "string", maxLength: 0 }, applied: "" },
};

const WRITES: Readonly<Record<string, (spec: Json, own: Json) => Pick<Write, "query" | "contentType" | "spec">>> = {
  "apply of another field": (spec) => ({ query: "fieldManager=one", contentType: APPLY, spec }),
  "apply of another field by another": () => ({ query: "fieldManager=two", contentType: APPLY, spec: { other: "2" } }),
  "apply of the field": (_spec, own) => ({ query: "fieldManager=one", contentType: APPLY, spec: own }),
  "apply of the field by another": (_spec, own) => ({ query: "fieldManager=two", contentType: APPLY, spec: own }),
  "forced apply of the field by another": (_spec, own) => ({
    query: "fieldManager=two&force=true",
    contentType: APPLY,
    spec: own,
  }),
  "patch of another field": () => ({ query: "fieldManager=two", contentType: MERGE, spec: { other: "2" } }),
  "patch of the field": (_spec, own) => ({ query: "fieldManager=two", contentType: MERGE, spec: own }),
};

interface Write {
  readonly query: string;
  readonly contentType: string;
  readonly spec: Json;
}

async function writesOutdatedObjects(context: RowContext): Promise<void> {
  const { namespace, quietly, note, eventually } = context;
  const definition = (form: "before" | "after"): Json => {
    const fields = Object.entries(CHANGES).map(([name, change]) => [name, change[form]]);
    const probe = { type: "string", default: form };
    const properties = { ...Object.fromEntries(fields), other: TEXT };
    const schema = { spec: { type: "object", properties }, probe };
    return crd({ group: GROUP, kind: "Thing", schema });
  };
  const installed = await installCrd(context, definition("before"));
  const path = `/apis/${GROUP}/v1/namespaces/${namespace}/things`;
  const write = async (name: string, { query, contentType, spec }: Write): Promise<Answer> =>
    await quietly({
      method: "PATCH",
      path: `${path}/${name}?${query}`,
      body: contentType === APPLY ? { apiVersion: `${GROUP}/v1`, kind: "Thing", metadata: { name }, spec } : { spec },
      contentType,
    });
  const nameOf = (index: number, step: number): string => `a-${String(index)}-${String(step)}`;
  const changes = Object.entries(CHANGES);
  const writes = Object.entries(WRITES);
  for (const [index, [field, { stored }]] of changes.entries()) {
    for (const step of writes.keys()) {
      const spec = { [field]: stored, other: "1" };
      await write(nameOf(index, step), { query: "fieldManager=one", contentType: APPLY, spec });
    }
  }
  const { spec } = definition("after");
  await quietly({
    method: "PATCH",
    path: `${CRDS_PATH}/${installed.metadata.name}`,
    body: { spec },
    contentType: MERGE,
  });
  // The stored objects keep the default that they were created with.
  const probe = { apiVersion: `${GROUP}/v1`, kind: "Thing", metadata: { name: "probe" } };
  await eventually(
    { method: "POST", path: `${path}?dryRun=All`, body: probe },
    (answer) => objectOf(answer)["probe"] === "after",
  );
  for (const [index, [field, { stored, applied }]] of changes.entries()) {
    const outcomes: Record<string, unknown> = {};
    for (const [step, [title, writeOf]] of writes.entries()) {
      const written = writeOf({ [field]: stored, other: "2" }, { [field]: applied, other: "1" });
      outcomes[title] = factsOf(await write(nameOf(index, step), written));
    }
    note(field, outcomes);
  }
}
