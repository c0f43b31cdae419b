import { expect, it } from "vitest";

import { Memo } from "../../src/cache/memo.ts";
import { createPartMemo } from "../../src/contract/memoize-parts.ts";
import type { Declaration } from "../../src/loader/type-model.ts";
import { createTypeLookup, type TypeLookup } from "../../src/object/type-facts.ts";
import { generatorInput } from "../support/generator-input.ts";

const SOURCE = `// +groupName=example.com
import type { KubernetesObject, Time } from "@kubescaffold/k8s/meta/v1";
export type Name = string;
export interface Deep { at?: Time }
// +kubebuilder:validation:XValidation:rule="has(self.deep)"
export interface Spec { deep?: Deep; name?: Name }
export interface Unused { x?: string }
export interface Widget extends KubernetesObject { spec?: Spec }
`;

async function lookUp(
  memory: Memo,
): Promise<{ readonly lookup: TypeLookup; readonly of: (name: string) => Declaration }> {
  const input = await generatorInput({ "v1/a.ts": SOURCE });
  const of = (name: string): Declaration => {
    const found = input.model.declarations.get(`v1/a.ts#${name}`);
    if (found === undefined) throw new TypeError(`the source has no ${name}`);
    return found;
  };
  return { lookup: createTypeLookup({ ...input, memoize: createPartMemo(input, memory) }), of };
}

it("the facts of a type and the types that it uses are the same computed and cached", async () => {
  const memory = new Memo();
  const outcomes: unknown[] = [];
  for (const isCached of [false, true]) {
    const { lookup, of } = await lookUp(memory);
    lookup.use(of("Widget"));
    const used = [...lookup.used()].toSorted();
    const facts = ["Widget", "Spec", "Deep", "Name"].map((name) => lookup.factsOf(of(name), name === "Widget"));
    outcomes.push({ used, facts, after: [...lookup.used()].toSorted() });
    expect(memory.hits > 0).toBe(isCached);
    memory.finish({ isClean: true });
  }
  const named = ["Deep", "Name", "Spec", "Widget"].map((name) => `v1/a.ts#${name}`);
  expect(outcomes[0]).toMatchObject({
    used: ["@kubescaffold/k8s/meta/v1#KubernetesObject", "@kubescaffold/k8s/meta/v1#Time", ...named],
    facts: [
      { isStructured: true, hasRules: true },
      { isStructured: true, hasRules: true },
      { isStructured: true, hasRules: false },
      { isStructured: false, hasRules: false },
    ],
  });
  expect(outcomes[1]).toEqual(outcomes[0]);
});

it("a type that is asked for counts as used, with all that it consists of", async () => {
  const { lookup, of } = await lookUp(new Memo());
  lookup.factsOf(of("Deep"), false);
  expect([...lookup.used()].toSorted()).toEqual(["@kubescaffold/k8s/meta/v1#Time", "v1/a.ts#Deep"]);
});

it("the schema of a type is there even where its facts were recalled", async () => {
  const memory = new Memo();
  for (let round = 0; round < 2; round += 1) {
    const { lookup, of } = await lookUp(memory);
    lookup.factsOf(of("Deep"), false);
    expect(lookup.schemaOf(of("Deep"), false)).toMatchObject({
      type: "object",
      properties: { at: { format: "date-time" } },
    });
    memory.finish({ isClean: true });
  }
});
