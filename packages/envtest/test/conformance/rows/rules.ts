import { crd } from "../kinds.ts";
import { objectOf, type Json, type Row, type RowContext } from "../row.ts";
import { CRDS_PATH, installCrd } from "./install-crd.ts";

const MERGE = "application/merge-patch+json";

/** A separate kind for a row, with rules: its path, and how to make an object. */
interface Ruled {
  readonly objects: string;
  readonly make: (name: string, spec: unknown, more?: Json) => Json;
}

async function ruledKind(
  context: RowContext,
  { row, schema, version = {} }: { readonly row: number; readonly schema: Json; readonly version?: Json },
): Promise<Ruled> {
  const group = `row${String(row)}.example.com`;
  const definition = crd({ group, kind: "Ruled", schema, version });
  await installCrd(context, definition);
  return {
    objects: `/apis/${group}/v1/namespaces/${context.namespace}/ruleds`,
    make: (name, spec, more = {}) => ({ apiVersion: `${group}/v1`, kind: "Ruled", metadata: { name }, spec, ...more }),
  };
}

const object = (properties: Json, ...rules: readonly Json[]): Json => ({
  type: "object",
  properties,
  ...(rules.length === 0 ? {} : { "x-kubernetes-validations": rules }),
});
const int = { type: "integer" };
const text = { type: "string" };

