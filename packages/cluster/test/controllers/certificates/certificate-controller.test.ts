import "reflect-metadata";
import { X509Certificate } from "node:crypto";
import { request } from "node:https";

import { FakeClock } from "@kubescaffold/platform/clock";
import { Pkcs10CertificateRequestGenerator } from "@peculiar/x509";
import { afterEach, describe, expect, it } from "vitest";

import { requestsOf, type Requests } from "../../../../apiserver/test/support/cluster-requests.ts";
import { element, UTF8_STRING } from "../../../src/cluster/der.ts";
import { createEmbeddedCluster, type EmbeddedCluster } from "../../../src/cluster/embedded-cluster.ts";
import { encodedRequest, PRIVATE_KEY } from "../../cluster/encoded-request.ts";

const REQUESTS = "/apis/certificates.k8s.io/v1/certificatesigningrequests";
const SIGNER = "kubernetes.io/kube-apiserver-client";

const clusters: EmbeddedCluster[] = [];
afterEach(async () => {
  for (const cluster of clusters.splice(0)) await cluster.close();
});

function startCluster(clock?: FakeClock): { readonly cluster: EmbeddedCluster; readonly admin: Requests } {
  const cluster = createEmbeddedCluster(clock === undefined ? {} : { clock });
  clusters.push(cluster);
  cluster.server.start();
  return { cluster, admin: requestsOf(cluster.config) };
}

const EC = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" } as const;
const RSA = {
  name: "RSASSA-PKCS1-v1_5",
  hash: "SHA-256",
  publicExponent: new Uint8Array([1, 0, 1]),
  modulusLength: 2048,
} as const;

async function createRequest(name: string, algorithm: typeof EC | typeof RSA = EC) {
  const keys = await crypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
  const created = await Pkcs10CertificateRequestGenerator.create({
    name,
    keys,
    signingAlgorithm: algorithm,
  });
  const der = Buffer.from(await crypto.subtle.exportKey("pkcs8", keys.privateKey)).toString("base64");
  return { pem: created.toString("pem"), key: `-----BEGIN PRIVATE KEY-----\n${der}\n-----END PRIVATE KEY-----\n` };
}

async function post(admin: Requests, name: string, pem: string, spec: object = {}): Promise<void> {
  const encoded = Buffer.from(pem).toString("base64");
  const body = { metadata: { name }, spec: { request: encoded, signerName: SIGNER, usages: ["client auth"], ...spec } };
  expect((await admin.post(REQUESTS, body)).status).toBe(201);
}

async function decide(admin: Requests, name: string, type = "Approved"): Promise<void> {
  const conditions = [{ type, status: "True", reason: "Test", message: "" }];
  expect((await admin.patch(`${REQUESTS}/${name}/approval`, { status: { conditions } })).status).toBe(200);
}

async function certificateOf(admin: Requests, name: string): Promise<string | undefined> {
  const { status } = (await admin.get(`${REQUESTS}/${name}`)).body as {
    readonly status?: { readonly certificate?: string };
  };
  return status?.certificate === undefined ? undefined : Buffer.from(status.certificate, "base64").toString();
}

async function namesOf(admin: Requests): Promise<readonly string[]> {
  const { items } = (await admin.get(REQUESTS)).body as {
    readonly items: readonly { readonly metadata: { readonly name: string } }[];
  };
  return items.map(({ metadata }) => metadata.name);
}

async function whoAmI(url: string, tls: { readonly ca: string; readonly cert: string; readonly key: string }) {
  const body = JSON.stringify({ apiVersion: "authentication.k8s.io/v1", kind: "SelfSubjectReview" });
  return await new Promise<unknown>((resolve, reject) => {
    const sent = request(
      `${url}/apis/authentication.k8s.io/v1/selfsubjectreviews`,
      { ...tls, method: "POST", headers: { "content-type": "application/json" }, agent: false },
      (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("end", () => resolve(JSON.parse(Buffer.concat(chunks).toString())));
      },
    );
    sent.on("error", reject);
    sent.end(body);
  });
}

