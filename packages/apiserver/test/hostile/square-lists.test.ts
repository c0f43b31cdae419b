import { beforeAll, describe, expect, it } from "vitest";

import { TestServer } from "../support/test-server.ts";

const COUNT = 300;
const STORAGE_CLASSES = "/apis/storage.k8s.io/v1/storageclasses";
const REQUESTS = "/apis/certificates.k8s.io/v1/certificatesigningrequests";

// What is said about pairs of items is limited: their number is the square of that of the items.
describe("long lists of equal items", () => {
  let test: TestServer;

  beforeAll(() => {
    test = new TestServer({ kubernetesVersion: "1.35" });
  });

  it("have at most 10000 errors about pairs of topologies", async () => {
    const { code, body } = await test.post(STORAGE_CLASSES, {
      apiVersion: "storage.k8s.io/v1",
      kind: "StorageClass",
      metadata: { name: "many" },
      provisioner: "a",
      volumeBindingMode: "WaitForFirstConsumer",
      allowedTopologies: Array.from({ length: COUNT }, () => ({})),
    });
    expect(code).toBe(422);
    const { length } = body.details.causes;
    expect(length).toBeGreaterThan(COUNT);
    expect(length).toBeLessThanOrEqual(10_000 + COUNT);
  });

  it("of PEM blocks without an end are no request for a certificate", async () => {
    const request = (text: string): Promise<{ readonly code: number; readonly text: string }> =>
      test.post(`${REQUESTS}?dryRun=All`, {
        apiVersion: "certificates.k8s.io/v1",
        kind: "CertificateSigningRequest",
        metadata: { name: "many" },
        spec: {
          signerName: "example.com/a",
          usages: ["client auth"],
          request: Buffer.from(text).toString("base64"),
        },
      });
    const begin = "-----BEGIN CERTIFICATE REQUEST-----\n";
    expect((await request(begin.repeat(COUNT))).text).toContain("PEM block type must be CERTIFICATE REQUEST");
  });
});
