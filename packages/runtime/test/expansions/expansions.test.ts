import { Deployment } from "@kubescaffold/k8s/apps/v1";
import { Scale } from "@kubescaffold/k8s/autoscaling/v1";
import { CertificateSigningRequest } from "@kubescaffold/k8s/certificates/v1";
import { Namespace } from "@kubescaffold/k8s/core/v1";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
import { afterEach, describe, expect, it } from "vitest";

import type { LiveClient } from "../../src/client/client.ts";
import { createClient } from "../../src/client/create-client.ts";
import type { RestMapper } from "../../src/discovery/rest-mapping.ts";
import { bindPod, evictPod } from "../../src/expansions/pods.ts";
import {
  applyScale,
  approveCertificateSigningRequest,
  createToken,
  finalizeNamespace,
  getScale,
  updateScale,
} from "../../src/expansions/subresources.ts";
import { silentLogger } from "../../src/log/logger.ts";
import { createRestClient } from "../../src/rest/rest-client.ts";
import { sendJson, startServer, type RecordingServer } from "../rest/recording-server.ts";

const RESOURCES: Readonly<Record<string, { resource: string; scope: "namespaced" | "cluster" }>> = {
  Pod: { resource: "pods", scope: "namespaced" },
  ServiceAccount: { resource: "serviceaccounts", scope: "namespaced" },
  Deployment: { resource: "deployments", scope: "namespaced" },
  Namespace: { resource: "namespaces", scope: "cluster" },
  CertificateSigningRequest: { resource: "certificatesigningrequests", scope: "cluster" },
};

const cleanUps: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});

/** Starts a server that answers all requests with one body, and a client that knows a few kinds. */
async function setUp(
  body: unknown = {},
  status: number = 200,
): Promise<{ server: RecordingServer; client: LiveClient }> {
  const server = await startServer((response) => sendJson(response, body, status));
  const restClient = createRestClient({ server: server.url }, { log: silentLogger });
  cleanUps.push(
    () => server.close(),
    () => restClient.close(),
  );
  const restMapper: Pick<RestMapper, "restMapping" | "reset"> = {
    restMapping: async (gvk) => {
      const { resource, scope } = RESOURCES[gvk.kind] ?? { resource: "unknown", scope: "cluster" as const };
      return { gvk, gvr: { group: gvk.group, version: gvk.version, resource }, scope };
    },
    reset: () => undefined,
  };
  return { server, client: createClient(restClient.config, { restClient, restMapper: restMapper as RestMapper }) };
}

function onlyRequest(server: RecordingServer): {
  method: string;
  url: string;
  body: unknown;
  type: string | undefined;
} {
  expect(server.requests).toHaveLength(1);
  const [request] = server.requests;
  return {
    method: request?.method ?? "",
    url: request?.url ?? "",
    body: request?.body === "" ? undefined : (JSON.parse(request?.body ?? "null") as unknown),
    type: request?.headers["content-type"],
  };
}

const POD = { namespace: "default", name: "web-0" };
const DEPLOYMENT = Deployment.create({ metadata: { namespace: "default", name: "web" } });
const SCALE = Scale.create({
  metadata: { namespace: "default", name: "web", resourceVersion: "5" },
  spec: { replicas: 3 },
});

describe("pods", () => {
  it("an eviction is created with the options of the deletion", async () => {
    const { server, client } = await setUp({ kind: "Status", status: "Success" }, 201);
    await evictPod(client, POD, { deleteOptions: { gracePeriodSeconds: 5 }, dryRun: true });
    expect(onlyRequest(server)).toMatchObject({
      method: "POST",
      url: "/api/v1/namespaces/default/pods/web-0/eviction?dryRun=All",
      body: {
        apiVersion: "policy/v1",
        kind: "Eviction",
        metadata: POD,
        deleteOptions: { gracePeriodSeconds: 5 },
      },
    });
  });

  it("an eviction that a budget forbids fails", async () => {
    const { client } = await setUp({ kind: "Status", status: "Failure", code: 429, reason: "TooManyRequests" }, 429);
    await expect(evictPod(client, POD)).rejects.toMatchObject({ status: { reason: "TooManyRequests" } });
  });

  it("a binding names the node", async () => {
    const { server, client } = await setUp({ kind: "Status", status: "Success" }, 201);
    await bindPod(client, POD, "node-1");
    expect(onlyRequest(server)).toMatchObject({
      method: "POST",
      url: "/api/v1/namespaces/default/pods/web-0/binding",
      body: {
        apiVersion: "v1",
        kind: "Binding",
        metadata: POD,
        target: { apiVersion: "v1", kind: "Node", name: "node-1" },
      },
    });
  });
});

