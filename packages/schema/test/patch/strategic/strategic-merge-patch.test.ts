import type { JSONValue } from "@kubescaffold/k8s";
import { builtInSchema } from "@kubescaffold/k8s/tables";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import type { JsonObject } from "../../../src/json/json-value.ts";
import { InvalidPatchError, PatchTypeError } from "../../../src/model/errors.ts";
import type { SchemaResolver } from "../../../src/model/json-schema.ts";
import { applyStrategicMergePatch } from "../../../src/patch/strategic/apply-strategic-merge-patch.ts";
import { createStrategicMergePatch } from "../../../src/patch/strategic/create-strategic-merge-patch.ts";
import { deployments, podPatches, pods } from "../../oracle/arbitrary-patches.ts";

const resolve: SchemaResolver = (ref) => builtInSchema(ref);
const asPod = { schema: { $ref: "io.k8s.api.core.v1.Pod" }, resolve };
const asDeployment = { schema: { $ref: "io.k8s.api.apps.v1.Deployment" }, resolve };
const pod = (spec: JSONValue): JsonObject => ({ spec });

function outcomeOf(apply: () => unknown): string {
  try {
    apply();
    return "applied";
  } catch (error) {
    return error instanceof InvalidPatchError || error instanceof PatchTypeError ? "refused" : String(error);
  }
}

describe("applyStrategicMergePatch", () => {
  it("merges lists by key and keeps the items that the patch does not name", () => {
    const original = pod({
      containers: [
        { name: "a", image: "x" },
        { name: "b", image: "y", args: ["1"] },
      ],
    });
    const patched = applyStrategicMergePatch(
      original,
      pod({ containers: [{ name: "b", image: "z" }, { name: "c" }] }),
      asPod,
    );
    expect(patched).toEqual(
      pod({ containers: [{ name: "a", image: "x" }, { name: "b", image: "z", args: ["1"] }, { name: "c" }] }),
    );
  });

  it("deletes and replaces by directives", () => {
    const original = pod({ containers: [{ name: "a" }, { name: "b" }], nodeSelector: { x: "1" } });
    const remove = pod({ containers: [{ name: "a", $patch: "delete" }], nodeSelector: { $patch: "replace", y: "2" } });
    expect(applyStrategicMergePatch(original, remove, asPod)).toEqual(
      pod({ containers: [{ name: "b" }], nodeSelector: { y: "2" } }),
    );
    const replace = pod({ containers: [{ $patch: "replace" }, { name: "c" }] });
    expect(applyStrategicMergePatch(original, replace, asPod)).toMatchObject(pod({ containers: [{ name: "c" }] }));
  });

  it("orders a list by its order directive and takes texts out of a list", () => {
    const original = { metadata: { finalizers: ["a", "b", "c"] } };
    const patch = {
      metadata: { "$deleteFromPrimitiveList/finalizers": ["b"], "$setElementOrder/finalizers": ["c", "a"] },
    };
    expect(applyStrategicMergePatch(original, patch, asPod)).toEqual({ metadata: { finalizers: ["c", "a"] } });
  });

  it("keeps only the keys that a union retains", () => {
    const original = { spec: { strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 1 } } } };
    const patch = { spec: { strategy: { $retainKeys: ["type"], type: "Recreate" } } };
    expect(applyStrategicMergePatch(original, patch, asDeployment)).toEqual({
      spec: { strategy: { type: "Recreate" } },
    });
  });

  it("refuses directives that contradict themselves, and fields that the type does not have", () => {
    const original = { spec: { strategy: { type: "Recreate" }, unknown: { a: 1 } } };
    const retained = { spec: { strategy: { $retainKeys: ["x"], type: "Recreate" } } };
    expect(() => applyStrategicMergePatch(original, retained, asDeployment)).toThrow(
      new InvalidPatchError("invalid patch format of retainKeys"),
    );
    expect(() => applyStrategicMergePatch(original, { spec: { unknown: { a: 2 } } }, asDeployment)).toThrow(
      new PatchTypeError('unable to find api field in struct DeploymentSpec for the json field "unknown"'),
    );
    expect(() => applyStrategicMergePatch(original, [1], asDeployment)).toThrow(InvalidPatchError);
    expect(applyStrategicMergePatch(original, null, asDeployment)).toBe(original);
  });

  it("never changes its inputs", () => {
    fc.assert(
      fc.property(pods, podPatches, (original, patch) => {
        const before = JSON.stringify([original, patch]);
        expect(outcomeOf(() => applyStrategicMergePatch(original, patch, asPod))).toMatch(/^(applied|refused)$/);
        expect(JSON.stringify([original, patch])).toBe(before);
      }),
    );
  });
});

describe("createStrategicMergePatch", () => {
  it("leads from one object to the other", () => {
    fc.assert(
      fc.property(pods, pods, (from, to) => {
        const patch = createStrategicMergePatch(from, to, asPod);
        const patched = applyStrategicMergePatch(from, patch, asPod);
        // An emptied list that merges stays as an empty one, absent or not.
        expect(createStrategicMergePatch(patched, to as JsonObject, asPod)).toEqual({});
      }),
    );
    fc.assert(
      fc.property(deployments, deployments, (from, to) => {
        const patch = createStrategicMergePatch(from, to, asDeployment);
        expect(applyStrategicMergePatch(from as JsonObject, patch, asDeployment)).toEqual(to);
      }),
    );
  });

  it("is empty between equal objects", () => {
    fc.assert(
      fc.property(pods, (value) => {
        const copy = structuredClone(value) as JsonObject;
        expect(createStrategicMergePatch(value as JsonObject, copy, asPod)).toEqual({});
      }),
    );
  });
});
