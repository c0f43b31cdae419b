import { createEmbeddedCluster, type EmbeddedCluster } from "@kubescaffold/cluster";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { configMapOf, requestsOf, type Requests } from "../../support/cluster-requests.ts";
import { patchAnswer, startReviewServer, type Reviewer, type ReviewServer } from "./review-server.ts";

const FOLDER = "/api/v1/namespaces/default/configmaps";
const REGISTRATION = "/apis/admissionregistration.k8s.io/v1";
const RULE = { operations: ["*"], apiGroups: [""], apiVersions: ["v1"], resources: ["configmaps"] };

let cluster: EmbeddedCluster;
let admin: Requests;
let reviewer: Reviewer;
let server: ReviewServer;

beforeEach(async () => {
  cluster = createEmbeddedCluster();
  admin = requestsOf(cluster.config);
  server = await startReviewServer((...call) => reviewer(...call));
  reviewer = () => ({ allowed: true });
});

afterEach(async () => {
  await cluster.close();
  await server.close();
});

async function install(
  kind: "Mutating" | "Validating",
  ...webhooks: readonly ({ readonly name: string } & Readonly<Record<string, unknown>>)[]
): Promise<void> {
  const answer = await admin.post(`${REGISTRATION}/${kind.toLowerCase()}webhookconfigurations`, {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: `${kind}WebhookConfiguration`,
    metadata: { name: kind.toLowerCase() },
    webhooks: webhooks.map((webhook) => ({
      sideEffects: "None",
      admissionReviewVersions: ["v1"],
      rules: [RULE],
      clientConfig: { url: `${server.url}/${webhook.name}`, caBundle: server.caBundle },
      ...webhook,
    })),
  });
  expect(answer.status).toBe(201);
}

function asked(): readonly string[] {
  return server.calls.splice(0).map(({ url }) => url.split("?")[0] ?? "");
}

describe("mutating webhooks", () => {
  it("change objects one after the other, each seeing what the one before did", async () => {
    reviewer = (request) => {
      const data = request.object?.["data"] as Readonly<Record<string, string>>;
      return patchAnswer({ op: "add", path: `/data/n${String(Object.keys(data).length)}`, value: "x" });
    };
    await install("Mutating", { name: "a.example.com" }, { name: "b.example.com" });
    expect((await admin.post(FOLDER, configMapOf("c"))).body["data"]).toEqual({ a: "1", n1: "x", n2: "x" });
    expect(asked()).toEqual(["/a.example.com", "/b.example.com"]);
  });

  it("are asked again once when something changed after them and they want to be", async () => {
    reviewer = (_request, _response, url) =>
      url.startsWith("/last") ? patchAnswer({ op: "add", path: "/data/last", value: "x" }) : { allowed: true };
    await install(
      "Mutating",
      { name: "again.example.com", reinvocationPolicy: "IfNeeded" },
      { name: "never.example.com" },
      { name: "last.example.com", reinvocationPolicy: "IfNeeded" },
    );
    await admin.post(FOLDER, configMapOf("c"));
    expect(asked()).toEqual(["/again.example.com", "/never.example.com", "/last.example.com", "/again.example.com"]);
  });

  it("fail the request by a patch that does not fit, and by one of what is being deleted", async () => {
    reviewer = ({ operation }) => {
      if (operation === "CREATE") return { allowed: true };
      return patchAnswer({ op: "remove", path: "/data/none" });
    };
    await install("Mutating", { name: "a.example.com", failurePolicy: "Ignore" });
    await admin.post(FOLDER, configMapOf("c"));
    expect(await admin.patch(`${FOLDER}/c`, { data: { b: "2" } })).toMatchObject({ status: 500 });
    expect((await admin.delete(`${FOLDER}/c`)).body["message"]).toBe(
      'Internal error occurred: admission webhook "a.example.com" attempted to modify the object, which is not supported for this operation',
    );
  });
});

