import { defineKind, type Kind, nestedField, printLosslessJson, withNestedField } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
import { createThreeWayJsonMergePatch, type JsonObject } from "@kubescaffold/schema";
import { describe, expect, it } from "vitest";

import type { LiveClient } from "../../src/client/client.ts";
import { createClient } from "../../src/client/create-client.ts";
import * as patch from "../../src/client/patches.ts";
import { createDynamicClient } from "../../src/client/resource-clients.ts";
import { createDynamicSharedInformerFactory } from "../../src/informers/resource-informer-factory.ts";
import { silentLogger } from "../../src/log/logger.ts";
import { createMetricsRegistry } from "../../src/metrics/registry.ts";
import { createRestClient, type RestClient } from "../../src/rest/rest-client.ts";
import { patchResponse } from "../../src/webhook/admission/admission-response.ts";
import { admissionWebhook } from "../../src/webhook/admission/admission-webhook.ts";
import { ConversionRegistry, type SpokeConverter } from "../../src/webhook/conversion-registry.ts";
import { conversionWebhook } from "../../src/webhook/conversion/conversion-webhook.ts";
import { createFakeApi } from "./fake-api.ts";

interface Guestbook extends KubernetesObject {
  readonly spec: { readonly id: number; readonly size?: number };
}

const GROUP = "webapp.demo";
const Guestbook: Kind<Guestbook> = defineKind<Guestbook>({ group: GROUP, version: "v1" }, "Guestbook");
const Beta: Kind<Guestbook> = defineKind<Guestbook>({ group: GROUP, version: "v1beta1" }, "Guestbook");
const KEY = { namespace: "a", name: "b" };
const LARGE = "9007199254740993";
const STORED =
  `{"apiVersion":"${GROUP}/v1","kind":"Guestbook","metadata":{"namespace":"a","name":"b","resourceVersion":"7"},` +
  `"spec":{"id":${LARGE},"size":1}}`;

// A server that sends texts as they are, and records those that it receives.
function setUp(answer: string): { readonly client: LiveClient; readonly rest: RestClient; readonly bodies: string[] } {
  const { config } = createFakeApi();
  const bodies: string[] = [];
  const transport = async (request: Request): Promise<Response> => {
    if (!request.url.includes("/namespaces/") && !request.url.includes("watch=true")) {
      return (await config.transport?.(request)) ?? Response.error();
    }
    bodies.push(await request.text());
    return new Response(answer, { headers: { "content-type": "application/json" } });
  };
  const target = { ...config, transport };
  return { client: createClient(target), rest: createRestClient(target), bodies };
}

async function answerOf(serve: (request: Request) => Response | Promise<Response>, body: string): Promise<string> {
  const headers = { "content-type": "application/json" };
  const response = await serve(new Request("https://localhost/x", { method: "POST", body, headers }));
  return await response.text();
}

