import { setImmediate } from "node:timers/promises";

import type { ObjectMeta } from "@kubescaffold/k8s/meta/v1";
import { describe, expect, it } from "vitest";

import { admissionWebhooks } from "../../src/admission/webhooks/admission-webhooks.ts";
import type { WebhookClient } from "../../src/http/webhook-client.ts";
import { CONFIG_MAPS, configMap, fooCrd, FOOS, TestServer, type Answer } from "../support/test-server.ts";

const WEBHOOKS = "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations";
const PREFIX = "Internal error occurred: ";

describe("the answers of a mutating webhook", () => {
  it("may not copy more than 3 MiB", async () => {
    const doubling = Array.from({ length: 40 }, () => ({ op: "copy", from: "/x", path: "/x/-" }));
    const { code, body } = await createWith([{ op: "add", path: "/x", value: ["0123456789"] }, ...doubling]);
    expect(code).toBe(500);
    expect(body.message).toMatch(
      /^Internal error occurred: Unable to complete the copy, the accumulated size increase of copy is \d+, exceeding the limit 3145728$/,
    );
  });

  it("may not nest objects deeper than 10,000 levels", async () => {
    const deepening = Array.from({ length: 200 }, (_, index) => ({
      op: "add",
      path: "/x".repeat(9900 + index),
      value: {},
    }));
    const base = `{"op":"add","path":"/x","value":${'{"x":'.repeat(9898)}{}${"}".repeat(9898)}}`;
    const patch = `[${base},${JSON.stringify(deepening).slice(1)}`;
    expect(await createWith(patch)).toMatchObject({
      code: 500,
      body: { message: `${PREFIX}invalid character '{' exceeded max depth` },
    });
    expect(await createWith(`[{"op":"add","path":"/x","value":${nested(100_000)}}]`)).toMatchObject({
      code: 500,
      body: {
        message: `${PREFIX}failed calling webhook "a.example.com": received undecodable patch in webhook response: invalid character '{' exceeded max depth`,
      },
    });
  });

  it("may have more operations than the patches of users", async () => {
    const many = Array.from({ length: 10_001 }, () => ({ op: "add", path: "/data/b", value: "2" }));
    expect(await createWith(many)).toMatchObject({ code: 201, body: { data: { a: "1", b: "2" } } });
  });

  it("may not be nested deeper than 10,000 levels themselves", async () => {
    const { code, body } = await createWith(undefined, `{"x":${nested(100_000)}}`);
    expect({ code, message: body.message }).toEqual({
      code: 500,
      message: `${PREFIX}failed calling webhook "a.example.com": failed to call webhook: couldn't get version/kind; json parse error: invalid character '{' exceeded max depth`,
    });
  });
});

describe("the answers of a conversion webhook", () => {
  it.each([
    [2500, 200, undefined],
    // The review, its response, the list, and the object are levels, too.
    [9996, 200, undefined],
    [9997, 500, expect.stringContaining("invalid character '{' exceeded max depth")],
    [100_000, 500, expect.stringContaining("invalid character '{' exceeded max depth")],
  ])("may have 10,000 levels: a spec of %i", async (levels, expectedCode, message) => {
    const test = await convertingServer(nested(levels));
    const { code, body } = await test.get(FOOS.replace("/v1/", "/v2/"));
    expect({ code, message: body.message }).toEqual({ code: expectedCode, message });
    expect((await test.get(FOOS)).code).toBe(200);
  });
});

describe("an object that a conversion webhook cannot convert", () => {
  it("fails the requests for it alone", async () => {
    const test = await serverWithBadObject();
    const others = FOOS.replace("/v1/", "/v2/");
    expect((await test.get(`${others}/bad`)).body.message).toContain(FAILURE);
    expect((await test.get(`${others}/good`)).code).toBe(200);
    const patched = await test.patch(`${others}/good`, { metadata: { labels: { a: "b" } } });
    expect(patched.code).toBe(200);
    // A list has all objects, in one answer.
    expect((await test.get(others)).body.message).toContain(FAILURE);
    expect((await test.get(`${others}?limit=1`)).body.message).toContain(FAILURE);
    expect((await test.get(FOOS)).body.items).toHaveLength(2);
  });

  it("does not fail a watch of others, whose objects a list is converting", async () => {
    const [asked, answer] = [deferred(), deferred()];
    const test = await serverWithBadObject(async () => {
      asked.resolve();
      await answer.promise;
    });
    const others = FOOS.replace("/v1/", "/v2/");
    const { resourceVersion } = (await test.get(`${FOOS}/bad`)).body.metadata as { readonly resourceVersion: string };
    const list = test.get(others);
    await asked.promise;
    const watch = await test.watch(`${others}?watch=true&resourceVersion=${resourceVersion}`);
    const events = watch.take(1);
    await setImmediate();
    answer.resolve();
    expect((await list).body.message).toContain(FAILURE);
    expect((await events).map(({ type, object }) => [type, object.metadata?.name])).toEqual([["ADDED", "good"]]);
    watch.stop();
  });
});

