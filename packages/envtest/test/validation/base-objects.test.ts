import { KUBERNETES_MINOR } from "@kubescaffold/k8s";
import { expect, it } from "vitest";

import { loadRelease } from "../../../apiserver/src/release/release.ts";
import { CREATED_OBJECTS } from "../conformance/rows/created-objects.ts";
import { NEWER_OBJECTS, OTHER_OBJECTS } from "./other-objects.ts";

// Rows compare these: requests without an object that stays, and kinds whose schemas Go reads in its own way.
const ELSEWHERE: ReadonlySet<string> = new Set([
  "/v1 Binding",
  "/v1 Event",
  "apiextensions.k8s.io/v1 CustomResourceDefinition",
  "apiregistration.k8s.io/v1 APIService",
  "authentication.k8s.io/v1 SelfSubjectReview",
  "authentication.k8s.io/v1 TokenReview",
  "authorization.k8s.io/v1 LocalSubjectAccessReview",
  "authorization.k8s.io/v1 SelfSubjectAccessReview",
  "authorization.k8s.io/v1 SelfSubjectRulesReview",
  "authorization.k8s.io/v1 SubjectAccessReview",
]);

it("there is an object of each kind that can be created", () => {
  const kinds = new Set(
    [...CREATED_OBJECTS, ...OTHER_OBJECTS, ...NEWER_OBJECTS].map(
      ({ object }) => `${String(object["apiVersion"]).replace(/^v1$/u, "/v1")} ${String(object["kind"])}`,
    ),
  );
  const resources = loadRelease(KUBERNETES_MINOR)?.api.resources ?? [];
  const missing = resources
    .filter(({ verbs }) => verbs.includes("create"))
    .map(({ group, version, kind }) => `${group}/${version} ${kind}`)
    .filter((kind) => !kinds.has(kind) && !ELSEWHERE.has(kind));
  expect(missing).toEqual([]);
  expect(resources.length).toBeGreaterThan(50);
});
