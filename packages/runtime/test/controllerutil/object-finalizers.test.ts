import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
import { describe, expect, it } from "vitest";

import { addFinalizer, containsFinalizer, removeFinalizer } from "../../src/controllerutil/controllerutil.ts";

const PLAIN: KubernetesObject = Object.freeze({
  apiVersion: "v1",
  kind: "Pod",
  metadata: Object.freeze({ name: "a" }),
});

describe("row 81: finalizers of an object", () => {
  it("adding gives another object with it, adding again the very same", () => {
    const added = addFinalizer(PLAIN, "demo/x");
    expect(added.metadata).toEqual({ name: "a", finalizers: ["demo/x"] });
    expect(PLAIN.metadata.finalizers).toBeUndefined();
    expect(addFinalizer(added, "demo/x")).toBe(added);
    expect(containsFinalizer(added, "demo/x")).toBe(true);
    expect(containsFinalizer(PLAIN, "demo/x")).toBe(false);
  });

  it("removing gives another object without it, removing again the very same", () => {
    const both = addFinalizer(addFinalizer(PLAIN, "demo/x"), "demo/y");
    const removed = removeFinalizer(both, "demo/x");
    expect(removed.metadata.finalizers).toEqual(["demo/y"]);
    expect(both.metadata.finalizers).toEqual(["demo/x", "demo/y"]);
    expect(removeFinalizer(removed, "demo/x")).toBe(removed);
  });
});
