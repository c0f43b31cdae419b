import { defineKind, type Kind } from "@kubescaffold/k8s";
import type { ConfigMap } from "@kubescaffold/k8s/core/v1";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
import { describe, expect, it } from "vitest";

import { enqueueRequestsFromMapFunc, type MapFunction } from "../../src/handler/handler.ts";
import { createRecordingLogger } from "../../src/log/logger.ts";
import { and, not, ofObject, or, type Predicate } from "../../src/predicate/predicate.ts";
import type { Result } from "../../src/reconcile/reconcile.ts";
import { defaulterHandler, validatorHandler } from "../../src/webhook/admission/admission-handlers.ts";
import type { AdmissionHandler } from "../../src/webhook/admission/admission-response.ts";
import { admissionWebhook } from "../../src/webhook/admission/admission-webhook.ts";
import { ConversionRegistry } from "../../src/webhook/conversion-registry.ts";
import { EVENT } from "../support/controller-on-server.ts";
import { serverForTests } from "../support/server-for-tests.ts";

const server = serverForTests();

// Values that the compiler rejects, and that a program in JavaScript, or with `any`, returns.
const RESULTS: readonly (readonly [unknown, string])[] = [
  ["done", 'the reconciler returned the string "done"'],
  [1000, "the reconciler returned 1000"],
  [[], "the reconciler returned an array"],
  [{ requeueAfterMs: 10n }, "has the bigint 10n as requeueAfterMs"],
  [{ requeueAfterMs: "1000" }, 'has the string "1000" as requeueAfterMs'],
  [{ requeueAfterMs: Number.NaN }, "has NaN as requeueAfterMs"],
  [{ requeueAfterMs: Number.POSITIVE_INFINITY }, "has Infinity as requeueAfterMs"],
  [{ requeueAfterMs: 2 ** 53 }, "has 9007199254740992 as requeueAfterMs"],
  [{ requeueAfterMs: {} }, "has an object as requeueAfterMs"],
  [{ requeueAfterMs: null }, "has null as requeueAfterMs"],
  [{ requeue: "yes" }, 'has the string "yes" as requeue'],
  [{ priority: 0.5 }, "has 0.5 as priority"],
  [{ priority: "high" }, 'has the string "high" as priority'],
  [{ requeueAfter: 1000 }, 'has an unknown field "requeueAfter"'],
  [{ requeueAfterMs: 1000, status: {} }, 'has an unknown field "status"'],
];

describe("guarantee 28: a result of a reconciler", () => {
  it.each(RESULTS)("that is %o is one error for each reconcile, and is backed off", async (result, message) => {
    let runs = 0;
    const { logger, clock, outcomes } = await server.start(async () => {
      runs += 1;
      return result as Result;
    });
    await server.on.write("a");
    await expect.poll(async () => (await outcomes())["errors"], EVENT).toBe(1);
    expect(runs).toBe(1);
    const [record] = logger.records.filter(({ severity }) => severity === "error");
    expect(String(record?.error)).toContain(message);
    expect(record?.error).toMatchObject({ code: "CONTROLLER_RETURNED_VALUE" });
    await clock.advance(5);
    expect(await outcomes()).toMatchObject({ errors: 2, error: 2 });
    expect(runs).toBe(2);
  });

  it.each([
    undefined,
    null,
    {},
    { requeueAfterMs: 0 },
    { requeueAfterMs: -1 },
    { requeue: false, priority: undefined },
  ])("may be %o", async (result) => {
    const { outcomes } = await server.start(async () => result as Result);
    await server.on.write("a");
    await expect.poll(outcomes, EVENT).toEqual({ success: 1 });
  });
});

describe("guarantee 28: a map function", () => {
  it.each<readonly [unknown, string]>([
    [undefined, "returned undefined"],
    [null, "returned null"],
    ["a", 'returned the string "a"'],
    [{ name: "a" }, "returned an object"],
    [new Set(), "returned an object"],
    [[undefined], "returned an array with undefined"],
    [[Promise.resolve({ name: "a" })], "returned an array with a promise"],
    [[{ namespace: "a" }], "returned an array with a request without a name"],
    [[{ namespace: "a", name: "" }], "returned an array with a request without a name"],
    [Promise.resolve(1), "returned 1"],
  ])("that returns %o drops the event with an error", async (returned, message) => {
    const reconciled: string[] = [];
    const { logger } = await server.start(
      async ({ name }) => {
        reconciled.push(name);
      },
      {
        handler: enqueueRequestsFromMapFunc((({ metadata: { name, namespace } }: ConfigMap) =>
          name === "wrong" ? returned : [{ name, namespace }]) as unknown as MapFunction<ConfigMap>),
      },
    );
    await server.on.write("wrong");
    await server.on.write("right");
    await expect.poll(() => reconciled, EVENT).toEqual(["right"]);
    const errors = logger.records.filter(({ severity }) => severity === "error");
    expect(errors.map(({ error }) => String(error))).toEqual([expect.stringContaining(message)]);
  });
});

