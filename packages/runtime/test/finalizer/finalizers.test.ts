import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
import { describe, expect, it } from "vitest";

import type { Stored } from "../../src/client/partial-object.ts";
import { createFinalizers } from "../../src/finalizer/finalizers.ts";

interface Thing extends KubernetesObject {
  readonly status?: { readonly phase?: string };
}

function thing(metadata: Omit<KubernetesObject["metadata"], "creationTimestamp">): Stored<Thing> {
  return {
    apiVersion: "v1",
    kind: "Thing",
    metadata: { name: "x", uid: "u", resourceVersion: "1", creationTimestamp: "2026-01-01T00:00:00Z", ...metadata },
  };
}

const DELETED_AT = "2026-01-01T00:00:00Z";

describe("row 81: registered finalizers", () => {
  it("an object that lives gets the keys that it lacks, in order of registration", async () => {
    const finalizers = createFinalizers<Thing>();
    finalizers.register("demo/a", () => Promise.reject(new TypeError("must not run")));
    finalizers.register("demo/b", () => Promise.reject(new TypeError("must not run")));
    const first = await finalizers.finalize(thing({ name: "x", finalizers: ["demo/b"] }));
    expect(first).toMatchObject({ updated: true, statusUpdated: false, error: undefined });
    expect(first.object.metadata.finalizers).toEqual(["demo/b", "demo/a"]);
    expect(await finalizers.finalize(first.object)).toMatchObject({ updated: false, statusUpdated: false });
  });

  it("an object being deleted has each present finalizer run once and its key taken off", async () => {
    const runs: string[] = [];
    const finalizers = createFinalizers<Thing>();
    finalizers.register("demo/a", async (object) => {
      runs.push("a");
      return Promise.resolve({ ...object, status: { phase: "gone" } });
    });
    finalizers.register("demo/absent", async () => {
      await Promise.resolve();
      runs.push("absent");
    });
    const before = thing({ name: "x", deletionTimestamp: DELETED_AT, finalizers: ["demo/a", "other"] });
    const after = await finalizers.finalize(before);
    expect(runs).toEqual(["a"]);
    expect(after).toMatchObject({ updated: true, statusUpdated: true, error: undefined });
    expect(after.object).toMatchObject({ metadata: { finalizers: ["other"] }, status: { phase: "gone" } });
    expect(before.metadata.finalizers).toEqual(["demo/a", "other"]);
  });

  it("a finalizer that fails keeps its key, and the others run", async () => {
    const finalizers = createFinalizers<Thing>();
    finalizers.register("demo/a", () => Promise.reject(new TypeError("bucket is full")));
    finalizers.register("demo/b", () => Promise.resolve());
    const after = await finalizers.finalize(
      thing({ name: "x", deletionTimestamp: DELETED_AT, finalizers: ["demo/a", "demo/b"] }),
    );
    expect(after.object.metadata.finalizers).toEqual(["demo/a"]);
    expect(after.error).toMatchObject({
      code: "CONTROLLER_FINALIZE",
      message: "cannot finalize the object: demo/a: bucket is full",
    });
  });

  it("a key can be registered once", () => {
    const finalizers = createFinalizers<Thing>();
    finalizers.register("demo/a", () => Promise.resolve());
    expect(() => finalizers.register("demo/a", () => Promise.resolve())).toThrow("the key is in use");
  });
});
