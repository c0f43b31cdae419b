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

  it("may not nest objects deeper than 1000 levels", async () => {
    const deepening = Array.from({ length: 2000 }, (_, index) => ({
      op: "add",
      path: "/x".repeat(index + 1),
      value: {},
    }));
    expect(await createWith(deepening)).toMatchObject({
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

  it("may not be nested deeper than 1000 levels themselves", async () => {
    const { code, body } = await createWith(undefined, `{"x":${nested(100_000)}}`);
    expect({ code, message: body.message }).toEqual({
      code: 500,
      message: `${PREFIX}failed calling webhook "a.example.com": failed to call webhook: couldn't get version/kind; json parse error: invalid character '{' exceeded max depth`,
    });
  });
});

describe("the answers of a conversion webhook", () => {
  it.each([
    [999, 200, undefined],
    [1000, 500, expect.stringContaining("invalid character '{' exceeded max depth")],
    [100_000, 500, expect.stringContaining("invalid character '{' exceeded max depth")],
  ])("may hold objects of 1000 levels: a spec of %i", async (levels, expectedCode, message) => {
    const test = await convertingServer(nested(levels));
    const { code, body } = await test.get(FOOS.replace("/v1/", "/v2/"));
    expect({ code, message: body.message }).toEqual({ code: expectedCode, message });
    expect((await test.get(FOOS)).code).toBe(200);
  });
});

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
  expect((await test.post(FOOS, { apiVersion: "example.com/v1", kind: "Foo", metadata: { name: "a" } })).code).toBe(
    201,
  );
  return test;
}

function nested(levels: number): string {
  return `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;
}
