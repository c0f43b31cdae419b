import { crd, gadget, pathOf } from "../kinds.ts";
import { objectOf, type Answer, type Json, type Row } from "../row.ts";
import { installCrd } from "./install-crd.ts";

const MERGE = "application/merge-patch+json";

export const SCHEMA_ROWS: readonly Row[] = [
  {
    row: 53,
    title: "what breaks the schema is 422 with the field, the reason and the value",
    run: async ({ namespace, send, quietly, note }) => {
      const refuse = async (step: string, spec: Json): Promise<unknown> =>
        send(step, { method: "POST", path: pathOf("gadgets", namespace), body: gadget("g", spec) });
      for (const [step, spec] of Object.entries(INVALID_SPECS)) await refuse(step, spec);
      await send("no title", {
        method: "POST",
        path: pathOf("gadgets", namespace),
        body: { ...gadget("g"), spec: {} },
      });
      const several = await quietly({
        method: "POST",
        path: pathOf("gadgets", namespace),
        body: { ...gadget("g"), spec: { count: 0, mode: "z", flag: "yes" } },
      });
      note("several at once, in whatever order", unorderedCauses(several));
      await send("spec of another type", {
        method: "POST",
        path: pathOf("gadgets", namespace),
        body: { ...gadget("g"), spec: "text" },
      });
      await send("another kind", {
        method: "POST",
        path: pathOf("gadgets", namespace),
        body: { ...gadget("g"), kind: "Widget" },
      });
      await send("another version", {
        method: "POST",
        path: pathOf("gadgets", namespace),
        body: { ...gadget("g"), apiVersion: "conformance.example.com/v2" },
      });
      await send("no kind", { method: "POST", path: pathOf("gadgets", namespace), text: '{"metadata":{"name":"g"}}' });
      await send("no JSON", { method: "POST", path: pathOf("gadgets", namespace), text: "{" });
      await send("a configmap of another type", {
        method: "POST",
        path: pathOf("configmaps", namespace),
        body: { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "c" }, data: { a: 1 } },
      });
      await send("everything valid", {
        method: "POST",
        path: pathOf("gadgets", namespace),
        body: gadget("valid", VALID_SPEC),
      });
    },
  },
  {
    row: 54,
    title: "defaults are filled in on create, and on read of objects older than the default",
    run: async ({ namespace, quietly, send, eventually, ...context }) => {
      await send("create", {
        method: "POST",
        path: pathOf("gadgets", namespace),
        body: gadget("g", { items: [{ name: "a" }, { name: "b", weight: 1 }] }),
      });
      const definition = crd({
        group: "row54.example.com",
        kind: "Elder",
        schema: { spec: { type: "object", properties: { size: { type: "integer" } } } },
      });
      await installCrd({ ...context, quietly, eventually }, definition);
      const path = `/apis/row54.example.com/v1/namespaces/${namespace}/elders`;
      const old = objectOf(
        await quietly({
          method: "POST",
          path,
          body: { apiVersion: "row54.example.com/v1", kind: "Elder", metadata: { name: "old" }, spec: {} },
        }),
      );
      await quietly({
        method: "PATCH",
        path: "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/elders.row54.example.com",
        body: [
          {
            op: "add",
            path: "/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/color",
            value: { type: "string", default: "red" },
          },
        ],
        contentType: "application/json-patch+json",
      });
      await eventually({ path: `${path}/old` }, (answer) => objectOf(answer).spec?.["color"] === "red");
      const read = objectOf(await send("read the old object", { path: `${path}/old` }));
      context.note("it was not written", read.metadata.resourceVersion === old.metadata.resourceVersion);
      await send("list", { path });
    },
  },
  {
    row: 55,
    title: "unknown fields are pruned, those below preserve-unknown-fields kept",
    run: async ({ namespace, send }) => {
      const path = `${pathOf("gadgets", namespace)}?fieldValidation=Ignore`;
      await send("create", {
        method: "POST",
        path,
        body: {
          ...gadget("g", {
            bogus: 1,
            nested: { depth: 1, bogus: 2 },
            items: [{ name: "a", bogus: 3 }],
            free: { anything: { goes: [1, "two", { three: 3 }] }, known: { a: "x", bogus: 4 } },
            labels: { a: "b" },
          }),
          bogus: true,
          metadata: { name: "g", bogus: "x", labels: { kept: "yes" } },
        },
      });
      await send("get", { path: pathOf("gadgets", namespace, "g") });
      await send("update", {
        method: "PATCH",
        path: `${pathOf("gadgets", namespace, "g")}?fieldValidation=Ignore`,
        body: { spec: { other: 1, free: { more: 1 } } },
        contentType: MERGE,
      });
    },
  },
  {
    row: 56,
    title: "null is kept where it is allowed and dropped for a default where it is not",
    run: async ({ namespace, send }) => {
      const create = async (step: string, name: string, spec: Json): Promise<unknown> =>
        send(step, { method: "POST", path: pathOf("gadgets", namespace), body: gadget(name, spec) });
      await create("a nullable field", "nullable", { note: null });
      await create("a field with a default", "default", { level: null, nested: { depth: null } });
      await create("a field without a default", "none", { flag: null });
      await create("a required field", "required", { title: null });
      await create("an item", "item", { items: [{ name: "a", weight: null }] });
      await create("a map value", "map", { labels: { a: null } });
    },
  },
  {
    row: 57,
    title: "int-or-string takes both and nothing else",
    run: async ({ namespace, send }) => {
      const create = async (step: string, name: string, port: unknown): Promise<unknown> =>
        send(step, { method: "POST", path: pathOf("gadgets", namespace), body: gadget(name, { port }) });
      await create("an integer", "int", 80);
      await create("a string", "string", "http");
      await create("a fraction", "fraction", 1.5);
      await create("a boolean", "boolean", true);
      await create("an object", "object", {});
    },
  },
  {
    row: 58,
    title: "the metadata of an embedded resource is validated",
    run: async ({ namespace, send }) => {
      const create = async (step: string, name: string, template: Json): Promise<unknown> =>
        send(step, { method: "POST", path: pathOf("gadgets", namespace), body: gadget(name, { template }) });
      await create("valid", "valid", {
        apiVersion: "v1",
        kind: "Pod",
        metadata: { name: "p", labels: { a: "b" } },
        spec: { anything: 1 },
      });
      await create("a bad name", "name", { apiVersion: "v1", kind: "Pod", metadata: { name: "Bad_Name" } });
      await create("a bad label", "label", { apiVersion: "v1", kind: "Pod", metadata: { labels: { "bad key": "x" } } });
      await create("no kind", "kind", { metadata: {} });
      await create("metadata of another type", "type", { apiVersion: "v1", kind: "Pod", metadata: "x" });
      await create("an unknown field of metadata", "unknown", {
        apiVersion: "v1",
        kind: "Pod",
        metadata: { name: "p", bogus: 1 },
      });
    },
  },
];

