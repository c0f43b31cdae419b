import { crd } from "../kinds.ts";
import type { Answer, Json, Row, RowContext } from "../row.ts";
import { factsOf } from "./applied-facts.ts";
import { installCrd } from "./install-crd.ts";

const APPLY = "application/apply-patch+yaml";
const GROUP = "row700.example.com";

/** Rows about applies to fields whose values no schema describes. */
export const UNTYPED_APPLY_ROWS: readonly Row[] = [
  {
    row: 700,
    title: "an apply over a value of another JSON type in a field without a schema",
    run: appliesOverEach,
  },
];

// Each is applied over each, as the value of a field and below one.
const VALUES: Readonly<Record<string, unknown>> = {
  null: null,
  true: true,
  1: 1,
  text: "x",
  "[]": [],
  "[1]": [1],
  "[{a: 1}]": [{ a: 1 }],
  "{}": {},
  "{z: 1}": { z: 1 },
  "{z: null}": { z: null },
  "{z: {y: 1}}": { z: { y: 1 } },
  "{z: [1]}": { z: [1] },
  "{z: {y: null}, w: 2}": { z: { y: null }, w: 2 },
};

const FIELDS = ["any", "free"] as const;

async function appliesOverEach(context: RowContext): Promise<void> {
  const { namespace, quietly, note } = context;
  const schema = {
    spec: {
      type: "object",
      properties: {
        any: { "x-kubernetes-preserve-unknown-fields": true },
        free: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
      },
    },
  };
  await installCrd(context, crd({ group: GROUP, kind: "Thing", schema }));
  const path = `/apis/${GROUP}/v1/namespaces/${namespace}/things`;
  const apply = async (name: string, spec: Json, query: string): Promise<Answer> =>
    await quietly({
      method: "PATCH",
      path: `${path}/${name}?${query}`,
      body: { apiVersion: `${GROUP}/v1`, kind: "Thing", metadata: { name }, spec },
      contentType: APPLY,
    });
  let index = 0;
  for (const field of FIELDS) {
    for (const [before, first] of Object.entries(VALUES)) {
      const outcomes: { first?: string; [step: string]: unknown } = {};
      for (const [after, second] of Object.entries(VALUES)) {
        for (const [how, query] of Object.entries({
          "by another": "fieldManager=two",
          forced: "fieldManager=two&force=true",
          again: "fieldManager=one",
        })) {
          index += 1;
          const name = `a${String(index)}`;
          // In a field for objects, the values are those of one of its own fields.
          const specOf = (value: unknown): Json => ({ [field]: field === "any" ? value : { k: value } });
          const made = await apply(name, specOf(first), "fieldManager=one");
          const over = await apply(name, specOf(second), query);
          outcomes.first = factsOf(made);
          outcomes[`${after} ${how}`] = factsOf(over);
        }
      }
      note(`${field}: over ${before}`, outcomes);
    }
  }
}