describe("a certificate signing request", () => {
  it.each([
    ["an elliptic curve", EC],
    ["RSA", RSA],
  ])("with a key of %s is signed when it is approved, and its user is authenticated", async (_title, algorithm) => {
    const { cluster, admin } = startCluster();
    const { url } = await cluster.listen({ tls: true });
    const { pem, key } = await createRequest("O=writers,O=readers,CN=jane", algorithm);
    await post(admin, "jane", pem);
    await cluster.server.idle();
    expect(await certificateOf(admin, "jane")).toBeUndefined();
    await decide(admin, "jane");
    await cluster.server.idle();
    const cert = (await certificateOf(admin, "jane")) ?? "";
    const { cert: ca } = await cluster.certificateAuthority();
    expect(new X509Certificate(cert).verify(new X509Certificate(ca).publicKey)).toBe(true);
    expect(await whoAmI(url, { ca, cert, key })).toMatchObject({
      status: { userInfo: { username: "jane", groups: ["readers", "writers", "system:authenticated"] } },
    });
  });

  it.each([
    ["bytes in hexadecimal digits", "#0c0e73797374656d3a6d617374657273"],
    ["quotes", '"system:masters"'],
    ["a backslash", "\\system:masters"],
  ])("for a group that contains %s never leads to the group that this means in RFC 4514", async (_title, group) => {
    const { cluster, admin } = startCluster();
    const { url } = await cluster.listen({ tls: true });
    const pem = encodedRequest([
      ["2.5.4.10", element(UTF8_STRING, Buffer.from(group))],
      ["2.5.4.3", element(UTF8_STRING, Buffer.from("jane"))],
    ]);
    await post(admin, "jane", pem);
    await decide(admin, "jane");
    await cluster.server.idle();
    const cert = (await certificateOf(admin, "jane")) ?? "";
    const { cert: ca } = await cluster.certificateAuthority();
    expect(await whoAmI(url, { ca, cert, key: PRIVATE_KEY })).toMatchObject({
      status: { userInfo: { username: "jane", groups: [group, "system:authenticated"] } },
    });
  });

  it("that is denied, or for another signer, is not signed", async () => {
    const { cluster, admin } = startCluster();
    const { pem } = await createRequest("CN=jane");
    await post(admin, "denied", pem);
    await decide(admin, "denied", "Denied");
    await post(admin, "other", pem, { signerName: "example.com/signer" });
    await decide(admin, "other");
    await cluster.server.idle();
    expect(await certificateOf(admin, "denied")).toBeUndefined();
    expect(await certificateOf(admin, "other")).toBeUndefined();
  });

  it("of a kubelet is approved once its user may have it", async () => {
    const clock = new FakeClock();
    const { cluster, admin } = startCluster(clock);
    const kubelet = requestsOf(cluster.addUser({ name: "system:node:a", groups: ["system:nodes"] }));
    const { pem } = await createRequest("O=system:nodes,CN=system:node:a");
    const usages = ["client auth", "digital signature"];
    await post(kubelet, "a", pem, { signerName: "kubernetes.io/kube-apiserver-client-kubelet", usages });
    await cluster.server.idle();
    expect(await certificateOf(admin, "a")).toBeUndefined();
    const apiGroup = "rbac.authorization.k8s.io";
    await admin.post("/apis/rbac.authorization.k8s.io/v1/clusterrolebindings", {
      metadata: { name: "renewal" },
      roleRef: {
        apiGroup,
        kind: "ClusterRole",
        name: "system:certificates.k8s.io:certificatesigningrequests:selfnodeclient",
      },
      subjects: [{ apiGroup, kind: "Group", name: "system:nodes" }],
    });
    clock.step(10_000);
    await cluster.server.idle();
    const { subject } = new X509Certificate((await certificateOf(admin, "a")) ?? "");
    expect(subject).toBe("O=system:nodes\nCN=system:node:a");
  });

  it("is deleted an hour after its decision, and a day after its creation without one", async () => {
    const clock = new FakeClock();
    const { cluster, admin } = startCluster(clock);
    const { pem } = await createRequest("CN=jane");
    for (const name of ["approved", "denied", "failed", "pending"]) {
      await post(admin, name, pem, name === "failed" ? { usages: ["server auth"] } : {});
    }
    await decide(admin, "approved");
    await decide(admin, "denied", "Denied");
    await decide(admin, "failed");
    const pass = async (hours: number): Promise<void> => {
      await cluster.server.idle();
      clock.step(hours * 3_600_000);
      await cluster.server.idle();
    };
    await pass(1);
    expect(await namesOf(admin)).toEqual(["approved", "denied", "failed", "pending"]);
    await pass(1);
    expect(await namesOf(admin)).toEqual(["pending"]);
    for (let hours = 2; hours < 24; hours++) await pass(1);
    expect(await namesOf(admin)).toEqual(["pending"]);
    await pass(1);
    expect(await namesOf(admin)).toEqual([]);
  });
});
