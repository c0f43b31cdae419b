import type { KubernetesObject, OwnerReference } from "@kubescaffold/k8s/meta/v1";
import { describe, expect, it } from "vitest";

import {
  getControllerOf,
  hasControllerReference,
  hasOwnerReference,
  isControlledBy,
  newControllerRef,
  removeControllerReference,
  removeOwnerReference,
  setControllerReference,
  setOwnerReference,
} from "../../src/controllerutil/controllerutil.ts";

function object(
  kind: string,
  metadata: KubernetesObject["metadata"],
  apiVersion: string = "webapp.demo/v1",
): KubernetesObject {
  return { apiVersion, kind, metadata };
}

const OWNER = object("Guestbook", { namespace: "a", name: "owner", uid: "1" });
const CHILD = Object.freeze(object("Deployment", Object.freeze({ namespace: "a", name: "child" }), "apps/v1"));
const REFERENCE: OwnerReference = { apiVersion: "webapp.demo/v1", kind: "Guestbook", name: "owner", uid: "1" };

function ownersOf(owned: KubernetesObject): readonly OwnerReference[] | undefined {
  return owned.metadata.ownerReferences;
}

describe("row 81: controllers", () => {
  it("a controller reference blocks the owner's deletion, and nothing changes in place", () => {
    const owned = setControllerReference(OWNER, CHILD);
    expect(ownersOf(owned)).toEqual([{ ...REFERENCE, controller: true, blockOwnerDeletion: true }]);
    expect(ownersOf(CHILD)).toBeUndefined();
    expect(hasControllerReference(owned)).toBe(true);
    expect(hasControllerReference(CHILD)).toBe(false);
  });

  it("the controller of an object is found, and compared by UID", () => {
    const owned = setControllerReference(OWNER, setOwnerReference(object("Team", { name: "t", uid: "9" }), CHILD));
    expect(getControllerOf(owned)).toEqual(newControllerRef(OWNER));
    expect(getControllerOf(CHILD)).toBeUndefined();
    expect(isControlledBy(owned, OWNER)).toBe(true);
    expect(isControlledBy(owned, object("Guestbook", { namespace: "a", name: "owner", uid: "2" }))).toBe(false);
    expect(isControlledBy(owned, object("Guestbook", { namespace: "a", name: "owner" }))).toBe(false);
  });

  it("blocking can be switched off", () => {
    const owned = setControllerReference(OWNER, CHILD, { blockOwnerDeletion: false });
    expect(ownersOf(owned)?.[0]?.blockOwnerDeletion).toBe(false);
  });

  it("setting it twice changes nothing, another version of the owner replaces it", () => {
    const owned = setControllerReference(OWNER, CHILD);
    expect(setControllerReference(OWNER, owned)).toEqual(owned);
    const newer = setControllerReference({ ...OWNER, apiVersion: "webapp.demo/v2" }, owned);
    expect(ownersOf(newer)).toEqual([
      { ...REFERENCE, apiVersion: "webapp.demo/v2", controller: true, blockOwnerDeletion: true },
    ]);
  });

  it("a second controller is refused with both names", () => {
    const owned = setControllerReference(OWNER, CHILD);
    const other = object("Guestbook", { namespace: "a", name: "other", uid: "2" });
    expect(() => setControllerReference(other, owned)).toThrow(
      "cannot set the controller reference of Deployment a/child: Guestbook owner already controls it",
    );
    expect(() => setControllerReference(other, owned)).toThrow(
      expect.objectContaining({ code: "CONTROLLER_ALREADY_OWNED", owner: ownersOf(owned)?.[0] }),
    );
    expect(ownersOf(setOwnerReference(other, owned))).toHaveLength(2);
  });

  it("an owner in another namespace, or in one where the object is in none, is refused", () => {
    const elsewhere = object("Guestbook", { namespace: "z", name: "owner", uid: "1" });
    const clusterWide = object("ClusterRole", { name: "role" });
    for (const set of [setControllerReference, setOwnerReference]) {
      expect(() => set(elsewhere, CHILD)).toThrow("the owner must be in the same namespace");
      expect(() => set(OWNER, clusterWide)).toThrow("a cluster-scoped object cannot have a namespaced owner");
      expect(ownersOf(set(object("Cluster", { name: "c", uid: "3" }), CHILD))).toHaveLength(1);
    }
  });
});

describe("row 81: owners", () => {
  it("an owner reference has no controller flag", () => {
    expect(ownersOf(setOwnerReference(OWNER, CHILD))).toEqual([REFERENCE]);
    expect(ownersOf(setOwnerReference(OWNER, CHILD, { blockOwnerDeletion: true }))).toEqual([
      { ...REFERENCE, blockOwnerDeletion: true },
    ]);
  });

  it("an owner is identified by group, kind, and name in any version", () => {
    const owned = setOwnerReference(OWNER, CHILD);
    expect(hasOwnerReference({ ...OWNER, apiVersion: "webapp.demo/v9" }, owned)).toBe(true);
    expect(hasOwnerReference({ ...OWNER, apiVersion: "other.demo/v1" }, owned)).toBe(false);
    expect(hasOwnerReference({ ...OWNER, kind: "Other" }, owned)).toBe(false);
  });

  it("removing deletes one reference, and a missing one is an error", () => {
    const owned = setOwnerReference(OWNER, CHILD);
    expect(ownersOf(removeOwnerReference(OWNER, owned))).toEqual([]);
    expect(() => removeOwnerReference(OWNER, CHILD)).toThrow("Guestbook a/owner is not an owner of Deployment a/child");
    expect(() => removeControllerReference(OWNER, owned)).toThrow("is not the controller of");
    expect(ownersOf(removeControllerReference(OWNER, setControllerReference(OWNER, CHILD)))).toEqual([]);
  });
});
