import { describe, expect, it } from "vitest";

import { resourceNameOf } from "../../src/pluralize.ts";
import {
  builtInGroups,
  builtInResource,
  builtInResources,
  builtInSchema,
  builtInSchemasOf,
  gatedResources,
  preferredVersions,
} from "../../src/tables/schemas.ts";

describe("builtInResources", () => {
  it("lists every resource of a 1.37 server once", () => {
    const names = builtInResources.map(({ group, version, plural }) => `${plural}.${version}.${group}`);
    expect(new Set(names).size).toBe(names.length);
    expect(names).toHaveLength(72);
    expect(names).toContain("deployments.v1.apps");
    expect(names).toContain("customresourcedefinitions.v1.apiextensions.k8s.io");
  });

  it("gives each kind the plural that its resource has", () => {
    for (const { kind, plural } of builtInResources) expect(resourceNameOf(kind)).toBe(plural);
  });

  it("knows names, scope, verbs and categories", () => {
    expect(builtInResource({ group: "apps", version: "v1", resource: "deployments" })).toMatchObject({
      kind: "Deployment",
      singular: "deployment",
      namespaced: true,
      shortNames: ["deploy"],
      categories: ["all"],
      verbs: ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"],
    });
    expect(builtInResource({ group: "", version: "v1", kind: "Namespace" })).toMatchObject({
      plural: "namespaces",
      namespaced: false,
      verbs: ["create", "delete", "get", "list", "patch", "update", "watch"],
    });
    expect(
      builtInResource({ group: "authorization.k8s.io", version: "v1", kind: "SubjectAccessReview" }),
    ).toMatchObject({
      namespaced: false,
      verbs: ["create"],
    });
    expect(builtInResource({ group: "", version: "v1", resource: "nothing" })).toBeUndefined();
  });

  it("knows the kinds of subresources, also of other groups", () => {
    const pods = builtInResource({ group: "", version: "v1", resource: "pods" });
    expect(pods?.subresources).toContainEqual({
      name: "eviction",
      group: "policy",
      version: "v1",
      kind: "Eviction",
      verbs: ["create"],
    });
    const deployments = builtInResource({ group: "apps", version: "v1", resource: "deployments" });
    expect(deployments?.subresources.map(({ name, kind }) => `${name} ${kind}`)).toEqual([
      "scale Scale",
      "status Deployment",
    ]);
  });

  it("cannot be changed", () => {
    expect(Object.isFrozen(builtInResources[0]?.verbs)).toBe(true);
  });
});

describe("builtInGroups", () => {
  it("orders exactly the groups that have resources", () => {
    expect([...builtInGroups].sort()).toEqual([...new Set(builtInResources.map(({ group }) => group))].sort());
    expect(builtInGroups[0]).toBe("");
  });
});

describe("preferredVersions", () => {
  it("prefers the newest stable version of each group", () => {
    expect(preferredVersions.get("autoscaling")).toBe("v2");
    expect(preferredVersions.get("")).toBe("v1");
    expect(preferredVersions.size).toBe(22);
  });
});

describe("gatedResources", () => {
  it("have schemas, and are none of those that every server has", () => {
    expect(gatedResources().map(({ version, kind }) => `${version} ${kind}`)).toEqual([
      "v1alpha1 MutatingAdmissionPolicy",
      "v1alpha1 MutatingAdmissionPolicyBinding",
      "v1beta1 MutatingAdmissionPolicy",
      "v1beta1 MutatingAdmissionPolicyBinding",
    ]);
    for (const resource of gatedResources()) {
      expect(builtInSchema(resource)?.type).toBe("object");
      expect(builtInResource(resource)).toBeUndefined();
    }
    const { version, group } = { group: "admissionregistration.k8s.io", version: "v1beta1" };
    expect(Object.keys(builtInSchemasOf({ group, version }))).toContain(
      "io.k8s.api.admissionregistration.v1beta1.MutatingAdmissionPolicyList",
    );
  });
});
