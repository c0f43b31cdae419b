import { runInThisContext } from "node:vm";

import { defineKind, type Kind, newNotFound } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
import { describe, expect, it } from "vitest";

import { silentLogger } from "../../src/log/logger.ts";
import { createMetricsRegistry } from "../../src/metrics/registry.ts";
import { webhookMetrics } from "../../src/metrics/webhook-metrics.ts";
import {
  defaulterHandler,
  RefusalWithWarnings,
  validatorHandler,
} from "../../src/webhook/admission/admission-handlers.ts";
import type { AdmissionHandler } from "../../src/webhook/admission/admission-response.ts";
import { admissionWebhook } from "../../src/webhook/admission/admission-webhook.ts";
import { ConversionRegistry } from "../../src/webhook/conversion-registry.ts";
import { conversionWebhook } from "../../src/webhook/conversion/conversion-webhook.ts";

interface Site extends KubernetesObject {
  spec: { address: string };
}
const Site: Kind<Site> = defineKind<Site>({ group: "test.example.com", version: "v1" }, "Site");
const SiteV2: Kind<Site> = defineKind<Site>({ group: "test.example.com", version: "v2" }, "Site");
const site = Site.create({ metadata: { name: "s" }, spec: { address: "no address" } });

/** Code as users write it, without the types that would prevent its failure. */
type Failure = readonly [name: string, code: string, message: string];

const REJECTIONS: readonly Failure[] = [
  ["an Error", 'throw new Error("no free address")', "no free address"],
  ["a thrown TypeError", 'throw new TypeError("size must be a number")', "size must be a number"],
  ["an Error of a subclass", 'throw new (class extends Error {})("odd")', "odd"],
  ["a thrown text", 'throw "just no"', "just no"],
  ["new URL", 'new URL("no address")', "Invalid URL"],
  ["JSON.parse", 'JSON.parse("{")', "in JSON"],
  ["new RegExp", 'new RegExp("(", "u")', "Invalid regular expression"],
  ["BigInt", 'BigInt("x")', "Cannot convert x to a BigInt"],
  ["a date", 'new Date("x").toISOString()', "Invalid time value"],
  ["decodeURIComponent", 'decodeURIComponent("%")', "URI malformed"],
  ["Intl", 'new Intl.DateTimeFormat("en", { timeZone: "Nowhere/X" })', "Invalid time zone"],
  ["Buffer", "Buffer.from(undefined)", "The first argument must be of type string"],
];

const DEFECTS: readonly Failure[] = [
  ["a property of undefined", "undefined.size", "Cannot read properties of undefined"],
  ["a property of null", "null.size", "Cannot read properties of null"],
  ["an assignment to undefined", "undefined.size = 1", "Cannot set properties of undefined"],
  ["a missing function", "({}).run()", "is not a function"],
  ["a missing class", "new ({}).Run()", "is not a constructor"],
  ["spread undefined", "[...undefined]", "is not iterable"],
  ["a loop over an object", "for (const each of {}) void each", "is not iterable"],
  ["a set of a number", "new Set(1)", "is not iterable"],
  ["destructured undefined", "const { size } = undefined", "Cannot destructure property"],
  ["the keys of undefined", "Object.keys(undefined)", "Cannot convert undefined or null to object"],
  ["a constant", "const size = 1; size = 2", "Assignment to constant variable"],
  ["a frozen field", "Object.freeze({ size: 1 }).size = 2", "Cannot assign to read only"],
  ["a new field of a frozen object", "Object.freeze({}).size = 2", "Cannot add property"],
  ["a deleted field of a frozen object", "delete Object.freeze({ size: 1 }).size", "Cannot delete property"],
  ["a getter", "({ get size() { return 1; } }).size = 2", "which has only a getter"],
  ["in, of a text", '"size" in "text"', "Cannot use 'in' operator"],
  ["instanceof, of an object", "({}) instanceof {}", "Right-hand side of 'instanceof'"],
  ["a reduced empty array", "[].reduce((left, right) => left + right)", "Reduce of empty array"],
  ["a cycle in JSON", "const a = {}; a.a = a; JSON.stringify(a)", "circular structure"],
  ["mixed numbers", "1n + 1", "Cannot mix BigInt"],
  ["an undefined variable", "notDefinedAnywhere", "is not defined"],
  ["a variable before its declaration", "size; const size = 1", "before initialization"],
  ["an endless recursion", "(function recurse() { recurse(); })()", "Maximum call stack size exceeded"],
];

const run = ([, code]: Failure): never => runInThisContext(`"use strict"; { ${code} }`) as never;

interface Outcome {
  readonly response: {
    readonly uid: string;
    readonly allowed: boolean;
    readonly status?: { code?: number; message?: string; reason?: string };
    readonly warnings?: readonly string[];
  };
  readonly panics: number;
}