describe("guarantee 28: a predicate", () => {
  const asynchronous = ofObject<ConfigMap>((() => Promise.resolve(false)) as never);
  const PREDICATES: Readonly<Record<string, Predicate<ConfigMap>>> = {
    alone: asynchronous,
    "in and": and(asynchronous),
    "in or": or(asynchronous),
    "in not": not(asynchronous),
    "that rejects": ofObject<ConfigMap>((() => Promise.reject(new Error("handled"))) as never),
  };

  it.each(Object.entries(PREDICATES))(
    "that returns a promise passes nothing, with an error: %s",
    async (_, predicate) => {
      const reconciled: string[] = [];
      const { logger } = await server.start(
        async ({ name }) => {
          reconciled.push(name);
        },
        { predicates: [predicate] },
      );
      await server.on.write("a");
      const errors = (): readonly string[] =>
        logger.records.filter(({ severity }) => severity === "error").map(({ error }) => String(error));
      await expect.poll(errors, EVENT).toEqual([expect.stringContaining("the predicate returned a promise")]);
      expect(reconciled).toEqual([]);
    },
  );
});

interface Site extends KubernetesObject {
  spec: { address: string };
}
const Site: Kind<Site> = defineKind<Site>({ group: "test.example.com", version: "v1" }, "Site");
const SiteV2: Kind<Site> = defineKind<Site>({ group: "test.example.com", version: "v2" }, "Site");
const site = Site.create({ metadata: { name: "s" }, spec: { address: "x" } });

async function admit(handler: AdmissionHandler): Promise<{ readonly response: object; readonly logged: number }> {
  const log = createRecordingLogger();
  const request = { uid: "u-1", operation: "CREATE", object: site };
  const call = new Request("https://localhost/x", {
    method: "POST",
    body: JSON.stringify({ apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview", request }),
    headers: { "content-type": "application/json" },
  });
  const answer = await admissionWebhook({ handler, log })(call);
  const { response } = (await answer.json()) as { readonly response: object };
  return { response, logged: log.records.filter(({ severity }) => severity === "error").length };
}

const denied = (message: string): object => ({
  allowed: false,
  status: { code: 500, message: expect.stringContaining(message) as string },
});

describe("guarantee 28: a webhook", () => {
  it.each<readonly [(object: Site) => unknown, string]>([
    [(object) => ({ ...object, spec: { address: "other" } }), "the defaulter returned an object"],
    [async (object) => ({ ...object }), "the defaulter returned an object"],
    [() => "done", 'the defaulter returned the string "done"'],
    [() => [], "the defaulter returned an array"],
  ])("denies with code 500 if its defaulter is %o", async (run, message) => {
    const { response, logged } = await admit(defaulterHandler<Site>({ default: run as never }));
    expect(response).toMatchObject(denied(message));
    expect(logged).toBe(1);
  });

  it("accepts the object that its defaulter has changed, and returned", async () => {
    const run = (object: Site): Site => Object.assign(object, { spec: { address: "other" } });
    const { response } = await admit(defaulterHandler<Site>({ default: run as never }));
    expect(response).toMatchObject({ allowed: true, patchType: "JSONPatch" });
  });

  it.each<readonly [unknown, string]>([
    ["careful", 'the validator returned the string "careful"'],
    [false, "the validator returned false"],
    [[1], "the validator returned warnings that are not strings"],
    [{ warnings: [] }, "the validator returned an object"],
  ])("denies with code 500 if its validator returns %o", async (returned, message) => {
    const validateCreate = (): never => returned as never;
    const validator = { validateCreate, validateUpdate: () => undefined, validateDelete: () => undefined };
    expect((await admit(validatorHandler<Site>(validator))).response).toMatchObject(denied(message));
    const later = { ...validator, validateCreate: async (): Promise<never> => Promise.resolve(returned as never) };
    expect((await admit(validatorHandler<Site>(later))).response).toMatchObject(denied(message));
  });

  it.each<readonly [unknown, string]>([
    [undefined, "returned undefined"],
    [null, "returned null"],
    [Promise.resolve(site), "returned a promise"],
    [{ spec: {} }, "returned an object without metadata"],
    ["site", 'returned the string "site"'],
  ])("fails with the reason if its converter returns %o", (returned, message) => {
    const registry = new ConversionRegistry();
    const convert = (): never => returned as never;
    registry.register(Site, [{ spoke: SiteV2, convertTo: convert, convertFrom: convert }]);
    expect(() => registry.convert(site, "test.example.com/v2")).toThrow(message);
  });
});