// The reference walks properties in no order of its own.
function unorderedCauses({ body }: Answer): unknown {
  const { details, message, ...status } = body as {
    readonly message: string;
    readonly details: { readonly causes: readonly { readonly field: string }[] };
  };
  const [prefix, list = ""] = message.split(": [");
  return {
    ...status,
    prefix,
    parts: list
      .replace(/\]$/u, "")
      .split(", spec.")
      .map((part) => part.replace(/^spec\./u, ""))
      .sort(),
    causes: [...details.causes].sort((a, b) => a.field.localeCompare(b.field)),
  };
}

const VALID_SPEC: Json = {
  title: "fine",
  count: 10,
  ratio: 2.5,
  flag: false,
  mode: "b",
  items: [{ name: "a" }, { name: "b" }],
  tags: ["x", "y"],
  labels: { a: "b" },
  when: "2024-01-01T00:00:00Z",
  choice: { x: "1" },
};

const INVALID_SPECS: Readonly<Record<string, Json>> = {
  "a string for an integer": { count: "five" },
  "a fraction for an integer": { count: 1.5 },
  "an integer in floating point is fine but out of range": { count: 11.0 },
  "an integer beyond int32": { count: 3_000_000_000 },
  "an integer for a string": { title: 5 },
  "a string for a boolean": { flag: "true" },
  "an object for an array": { items: {} },
  "an array for an object": { nested: [] },
  "a value not of the enum": { mode: "z" },
  "below the minimum": { count: 0 },
  "not above the exclusive minimum": { ratio: 0 },
  "no multiple": { ratio: 0.7 },
  "against the pattern": { title: "Up" },
  "too short": { title: "a" },
  "too long": { title: "abcdefghi" },
  "too many items": { items: [{ name: "a" }, { name: "b" }, { name: "c" }, { name: "d" }] },
  "too few items": { tags: [] },
  "a duplicate in a set": { tags: ["x", "y", "x"] },
  "a duplicate key in a map list": { items: [{ name: "a" }, { name: "a" }] },
  "an item without its key": { items: [{ weight: 1 }] },
  "too many properties": { labels: { a: "1", b: "2", c: "3" } },
  "a wrong additional property": { labels: { a: 1 } },
  "no time": { when: "yesterday" },
  "none of oneOf": { choice: {} },
  "two of oneOf": { choice: { x: "1", y: "2" } },
};
