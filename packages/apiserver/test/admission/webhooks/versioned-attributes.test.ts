import { StatusError } from "@kubescaffold/k8s";
import { describe, expect, it } from "vitest";

import { versionedAttributes } from "../../../src/admission/versioned-attributes.ts";
import type { AdmissionAttributes } from "../../../src/pipeline/extension-points.ts";
import type { ServerContext } from "../../../src/pipeline/server-context.ts";
import { plainError } from "../../../src/request/failures.ts";
import type { ApiObject } from "../../../src/storage/api-object.ts";

const version = (name: string): Pick<AdmissionAttributes, "kind" | "resource"> => ({
  kind: { group: "example.com", version: name, kind: "Foo" },
  resource: { group: "example.com", version: name, resource: "foos" },
});
const object = (name: string): ApiObject => ({ apiVersion: "example.com/v2", kind: "Foo", metadata: { name } });

const attributes: AdmissionAttributes = {
  ...version("v2"),
  operation: "UPDATE",
  subresource: "",
  isNamespaced: true,
  namespace: "default",
  name: "a",
  requestName: "a",
  object: object("new"),
  oldObject: object("old"),
  user: { name: "jane", groups: [] },
  isDryRun: false,
  options: {},
  warn: () => undefined,
  annotate: () => undefined,
  normalize: (changed) => ({ ...changed, normalized: "in the version of the request" }),
};

// Notes what is done to an object in the object itself.
const context = {
  versions: {
    convert: (given: ApiObject, { to }: { readonly to: { readonly version: string } }) =>
      Promise.resolve({ ...given, apiVersion: `example.com/${to.version}` }),
    complete: (given: ApiObject, { version: name }: { readonly version: string }) => ({ ...given, completed: name }),
  },
} as unknown as ServerContext;

describe("versionedAttributes", () => {
  it("leave a write alone that is in the webhook's version", async () => {
    const seen = await versionedAttributes(context, attributes, version("v2"));
    expect(seen.object).toBe(attributes.object);
    expect(await seen.requested(object("changed"))).toEqual({
      ...object("changed"),
      normalized: "in the version of the request",
    });
  });

  it("have the new object and the old one in the webhook's version, and bring what it changes back", async () => {
    const seen = await versionedAttributes(context, attributes, version("v1"));
    expect([seen.object, seen.oldObject]).toEqual([
      { ...object("new"), apiVersion: "example.com/v1" },
      { ...object("old"), apiVersion: "example.com/v1" },
    ]);
    expect(await seen.requested({ ...object("changed"), apiVersion: "example.com/v1" })).toEqual({
      ...object("changed"),
      completed: "v1",
      normalized: "in the version of the request",
    });
  });

  it("have no object where the write has none", async () => {
    const seen = await versionedAttributes(context, { ...attributes, object: undefined }, version("v1"));
    expect(seen.object).toBeUndefined();
    expect(seen.oldObject).toMatchObject({ apiVersion: "example.com/v1" });
  });

  it("fail as an internal error when the objects cannot be converted", async () => {
    const failing = {
      versions: { convert: () => Promise.reject(plainError("conversion webhook failed: no pipe")) },
    } as unknown as ServerContext;
    const asking = versionedAttributes(failing, attributes, version("v1"));
    await expect(asking).rejects.toBeInstanceOf(StatusError);
    await expect(asking).rejects.toThrow(/^Internal error occurred: conversion webhook failed: no pipe$/u);
  });
});