async function admit(
  handler: AdmissionHandler,
  request: object = { operation: "CREATE", object: site },
): Promise<Outcome> {
  const registry = createMetricsRegistry();
  const body = { apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview", request: { uid: "u-1", ...request } };
  const call = new Request("https://localhost/x", {
    method: "POST",
    body: JSON.stringify(body),
    headers: { "content-type": "application/json" },
  });
  const answer = await admissionWebhook({ handler, log: silentLogger })(call, { registry });
  const { response } = (await answer.json()) as Outcome;
  return { response, panics: (await webhookMetrics(registry).panics.get()).values[0]?.value ?? 0 };
}

const handlersOf = (failure: Failure): readonly AdmissionHandler[] => [
  validatorHandler<Site>({
    validateCreate: () => run(failure),
    validateUpdate: () => undefined,
    validateDelete: () => undefined,
  }),
  validatorHandler<Site>({
    validateCreate: async () => await Promise.resolve().then(() => run(failure)),
    validateUpdate: () => undefined,
    validateDelete: () => undefined,
  }),
  defaulterHandler<Site>({ default: () => run(failure) }),
  async () => run(failure),
];

describe("guarantee 14: admission", () => {
  it.each(REJECTIONS)("denies the request with 403 and the message of %s", async (...failure) => {
    for (const handler of handlersOf(failure)) {
      const { response, panics } = await admit(handler);
      expect(response).toMatchObject({ uid: "u-1", allowed: false, status: { code: 403, reason: "Forbidden" } });
      expect(response.status?.message).toContain(failure[2]);
      expect(response.status?.message).not.toContain("panic");
      expect(panics).toBe(0);
    }
  });

  it.each(DEFECTS)("reports and counts the defect %s with 500", async (...failure) => {
    for (const handler of handlersOf(failure)) {
      const { response, panics } = await admit(handler);
      expect(response).toMatchObject({ uid: "u-1", allowed: false, status: { code: 500 } });
      expect(response.status?.message).toContain(failure[2]);
      expect(response.status?.message).toMatch(/^panic: .* \[recovered\]$/su);
      expect(panics).toBe(1);
    }
  });

  it("returns the API status that an error has as its cause", async () => {
    const cause = newNotFound({ group: "", resource: "configmaps" }, "settings");
    const wrapped = new Error("cannot read the settings", { cause: new Error("inner", { cause }) });
    for (const error of [cause, wrapped, new RefusalWithWarnings(wrapped, ["careful"])]) {
      const { response } = await admit(
        validatorHandler<Site>({
          validateCreate: () => {
            throw error;
          },
          validateUpdate: () => undefined,
          validateDelete: () => undefined,
        }),
      );
      expect(response).toMatchObject({ allowed: false, status: { code: 404, reason: "NotFound" } });
      expect(response.warnings).toEqual(error instanceof RefusalWithWarnings ? ["careful"] : undefined);
    }
  });

  it.each([
    ["without a user", { operation: "CREATE", object: site }],
    ["with a null user", { operation: "CREATE", object: site, userInfo: null }],
  ])("calls handlers for a review %s", async (_, request) => {
    const handler: AdmissionHandler = async ({ userInfo }) => ({
      allowed: userInfo.username === undefined,
      patches: [],
      warnings: [],
    });
    expect((await admit(handler, request)).response).toMatchObject({ uid: "u-1", allowed: true });
  });
});

describe("guarantee 14: conversion", () => {
  async function convert(failure: Failure | undefined, target: string): Promise<{ message: string; panics: number }> {
    const conversions = new ConversionRegistry();
    const fail = (): Site => (failure === undefined ? site : run(failure));
    conversions.register(Site, [{ spoke: SiteV2, convertTo: fail, convertFrom: fail }]);
    const registry = createMetricsRegistry();
    const body = {
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "ConversionReview",
      request: { uid: "u-1", desiredAPIVersion: `test.example.com/${target}`, objects: [site] },
    };
    const call = new Request("https://localhost/convert", { method: "POST", body: JSON.stringify(body) });
    const answer = await conversionWebhook({ registry: conversions, log: silentLogger })(call, { registry });
    const { response } = (await answer.json()) as {
      readonly response: {
        readonly uid: string;
        readonly result: { readonly status: string; readonly message: string };
      };
    };
    expect(response).toMatchObject({ uid: "u-1", convertedObjects: [], result: { status: "Failure" } });
    const panics = (await webhookMetrics(registry).conversionPanics.get()).values[0]?.value ?? 0;
    return { message: response.result.message, panics };
  }

  it.each(REJECTIONS)("fails with the message of %s", async (...failure) => {
    const { message, panics } = await convert(failure, "v2");
    expect(message).toContain(failure[2]);
    expect(panics).toBe(0);
  });

  it.each(DEFECTS)("hides and counts the defect %s", async (...failure) => {
    expect(await convert(failure, "v2")).toEqual({ message: "internal error occurred during conversion", panics: 1 });
  });

  it("a version without a converter is a failed conversion, not a failed registration", async () => {
    const { message } = await convert(undefined, "v9");
    expect(message).toBe(
      'cannot convert test.example.com/v1, Kind=Site to version "test.example.com/v9": no converter for test.example.com/v9, Kind=Site is registered',
    );
    expect(() => new ConversionRegistry().convert(site, "test.example.com/v2")).toThrow(
      expect.objectContaining({ code: "WEBHOOK_CONVERT" }) as Error,
    );
  });
});
