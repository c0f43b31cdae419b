import { fieldErrorToString } from "@kubescaffold/k8s";
import { expect, it } from "vitest";

import { pathSegmentErrors } from "../../src/object-meta/embedded-resources.ts";
import { validateObjectMeta } from "../../src/object-meta/validate-object-meta.ts";

const check = (metadata: Parameters<typeof validateObjectMeta>[0], isNamespaced = false): readonly string[] =>
  validateObjectMeta(metadata, { path: "metadata", isNamespaced, nameRule: pathSegmentErrors }).map(fieldErrorToString);

it("an object needs a name, and a namespace exactly where its kind is namespaced", () => {
  expect(check({})).toEqual(["metadata.name: Required value: name or generateName is required"]);
  expect(check({ name: "x" }, true)).toEqual(["metadata.namespace: Required value"]);
  expect(check({ name: "x", namespace: "n" })).toEqual(["metadata.namespace: Forbidden: not allowed on this type"]);
});

it("only one owner may be the controller", () => {
  const owner = { apiVersion: "v1", kind: "Pod", name: "p", uid: "u", controller: true };
  const [message] = check({ name: "x", ownerReferences: [owner, { ...owner, name: "q" }] });
  expect(message).toContain(
    'Only one reference can have Controller set to true. Found "true" in references for Pod/p and Pod/q',
  );
});

it("annotations may have 256 KiB together", () => {
  expect(check({ name: "x", annotations: { a: "x".repeat(256 * 1024 - 1) } })).toEqual([]);
  expect(check({ name: "x", annotations: { a: "x".repeat(256 * 1024) } })).toEqual([
    "metadata.annotations: Too long: may not be more than 262144 bytes",
  ]);
});

it("the two finalizers that say how dependents go exclude each other", () => {
  expect(check({ name: "x", finalizers: ["orphan", "foregroundDeletion"] })).toEqual([
    'metadata.finalizers: Invalid value: ["orphan","foregroundDeletion"]: finalizer orphan and foregroundDeletion cannot be both set',
  ]);
});

it("a field manager is at most 128 printable bytes", () => {
  const entry = { manager: "a\u0007b", operation: "Delete", fieldsType: "FieldsV2" };
  expect(check({ name: "x", managedFields: [entry] })).toEqual([
    'metadata.managedFields[0].operation: Invalid value: "Delete": must be `Apply` or `Update`',
    'metadata.managedFields[0].fieldsType: Invalid value: "FieldsV2": must be `FieldsV1`',
    'metadata.managedFields[0].manager: Invalid value: "a\\ab": invalid character U+0007 (at position 1)',
  ]);
});