export const RULE_ROWS: readonly Row[] = [
  {
    row: 59,
    title: "a broken rule is reported at its value, with the value where that is no object and no list",
    run: async (context) => {
      const { objects, make } = await ruledKind(context, {
        row: 59,
        schema: {
          spec: object(
            {
              size: { ...int, "x-kubernetes-validations": [{ rule: "self > 0" }] },
              name: {
                ...text,
                "x-kubernetes-validations": [{ rule: "self.startsWith('a')", message: "must start with a" }],
              },
              parts: {
                type: "array",
                maxItems: 5,
                items: { ...text, maxLength: 5 },
                "x-kubernetes-validations": [{ rule: "self.size() < 2" }],
              },
              port: {
                "x-kubernetes-int-or-string": true,
                "x-kubernetes-validations": [{ rule: "self > 5", message: "m" }],
              },
            },
            { rule: "!has(self.size) || self.size < 100", message: "must be small" },
            { rule: "!has(self.name) || self.size > -9" },
          ),
        },
      });
      const { send } = context;
      const create = (step: string, spec: Json): Promise<unknown> =>
        send(step, { method: "POST", path: objects, body: make("a", spec) });
      await create("a number", { size: 0 });
      await create("a text", { size: 1, name: "b" });
      await create("a list", { parts: ["a", "b"] });
      await create("an object", { size: 100 });
      await create("an error", { name: "a" });
      await create("a value of the wrong type at run time", { port: "http" });
      await create("sound", { size: 1, name: "a", parts: ["a"], port: 6 });
      await send("a patch", {
        method: "PATCH",
        path: `${objects}/a`,
        contentType: MERGE,
        body: { spec: { size: -1 } },
      });
      await send("dry run", { method: "POST", path: `${objects}?dryRun=All`, body: make("b", { size: -1 }) });
    },
  },
  {
    row: 60,
    title: "a rule about a transition is checked on updates, and not on creates",
    run: async (context) => {
      const { objects, make } = await ruledKind(context, {
        row: 60,
        schema: {
          spec: object({
            size: { ...int, "x-kubernetes-validations": [{ rule: "self >= oldSelf", message: "must not shrink" }] },
            kept: {
              ...text,
              "x-kubernetes-validations": [{ rule: "oldSelf.hasValue() || self == 'new'", optionalOldSelf: true }],
            },
            parts: {
              type: "array",
              maxItems: 5,
              "x-kubernetes-list-type": "map",
              "x-kubernetes-list-map-keys": ["name"],
              items: {
                ...object({ name: { ...text, maxLength: 5 }, value: int }, { rule: "self.value >= oldSelf.value" }),
                required: ["name"],
              },
            },
          }),
        },
      });
      const { send } = context;
      await send("create with an optional old value", {
        method: "POST",
        path: objects,
        body: make("a", { kept: "old" }),
      });
      await send("create", {
        method: "POST",
        path: objects,
        body: make("a", {
          size: 5,
          parts: [
            { name: "x", value: 3 },
            { name: "y", value: 4 },
          ],
        }),
      });
      const patch = (step: string, spec: Json): Promise<unknown> =>
        send(step, { method: "PATCH", path: `${objects}/a`, contentType: MERGE, body: { spec } });
      await patch("shrink", { size: 4 });
      await patch("grow", { size: 6 });
      await patch("remove", { size: null });
      await patch("start anew", { size: 1 });
      await patch("an item of a map list", {
        parts: [
          { name: "z", value: 0 },
          { name: "y", value: 1 },
        ],
      });
      await patch("a value that was not there", { kept: "old" });
      await patch("one that may be there", { kept: "new" });
      await patch("once it is there", { kept: "old" });
    },
  },
  {
    row: 61,
    title: "a rule says itself what is wrong, why and where",
    run: async (context) => {
      const { objects, make } = await ruledKind(context, {
        row: 61,
        schema: {
          spec: object(
            { a: int, b: int, "c-d": text, m: { type: "object", maxProperties: 3, additionalProperties: int } },
            { rule: "self.a > 0", messageExpression: "'a is %d'.format([self.a])", message: "never shown" },
            { rule: "self.a > 1", messageExpression: "string(1 / (self.a - self.a))", message: "shown instead" },
            { rule: "self.a > 2", reason: "FieldValueRequired", fieldPath: ".b", message: "b is needed" },
            { rule: "self.a > 3", reason: "FieldValueForbidden", fieldPath: "['c-d']" },
            { rule: "self.a > 4", reason: "FieldValueDuplicate", fieldPath: ".m['k.e']" },
            { rule: "self.a > 5", reason: "FieldValueInvalid", messageExpression: "'  trimmed  '" },
          ),
        },
      });
      await context.send("all broken", { method: "POST", path: objects, body: make("a", { a: 0 }) });
      await context.send("some broken", { method: "POST", path: objects, body: make("a", { a: 4 }) });
    },
  },
  {
    row: 62,
    title: "rules are not checked where the object does not fit its schema, and the answer says so",
    run: async (context) => {
      const { objects, make } = await ruledKind(context, {
        row: 62,
        schema: {
          spec: {
            ...object(
              { a: { ...int, minimum: 1 }, e: { ...text, enum: ["x"] }, s: { ...text, maxLength: 3 } },
              { rule: "self.a > 10" },
            ),
            required: ["a"],
          },
        },
      });
      const { send } = context;
      await send("a required member", { method: "POST", path: objects, body: make("a", {}) });
      await send("an enum", { method: "POST", path: objects, body: make("a", { a: 1, e: "y" }) });
      await send("a type", { method: "POST", path: objects, body: make("a", { a: "b" }) });
      await send("a length", { method: "POST", path: objects, body: make("a", { a: 1, s: "long" }) });
      await send("a bound, which keeps no rule", { method: "POST", path: objects, body: make("a", { a: 0 }) });
    },
  },
  {
    row: 63,
    title: "what was invalid and has not changed is tolerated, with a warning where a rule says so",
    run: async (context) => {
      const group = "row63.example.com";
      const loose = crd({ group, kind: "Ruled", schema: { spec: object({ a: int, b: int }) } });
      await installCrd(context, loose);
      const objects = `/apis/${group}/v1/namespaces/${context.namespace}/ruleds`;
      const { send, quietly, eventually } = context;
      const body = { apiVersion: `${group}/v1`, kind: "Ruled", metadata: { name: "a" }, spec: { a: 1, b: 1 } };
      await quietly({ method: "POST", path: objects, body });
      const strict = object({
        a: { ...int, minimum: 5 },
        b: { ...int, "x-kubernetes-validations": [{ rule: "self > 5" }] },
      });
      const schema = { openAPIV3Schema: { type: "object", properties: { spec: strict } } };
      await quietly({
        method: "PATCH",
        path: `${CRDS_PATH}/ruleds.${group}`,
        contentType: MERGE,
        body: { spec: { versions: [{ name: "v1", served: true, storage: true, schema }] } },
      });
      await eventually(
        { method: "POST", path: `${objects}?dryRun=All`, body: { ...body, metadata: { name: "b" } } },
        (answer) => answer.status === 422,
      );
      const patch = (step: string, change: Json): Promise<unknown> =>
        send(step, { method: "PATCH", path: `${objects}/a`, contentType: MERGE, body: change });
      await patch("metadata", { metadata: { labels: { a: "b" } } });
      await patch("a rule about what changes", { spec: { b: 2 } });
      await patch("a schema about what changes", { spec: { a: 2 } });
      await patch("one of two becomes sound", { spec: { b: 6 } });
      await patch("and invalid again", { spec: { b: 4 } });
      await send("a new object", { method: "POST", path: objects, body: { ...body, metadata: { name: "c" } } });
    },
  },
  {
    row: 71,
    title: "definitions with rules that do not compile or cost too much are refused",
    run: async ({ send, quietly, cleanUp }) => {
      const refused = async (step: string, spec: Json): Promise<void> => {
        const definition = crd({ group: "row71.example.com", kind: "Ruled", schema: { spec } });
        const answer = await send(step, { method: "POST", path: CRDS_PATH, body: definition });
        if (answer.status === 201) {
          cleanUp(() => quietly({ method: "DELETE", path: `${CRDS_PATH}/${objectOf(answer).metadata.name}` }));
        }
      };
      const words: Json = { type: "array", items: text };
      const rules = (schema: Json, ...list: readonly Json[]): Json => ({ ...schema, "x-kubernetes-validations": list });
      await refused("an unknown field", object({ a: int }, { rule: "self.b > 1" }));
      await refused(
        "types that do not fit",
        object({ a: int }, { rule: "self.a == 'x'", message: "m", reason: "FieldValueInvalid" }),
      );
      await refused("no bool", object({ a: int }, { rule: "self.a" }));
      await refused("an empty rule", object({ a: int }, { rule: " " }));
      await refused("no rule at all", object({ a: int }, { rule: "" }));
      await refused("two lines without a message", object({ a: int }, { rule: "self.a > 1\n&& self.a < 3" }));
      await refused(
        "a message that is not a string",
        object({ a: int }, { rule: "self.a > 1", messageExpression: "self.a" }),
      );
      await refused("a path to nothing", object({ a: int }, { rule: "self.a > 1", fieldPath: ".b", reason: "no" }));
      await refused("too expensive", rules(words, { rule: "self.all(x, self.exists(y, x == y))" }));
      await refused(
        "a little too expensive",
        rules(
          { ...words, maxItems: 900, items: { ...text, maxLength: 30 } },
          { rule: "self.all(x, self.exists(y, x == y))" },
        ),
      );
      await refused("an old item of a set", {
        type: "array",
        "x-kubernetes-list-type": "set",
        items: rules(int, { rule: "self > oldSelf" }),
      });
      await refused(
        "optionalOldSelf without an old value",
        object({ a: int }, { rule: "self.a > 1", optionalOldSelf: true }),
      );
      await refused(
        "a default that breaks a rule",
        object({ a: { ...int, default: 1, "x-kubernetes-validations": [{ rule: "self > 3" }] } }),
      );
    },
  },
];
