import type { JSONValue } from "@kubescaffold/k8s";
import { applyJsonPatch, createJsonPatch, deepEqual, unknownJsonPatchFields } from "@kubescaffold/schema";

import { accepted, type FuzzTarget, jsonOf, requireThat } from "../engine/fuzz-target.ts";

/** JSON patches: they change no input, and a created one leads to its end. */
export const target: FuzzTarget = {
  name: "json-patch",
  kind: "json",
  seeds: [
    '[{"a":{"b":[1,2,{"c":3}]}},[{"op":"add","path":"/a/b/-","value":4},{"op":"remove","path":"/a/b/0"},{"op":"test","path":"/a/b/1/c","value":3}]]',
    '[{"a":1,"~/":2},[{"op":"move","from":"/a","path":"/b"},{"op":"copy","from":"/~0~1","path":"/c"},{"op":"replace","path":"","value":[]}]]',
    '[[1,2,3],[{"op":"replace","path":"/1","value":{}},{"op":"add","path":"/__proto__/a","value":1}]]',
  ],
  dictionary: [
    "op",
    "path",
    "from",
    "value",
    "add",
    "remove",
    "replace",
    "move",
    "copy",
    "test",
    "/a",
    "/b/0",
    "/-",
    "~0",
    "~1",
    "/-1",
    "/01",
    "/__proto__",
    "/constructor/prototype",
  ],
  run: (input) => {
    const value = jsonOf(input);
    if (!Array.isArray(value)) return;
    const [document = null, patch = null] = value as readonly JSONValue[];
    const before = JSON.stringify([document, patch]);
    accepted(() => unknownJsonPatchFields(patch));
    const changed = accepted(() => applyJsonPatch(document, patch));
    requireThat(JSON.stringify([document, patch]) === before, "an input was changed");
    if (changed === undefined) return;
    const created = createJsonPatch(document, changed);
    requireThat(
      deepEqual(applyJsonPatch(document, created as unknown as JSONValue), changed),
      "the created patch leads elsewhere",
    );
  },
};
