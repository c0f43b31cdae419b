import type { JSONValue } from "@kubescaffold/k8s";
import { builtInSchema } from "@kubescaffold/k8s/tables";
import { applyStrategicMergePatch, createStrategicMergePatch, isJsonObject } from "@kubescaffold/schema";

import { accepted, type FuzzTarget, jsonOf, requireThat } from "../engine/fuzz-target.ts";

const OPTIONS = { schema: { $ref: "io.k8s.api.apps.v1.Deployment" }, resolve: (ref: string) => builtInSchema(ref) };

/** Strategic merge patches of a Deployment: they change no input, and creating one throws nothing unknown. */
export const target: FuzzTarget = {
  name: "strategic-merge",
  kind: "json",
  seeds: [
    '[{"spec":{"template":{"spec":{"containers":[{"name":"a","image":"x","ports":[{"containerPort":80}]},{"name":"b"}]}}}},{"spec":{"template":{"spec":{"$setElementOrder/containers":[{"name":"b"},{"name":"a"}],"containers":[{"name":"a","image":"y"},{"$patch":"delete","name":"b"}]}}}}]',
    '[{"spec":{"strategy":{"type":"RollingUpdate","rollingUpdate":{}}}},{"spec":{"strategy":{"$retainKeys":["type"],"type":"Recreate"}}}]',
    '[{"metadata":{"finalizers":["a","b"],"labels":{"x":"y"}}},{"metadata":{"$deleteFromPrimitiveList/finalizers":["a"],"finalizers":["c"],"labels":{"$patch":"replace","z":"1"}}}]',
  ],
  dictionary: [
    "$patch",
    "delete",
    "replace",
    "merge",
    "$retainKeys",
    "$setElementOrder/containers",
    "$deleteFromPrimitiveList/finalizers",
    "containers",
    "name",
    "ports",
    "containerPort",
    "env",
    "volumes",
    "tolerations",
    "spec",
    "template",
    "metadata",
    "ownerReferences",
    "uid",
  ],
  run: (input) => {
    const value = jsonOf(input);
    if (!Array.isArray(value)) return;
    const [original, patch = null] = value as readonly JSONValue[];
    if (!isJsonObject(original)) return;
    const before = JSON.stringify([original, patch]);
    const merged = accepted(() => applyStrategicMergePatch(original, patch, OPTIONS));
    requireThat(JSON.stringify([original, patch]) === before, "an input was changed");
    if (merged !== undefined) accepted(() => createStrategicMergePatch(original, merged, OPTIONS));
  },
};