describe("integers beyond 2^53", () => {
  it("guarantee 4: get and update send the digits that the server sent", async () => {
    const { client, bodies } = setUp(STORED);
    const read = await client.get(Guestbook, KEY);
    expect(read.spec.id).toBe(9007199254740993n);
    await client.update({ ...structuredClone(read), spec: { ...read.spec, size: 2 } });
    expect(bodies.at(-1)).toBe(STORED.replace('"size":1', '"size":2'));
  });

  it("guarantee 4: a list and a watch return all digits", async () => {
    const list = setUp(`{"apiVersion":"${GROUP}/v1","kind":"GuestbookList","metadata":{},"items":[${STORED}]}`);
    const { items } = await list.client.list(Guestbook, { namespace: "a" });
    expect(items[0]?.spec.id).toBe(9007199254740993n);
    const { client } = setUp(`{"type":"ADDED","object":${STORED}}\n`);
    for await (const event of client.watch(Guestbook, { namespace: "a" })) {
      expect((event.object as Guestbook).spec.id).toBe(9007199254740993n);
    }
  });

  it("guarantee 4: a dynamic client and an informer by resource return all digits, and a three-way patch has them", async () => {
    const gvr = { group: GROUP, version: "v1", resource: "guestbooks" };
    const { rest } = setUp(STORED);
    const read = await createDynamicClient(rest).resource(gvr).namespace("a").get("b");
    expect(nestedField(read, ["spec", "id"])).toBe(9007199254740993n);
    const current = read as unknown as JsonObject;
    const modified = withNestedField(read, ["spec", "id"], 9007199254740995n) as unknown as JsonObject;
    const threeWay = createThreeWayJsonMergePatch(current, modified, current);
    expect(printLosslessJson(threeWay)).toBe('{"spec":{"id":9007199254740995}}');

    const list = setUp(
      `{"apiVersion":"${GROUP}/v1","kind":"GuestbookList","metadata":{"resourceVersion":"7"},"items":[${STORED}]}`,
    );
    const registry = createMetricsRegistry();
    const dynamic = createDynamicClient(list.rest);
    const factory = createDynamicSharedInformerFactory(dynamic, { namespace: "a", logger: silentLogger, registry });
    const { lister } = factory.forResource(gvr);
    factory.start(AbortSignal.timeout(20_000));
    await factory.waitForCacheSync();
    expect(nestedField(lister.get(KEY) ?? {}, ["spec", "id"])).toBe(9007199254740993n);
    await factory.shutdown();
  });

  it("guarantee 4: a patch contains a large integer only if it was changed, with all digits", async () => {
    const { client, bodies } = setUp(STORED);
    const read = await client.get(Guestbook, KEY);
    await client.patch({ ...structuredClone(read), spec: { ...read.spec, size: 2 } }, patch.mergeFrom(read));
    expect(bodies.at(-1)).toBe('{"spec":{"size":2}}');
    const id = 9007199254740995n as unknown as number;
    await client.patch({ ...read, spec: { ...read.spec, id } }, patch.mergeFrom(read));
    expect(bodies.at(-1)).toBe('{"spec":{"id":9007199254740995}}');
  });

  it("guarantee 4: a number without a JSON form is not sent as null", async () => {
    const { client, bodies } = setUp(STORED);
    const read = await client.get(Guestbook, KEY);
    const update = client.update({ ...read, spec: { id: Number.NaN } });
    await expect(update).rejects.toMatchObject({ code: "CLIENT_UNPRINTABLE_NUMBER" });
    expect(bodies).toHaveLength(1);
  });

  it("guarantee 4: a conversion webhook returns the digits that it received", async () => {
    const registry = new ConversionRegistry();
    const fromBeta: SpokeConverter<Guestbook, Guestbook> = {
      spoke: Beta,
      convertTo: ({ metadata, spec }) => Guestbook.create({ metadata, spec }),
      convertFrom: ({ metadata, spec }) => Beta.create({ metadata, spec }),
    };
    registry.register(Guestbook, [fromBeta]);
    const answer = await answerOf(
      conversionWebhook({ registry, log: silentLogger }),
      '{"apiVersion":"apiextensions.k8s.io/v1","kind":"ConversionReview",' +
        `"request":{"uid":"u","desiredAPIVersion":"${GROUP}/v1beta1","objects":[${STORED}]}}`,
    );
    expect(answer).toContain(`"spec":{"id":${LARGE},"size":1}`);
  });

  it("guarantee 4: the patch of an admission webhook has the digits of the object", async () => {
    const serve = admissionWebhook({
      log: silentLogger,
      handler: ({ object }) => {
        const book = object as Guestbook;
        return Promise.resolve(patchResponse(book, { ...book, status: { seen: book.spec.id } }));
      },
    });
    const answer = await answerOf(
      serve,
      `{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":{"uid":"u","operation":"CREATE","object":${STORED}}}`,
    );
    const { response } = JSON.parse(answer) as { readonly response: { readonly patch: string } };
    expect(Buffer.from(response.patch, "base64").toString("utf8")).toBe(
      `[{"op":"add","path":"/status","value":{"seen":${LARGE}}}]`,
    );
  });
});
