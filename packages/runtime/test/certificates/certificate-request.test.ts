import { createPrivateKey, X509Certificate } from "node:crypto";

import { Environment } from "@kubescaffold/envtest";
import type { RestConfig } from "@kubescaffold/k8s";
import { SelfSubjectReview } from "@kubescaffold/k8s/authentication/v1";
import { CertificateSigningRequest } from "@kubescaffold/k8s/certificates/v1";
import { afterAll, beforeAll, expect, it } from "vitest";

import {
  createCertificateRequest,
  requestCertificate,
  type RequestCertificateOptions,
} from "../../src/certificates/certificate-request.ts";
import type { LiveClient } from "../../src/client/client.ts";
import { createClient } from "../../src/client/create-client.ts";
import { approveCertificateSigningRequest } from "../../src/expansions/subresources.ts";

const LIVENESS = { timeout: 120_000 };
const environment = new Environment();
let config: RestConfig;
let live: LiveClient;

beforeAll(async () => {
  await environment.start();
  // A client certificate needs a connection with TLS.
  config = await environment.listen();
  live = createClient(config);
});
afterAll(() => environment.stop());

const CLIENT: RequestCertificateOptions = {
  signerName: "kubernetes.io/kube-apiserver-client",
  usages: ["digital signature", "key encipherment", "client auth"],
};

it("an approved request gets a certificate that authenticates its user and groups", LIVENESS, async () => {
  const { request, key } = await createCertificateRequest({ commonName: "backup", organizations: ["operators"] });
  const certificate = await requestCertificate(live, request, {
    ...CLIENT,
    expirationSeconds: 3600,
    onCreated: async (created) => {
      await approveCertificateSigningRequest(live, created, { reason: "Tested" });
    },
  });
  const parsed = new X509Certificate(certificate);
  expect(parsed.checkPrivateKey(createPrivateKey(key))).toBe(true);
  expect(parsed.subject.split("\n").toSorted()).toEqual(["CN=backup", "O=operators"]);
  const { credentials: _, ...server } = config;
  const user = createClient({ ...server, tls: { ...config.tls, cert: certificate, key } });
  const review = await user.create(SelfSubjectReview.create({ metadata: {} }));
  expect(review.status?.userInfo).toMatchObject({
    username: "backup",
    groups: expect.arrayContaining(["operators", "system:authenticated"]),
  });
});

it("a denied request fails with the reason of the approver", LIVENESS, async () => {
  const { request } = await createCertificateRequest({ commonName: "denied" });
  const denied = requestCertificate(live, request, {
    ...CLIENT,
    onCreated: async (created) => {
      const condition = { type: "Denied", status: "True", reason: "Unknown", message: "nobody knows it" };
      await live.subResource("approval").update({ ...created, status: { conditions: [condition] } });
    },
  });
  await expect(denied).rejects.toMatchObject({
    code: "CLIENT_CERTIFICATE_REFUSED",
    message: expect.stringContaining("Denied: Unknown: nobody knows it"),
  });
});

it("a request that is deleted fails, and an aborted wait leaves the request", LIVENESS, async () => {
  const { request } = await createCertificateRequest({ commonName: "deleted" });
  const deleted = requestCertificate(live, request, {
    ...CLIENT,
    name: "to-delete",
    onCreated: async (created) => {
      await live.delete(created);
    },
  });
  await expect(deleted).rejects.toThrow("the request was deleted");
  const stop = new AbortController();
  const aborted = requestCertificate(live, request, {
    ...CLIENT,
    name: "aborted",
    signal: stop.signal,
    onCreated: () => stop.abort(new TypeError("stopped")),
  });
  await expect(aborted).rejects.toThrow("stopped");
  expect((await live.get(CertificateSigningRequest, { name: "aborted" })).spec.signerName).toBe(CLIENT.signerName);
});

it("a request has the names and addresses of a server", async () => {
  const { request } = await createCertificateRequest({
    commonName: "hook",
    dnsNames: ["hook.default.svc"],
    ipAddresses: ["127.0.0.1"],
  });
  await import("reflect-metadata");
  const x509 = await import("@peculiar/x509");
  const parsed = new x509.Pkcs10CertificateRequest(request);
  expect(await parsed.verify()).toBe(true);
  const extension = parsed.extensions.find(({ type }) => type === "2.5.29.17");
  const names = extension && new x509.SubjectAlternativeNameExtension(extension.rawData).names.toJSON();
  expect(names).toEqual([
    { type: "dns", value: "hook.default.svc" },
    { type: "ip", value: "127.0.0.1" },
  ]);
});