function deferred(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = (): void => {};
  const promise = new Promise<void>((whenDone) => (resolve = whenDone));
  return { promise, resolve };
}

const FAILURE = "conversion webhook for example.com/v1, Kind=Foo failed: it is bad";

// The webhook fails reviews with the object `bad`, as converters of the runtime do.
async function serverWithBadObject(beforeListAnswer: () => Promise<void> = async () => {}): Promise<TestServer> {
  const test = new TestServer({
    callWebhook: async ({ body }) => {
      const { request } = JSON.parse(body) as {
        readonly request: { readonly uid: string; readonly objects: readonly { readonly metadata: ObjectMeta }[] };
      };
      if (request.objects.length > 1) await beforeListAnswer();
      const isBad = request.objects.some(({ metadata }) => metadata.name === "bad");
      const apiVersion = (request as unknown as { readonly desiredAPIVersion: string }).desiredAPIVersion;
      const response = isBad
        ? { uid: request.uid, result: { status: "Failure", message: "it is bad" }, convertedObjects: [] }
        : {
            uid: request.uid,
            result: { status: "Success" },
            convertedObjects: request.objects.map((object) => ({ ...object, apiVersion })),
          };
      return JSON.stringify({ apiVersion: "apiextensions.k8s.io/v1", kind: "ConversionReview", response });
    },
  });
  await defineConverted(test);
  for (const name of ["bad", "good"]) {
    expect((await test.post(FOOS, { apiVersion: "example.com/v1", kind: "Foo", metadata: { name } })).code).toBe(201);
  }
  return test;
}

async function createWith(patch: unknown, answer?: string): Promise<Answer> {
  const call: Pick<WebhookClient, "call"> = { call: async ({ body }) => answer ?? review(body, patch) };
  const test = new TestServer({ admission: [(context) => admissionWebhooks(context, call as WebhookClient)] });
  const rule = { operations: ["*"], apiGroups: [""], apiVersions: ["v1"], resources: ["configmaps"] };
  const configuration = {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "MutatingWebhookConfiguration",
    metadata: { name: "a" },
    webhooks: [
      {
        name: "a.example.com",
        sideEffects: "None",
        admissionReviewVersions: ["v1"],
        rules: [rule],
        clientConfig: { url: "https://127.0.0.1:1/" },
      },
    ],
  };
  expect((await test.post(WEBHOOKS, configuration)).code).toBe(201);
  const created = await test.post(CONFIG_MAPS, configMap("a"));
  expect((await test.get(CONFIG_MAPS)).code).toBe(200);
  return created;
}

function review(body: string, patch: unknown): string {
  const { request } = JSON.parse(body) as { readonly request: { readonly uid: string } };
  const text = typeof patch === "string" ? patch : JSON.stringify(patch);
  const response = {
    uid: request.uid,
    allowed: true,
    patchType: "JSONPatch",
    patch: Buffer.from(text).toString("base64"),
  };
  return JSON.stringify({ apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview", response });
}

async function convertingServer(spec: string): Promise<TestServer> {
  const test = new TestServer({
    callWebhook: async ({ body }) => {
      const { request } = JSON.parse(body) as {
        readonly request: { readonly uid: string; readonly objects: object[] };
      };
      const convertedObjects = request.objects.map((object) => ({
        ...object,
        apiVersion: "example.com/v2",
        spec: "@",
      }));
      const response = { uid: request.uid, result: { status: "Success" }, convertedObjects };
      const answer = { apiVersion: "apiextensions.k8s.io/v1", kind: "ConversionReview", response };
      return JSON.stringify(answer).replaceAll('"@"', spec);
    },
  });
  await defineConverted(test);
  expect((await test.post(FOOS, { apiVersion: "example.com/v1", kind: "Foo", metadata: { name: "a" } })).code).toBe(
    201,
  );
  return test;
}

async function defineConverted(test: TestServer): Promise<void> {
  const crd = fooCrd(
    {},
    { schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } } },
  );
  crd.spec.versions.push({ ...crd.spec.versions[0], name: "v2", storage: false });
  crd.spec.conversion = {
    strategy: "Webhook",
    webhook: { conversionReviewVersions: ["v1"], clientConfig: { url: "https://127.0.0.1:1/" } },
  };
  await test.define(crd);
}

function nested(levels: number): string {
  return `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;
}