describe("validating webhooks", () => {
  it("see the finished object, the old one, the user, the options and the dry run", async () => {
    await install("Validating", { name: "a.example.com" });
    await admin.post(FOLDER, configMapOf("c"));
    const created = server.calls.splice(0)[0]?.request;
    expect(created).toMatchObject({ operation: "CREATE", name: "c", oldObject: null, dryRun: false });
    expect(created?.object).toMatchObject({
      metadata: { name: "c", namespace: "default", uid: expect.any(String) as string },
    });
    await admin.patch(`${FOLDER}/c?dryRun=All`, { data: { a: "2" } });
    expect(server.calls.splice(0)[0]?.request).toMatchObject({
      operation: "UPDATE",
      object: { data: { a: "2" } },
      oldObject: { data: { a: "1" } },
      dryRun: true,
      options: { kind: "UpdateOptions", apiVersion: "meta.k8s.io/v1", dryRun: ["All"] },
      userInfo: { groups: ["system:masters", "system:authenticated"] },
    });
    await admin.delete(`${FOLDER}/c`);
    expect(server.calls[0]?.request).toMatchObject({
      operation: "DELETE",
      object: null,
      oldObject: { data: { a: "1" } },
    });
  });

  it("deny with their code and text, and warn either way", async () => {
    reviewer = () => ({
      allowed: false,
      warnings: ["mind the gap"],
      status: { code: 418, message: "no", reason: "Teapot" },
    });
    await install("Validating", { name: "a.example.com", failurePolicy: "Ignore" });
    expect(await admin.post(FOLDER, configMapOf("c"))).toMatchObject({
      status: 418,
      warnings: '299 - "mind the gap"',
      body: { reason: "Teapot", message: 'admission webhook "a.example.com" denied the request: no' },
    });
    expect(await admin.get(`${FOLDER}/c`)).toMatchObject({ status: 404 });
  });

  it("that answer nonsense refuse or let pass by their failure policy", async () => {
    reviewer = () => ({ allowed: true, uid: "other" });
    await install("Validating", { name: "a.example.com" });
    const refused = await admin.post(FOLDER, configMapOf("c"));
    expect(refused).toMatchObject({ status: 500, body: { reason: "InternalError" } });
    expect(refused.body["message"]).toContain(
      'failed calling webhook "a.example.com": received invalid webhook response: expected response.uid=',
    );
    await admin.patch(`${REGISTRATION}/validatingwebhookconfigurations/validating`, {
      webhooks: [
        {
          name: "a.example.com",
          sideEffects: "None",
          admissionReviewVersions: ["v1"],
          rules: [RULE],
          clientConfig: { url: server.url, caBundle: server.caBundle },
          failurePolicy: "Ignore",
        },
      ],
    });
    expect(await admin.post(FOLDER, configMapOf("c"))).toMatchObject({ status: 201 });
  });
});

describe("match conditions", () => {
  const matchConditions = [{ name: "named", expression: "object.metadata.name.startsWith('a')" }];

  it("keep webhooks of either kind from being called", async () => {
    await install("Mutating", { name: "m.example.com", matchConditions });
    await install("Validating", { name: "v.example.com", matchConditions });
    expect(await admin.post(FOLDER, configMapOf("b"))).toMatchObject({ status: 201 });
    expect(asked()).toEqual([]);
    expect(await admin.post(FOLDER, configMapOf("a"))).toMatchObject({ status: 201 });
    expect(asked()).toEqual(["/m.example.com", "/v.example.com"]);
  });

  it("see what the webhooks before have changed", async () => {
    reviewer = () => patchAnswer({ op: "add", path: "/data/b", value: "x" });
    const sees = [{ name: "sees", expression: "has(object.data.b)" }];
    await install("Mutating", { name: "a.example.com" }, { name: "b.example.com", matchConditions: sees });
    await admin.post(FOLDER, configMapOf("c"));
    expect(asked()).toEqual(["/a.example.com", "/b.example.com"]);
  });
});
