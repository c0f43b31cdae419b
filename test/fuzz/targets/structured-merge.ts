import type { JSONValue } from "@kubescaffold/k8s";
import {
  applyFields,
  changedFields,
  deepEqual,
  type FieldOwners,
  isJsonObject,
  type JsonObject,
  type JsonSchema,
  validate,
} from "@kubescaffold/schema";

import { fieldSetOf, printFieldSet } from "../../../packages/schema/src/structured-merge/field-set.ts";
import { typedError } from "../../../packages/schema/src/structured-merge/typed-error.ts";
import { SCHEMA } from "../../../packages/schema/test/structured-merge/schema.ts";
import { type FuzzTarget, jsonOf, requireThat } from "../engine/fuzz-target.ts";

const OPTIONS = { schema: SCHEMA };

/** Server-side apply: applying again changes nothing, an owner with force gets what it states, and owners print as they are read. */
export const target: FuzzTarget = {
  name: "structured-merge",
  kind: "json",
  seeds: [
    '[{},{"spec":{"size":1,"labels":{"a":"b"},"ports":[{"name":"x","protocol":"TCP","number":1}],"names":["n"],"words":["w"],"whole":{"a":"1"},"free":{"k":[1]}}},{"spec":{"size":2,"ports":[{"name":"x","protocol":"TCP","number":2},{"name":"y","protocol":"UDP"}],"names":["n","m"]}}]',
    '[{"spec":{"labels":{"a":"1"}},"status":{"ready":1}},{"spec":{"labels":{"b":"2"}}},{"spec":{"labels":{"a":"3"}}}]',
  ],
  dictionary: [
    "spec",
    "status",
    "size",
    "labels",
    "ports",
    "name",
    "protocol",
    "number",
    "names",
    "words",
    "whole",
    "free",
    "TCP",
    "UDP",
    "x",
    "y",
    "a",
    "b",
  ],
  run: (input) => {
    const value = jsonOf(input);
    if (!Array.isArray(value)) return;
    const [live, first, second] = value as readonly JSONValue[];
    if (!isValid(live) || !isValid(first) || !isValid(second)) return;
    // Upstream, too, takes what else is in a map from the object when its owner applies it empty again.
    if (statesEmptyMap(first) || statesEmptyMap(second)) return;
    const before = JSON.stringify(value);
    const one = applied({ live, owners: new Map(), manager: "one", stated: first });
    const again = applied({ live: one.object, owners: one.owners, manager: "one", stated: first });
    requireThat(deepEqual(again.object, one.object), "applying again changes the object");
    requireThat(printed(again.owners) === printed(one.owners), "applying again changes the owners");
    const two = applied({ live: one.object, owners: one.owners, manager: "two", stated: second });
    const twice = applied({ live: two.object, owners: two.owners, manager: "two", stated: second });
    requireThat(deepEqual(twice.object, two.object), "applying again as another owner changes the object");
    for (const [, set] of two.owners) {
      const text = JSON.stringify(printFieldSet(set));
      requireThat(
        JSON.stringify(printFieldSet(fieldSetOf(JSON.parse(text) as JSONValue))) === text,
        `owners are read otherwise: ${text}`,
      );
    }
    changedFields(two.object, live, OPTIONS);
    requireThat(JSON.stringify(value) === before, "an input was changed");
  },
};

interface Step {
  readonly live: JsonObject;
  readonly owners: FieldOwners;
  readonly manager: string;
  readonly stated: JsonObject;
}

function applied({ live, owners, manager, stated }: Step) {
  const outcome = applyFields({ live, applied: stated, owners, manager, force: true }, OPTIONS);
  requireThat(outcome.kind === "applied", "an apply with force is in conflict");
  return outcome;
}

function printed(owners: FieldOwners): string {
  return JSON.stringify([...owners].map(([name, set]) => [name, printFieldSet(set)]));
}

function statesEmptyMap(value: JSONValue): boolean {
  if (Array.isArray(value)) return value.some((item: JSONValue) => statesEmptyMap(item));
  if (!isJsonObject(value)) return false;
  const members = Object.values(value);
  return members.some((member) => (isJsonObject(member) && Object.keys(member).length === 0) || statesEmptyMap(member));
}

// Servers refuse other objects before they merge them.
function isValid(value: JSONValue | undefined): value is JsonObject {
  const schema: JsonSchema = SCHEMA;
  return isJsonObject(value) && validate(schema, value).length === 0 && typedError(value, schema, {}) === undefined;
}