describe("scales", () => {
  const URL = "/apis/apps/v1/namespaces/default/deployments/web/scale";

  it("a scale is read", async () => {
    const { server, client } = await setUp(SCALE);
    expect(await getScale(client, DEPLOYMENT)).toEqual(SCALE);
    expect(onlyRequest(server)).toMatchObject({ method: "GET", url: URL });
  });

  it("a scale is replaced", async () => {
    const { server, client } = await setUp(SCALE);
    expect(await updateScale(client, DEPLOYMENT, SCALE)).toEqual(SCALE);
    expect(onlyRequest(server)).toMatchObject({ method: "PUT", url: URL, body: SCALE });
  });

  it("a scale is applied, which needs a field owner", async () => {
    const { server, client } = await setUp(SCALE);
    const scale = { apiVersion: "autoscaling/v1", kind: "Scale", metadata: { name: "web" }, spec: { replicas: 3 } };
    await expect(applyScale(client, DEPLOYMENT, scale, {})).rejects.toMatchObject({
      code: "CLIENT_MISSING_FIELD_OWNER",
    });
    await applyScale(client, DEPLOYMENT, scale, { fieldOwner: "tests", forceOwnership: true });
    expect(onlyRequest(server)).toEqual({
      method: "PATCH",
      url: `${URL}?fieldManager=tests&force=true`,
      body: scale,
      type: "application/apply-patch+yaml",
    });
  });
});

describe("other subresources", () => {
  it("a token is requested for a service account", async () => {
    const { server, client } = await setUp({ status: { token: "secret" } }, 201);
    const token = await createToken(
      client,
      { namespace: "default", name: "robot" },
      { audiences: ["vault"], expirationSeconds: 600 },
    );
    expect(token.status?.token).toBe("secret");
    expect(onlyRequest(server)).toMatchObject({
      method: "POST",
      url: "/api/v1/namespaces/default/serviceaccounts/robot/token",
      body: {
        apiVersion: "authentication.k8s.io/v1",
        kind: "TokenRequest",
        spec: { audiences: ["vault"], expirationSeconds: 600 },
      },
    });
  });

  it("a certificate signing request is approved once", async () => {
    const { server, client } = await setUp({});
    const request = CertificateSigningRequest.create({
      metadata: { name: "node-1", resourceVersion: "5" },
      spec: { request: "", signerName: "example.com/signer" },
    });
    await approveCertificateSigningRequest(client, request, { reason: "NodeVerified", message: "checked" });
    const { method, url, body } = onlyRequest(server);
    const condition = { type: "Approved", status: "True", reason: "NodeVerified", message: "checked" };
    expect([method, url]).toEqual(["PUT", "/apis/certificates.k8s.io/v1/certificatesigningrequests/node-1/approval"]);
    expect(body).toEqual({ ...request, status: { conditions: [condition] } });
    const approved = body as CertificateSigningRequest;
    expect(await approveCertificateSigningRequest(client, approved, { reason: "Again" })).toBe(approved);
    expect(server.requests).toHaveLength(1);
  });

  it("a namespace is finalized", async () => {
    const namespace: KubernetesObject = Namespace.create({ metadata: { name: "old" }, spec: { finalizers: [] } });
    const { server, client } = await setUp(namespace);
    await finalizeNamespace(client, namespace);
    expect(onlyRequest(server)).toMatchObject({
      method: "PUT",
      url: "/api/v1/namespaces/old/finalize",
      body: namespace,
    });
  });
});
