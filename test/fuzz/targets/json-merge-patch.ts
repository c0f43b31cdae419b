import type { JSONValue } from "@kubescaffold/k8s";
import { applyJsonMergePatch, createJsonMergePatch, deepEqual, isJsonObject } from "@kubescaffold/schema";

import { accepted, type FuzzTarget, jsonOf, requireThat } from "../engine/fuzz-target.ts";

/** JSON merge patches: they change no input, applying one twice changes nothing more, and a created one leads to its end. */
export const target: FuzzTarget = {
  name: "json-merge-patch",
  kind: "json",
  seeds: [
    '[{"a":1,"b":{"c":[1,2]}},{"b":{"c":null,"d":{"e":null}}}]',
    '[{"a":[{"b":1}]},{"a":{"b":2}}]',
    '[{},{"__proto__":{"polluted":true},"constructor":{"prototype":{"a":1}}}]',
  ],
  dictionary: ["a", "b", "c", "__proto__", "constructor"],
  run: (input) => {
    const value = jsonOf(input);
    if (!Array.isArray(value)) return;
    const [document, patch = null] = value as readonly JSONValue[];
    if (!isJsonObject(document)) return;
    const before = JSON.stringify([document, patch]);
    const once = accepted(() => applyJsonMergePatch(document, patch));
    requireThat(JSON.stringify([document, patch]) === before, "an input was changed");
    if (once === undefined) return;
    requireThat(
      deepEqual(accepted(() => applyJsonMergePatch(once, patch)) ?? null, once),
      "applying it twice changes more",
    );
    const created = accepted(() => createJsonMergePatch(document, once));
    if (created === undefined || JSON.stringify(once).includes("null")) return;
    requireThat(deepEqual(applyJsonMergePatch(document, created), once), "the created patch leads elsewhere");
  },
};
