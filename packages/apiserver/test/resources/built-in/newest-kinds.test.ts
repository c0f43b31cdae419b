import { describe, expect, it } from "vitest";

import { type Body, TestServer } from "../../support/test-server.ts";

// Kinds that 1.37 is the first to serve. `npm run fuzz:validation` compares them with kube-apiserver.
function causesOf({ details }: Body): readonly string[] {
  return (details?.causes ?? []).map(
    ({ field, message }: { field: string; message: string }) => `${field}: ${message}`,
  );
}

describe("a StorageVersionMigration", () => {
  const path = "/apis/storagemigration.k8s.io/v1/storageversionmigrations";

  it("may be about the core group, and needs a resource", async () => {
    const server = new TestServer();
    const create = async (name: string, resource: object): Promise<Body> =>
      (await server.post(path, { metadata: { name }, spec: { resource } })).body;
    expect((await create("a", { group: "", resource: "secrets" })).spec.resource.group).toBe("");
    expect(causesOf(await create("b", { group: "A", resource: "" }))).toEqual([
      "spec.resource.resource: Required value: resource is required to be set",
      expect.stringMatching(/^spec\.resource\.group: Invalid value: "A": a lowercase RFC 1123 subdomain/u),
    ]);
  });

  it("stays as it is once it has succeeded", async () => {
    const server = new TestServer();
    await server.post(path, { metadata: { name: "a" }, spec: { resource: { resource: "secrets" } } });
    const condition = { type: "Succeeded", reason: "R", message: "", lastTransitionTime: "2026-01-01T00:00:00Z" };
    const headers = { "Content-Type": "application/merge-patch+json" };
    const write = async (status: string): Promise<Body> =>
      (await server.call("PATCH", `${path}/a/status`, { status: { conditions: [{ ...condition, status }] } }, headers))
        .body;
    expect((await write("True")).status.conditions).toHaveLength(1);
    expect(causesOf(await write("False"))).toEqual([
      expect.stringMatching(/Success condition cannot be set to false once it is true$/u),
    ]);
  });
});

describe("a ClusterTrustBundle", () => {
  const path = "/apis/certificates.k8s.io/v1/clustertrustbundles";

  it.each([
    [
      "a:b",
      "",
      'metadata.name: Invalid value: "a:b": ClusterTrustBundle without signer name must not have ":" in its name',
    ],
    [
      "a",
      "example.com/s",
      'metadata.name: Invalid value: "a": ClusterTrustBundle for signerName example.com/s must be named with prefix example.com:s:',
    ],
    ["example.com:s:a", "example.com/s", undefined],
  ])("%s of the signer %j has the error %s", async (name, signerName, problem) => {
    const spec = { ...(signerName === "" ? {} : { signerName }), trustBundle: "none" };
    const { body } = await new TestServer().post(path, { metadata: { name }, spec });
    const anchors = 'spec.trustBundle: Invalid value: "<value omitted>": at least one trust anchor must be provided';
    expect(causesOf(body)).toEqual([...(problem === undefined ? [] : [problem]), anchors]);
  });

  it("has blocks in PEM that are certificates alone", async () => {
    const key = "-----BEGIN KEY-----\nAAAA\n-----END KEY-----\n";
    const broken = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";
    const { body } = await new TestServer().post(path, {
      metadata: { name: "a" },
      spec: { trustBundle: key + broken },
    });
    expect(causesOf(body).map((cause) => cause.split(": ").at(-1))).toEqual(["KEY", "entry 1 does not parse as X.509"]);
  });
});

it("a DeviceTaintRule states since when it has its effect", async () => {
  const server = new TestServer();
  const seconds = (): string => `${new Date(server.clock.now()).toISOString().slice(0, 19)}Z`;
  const path = "/apis/resource.k8s.io/v1/devicetaintrules";
  const taint = { key: "example.com/a", effect: "NoSchedule" };
  const created = await server.post(path, { metadata: { name: "a" }, spec: { taint } });
  expect(created.body.spec.taint.timeAdded).toBe(seconds());
  await server.clock.advance(5000);
  const moved = { ...created.body, spec: { taint: { ...created.body.spec.taint, effect: "NoExecute" } } };
  const { body } = await server.call("PUT", `${path}/a`, moved);
  expect(body.spec.taint.timeAdded).toBe(seconds());
  await server.clock.advance(5000);
  const restated = { ...body, spec: { taint: { ...taint, effect: "NoExecute" } } };
  const last = await server.call("PUT", `${path}/a`, restated);
  expect(last.body.spec.taint.timeAdded).toBe(seconds());
  expect(last.body.metadata.generation).toBe(3);
});
