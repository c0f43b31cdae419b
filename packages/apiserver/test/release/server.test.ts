import { SUPPORTED_MINORS } from "@kubescaffold/k8s";
import { describe, expect, it, onTestFinished } from "vitest";

import { loadRelease, type Release } from "../../src/release/release.ts";
import { createServerOf } from "../../src/server/create-api-server.ts";
import { type Answer, type Body, TestServer } from "../support/test-server.ts";

const GROUP_VERSIONS = ["/v1", "apps/v1", "admissionregistration.k8s.io/v1", "storagemigration.k8s.io/v1"];

describe.each(SUPPORTED_MINORS)("a server of Kubernetes %s", (minor) => {
  it("states its version", async () => {
    const { server, release } = await start(minor);
    const [major, number = ""] = minor.split(".");
    const { body } = await server.get("/version");
    expect(body).toMatchObject({
      major,
      minor: number,
      emulationMinor: number,
      minCompatibilityMinor: String(Number(number) - 1),
      gitVersion: release.version.gitVersion,
    });
    expect(body.gitVersion).toMatch(
      new RegExp(String.raw`^v${minor.replace(".", String.raw`\.`)}\.\d+\+embedded$`, "u"),
    );
  });

  it("serves the groups, versions, and resources of its tables", async () => {
    const { server, release } = await start(minor);
    const { resources, groups } = release.api;
    expect((await server.get("/api")).body.versions).toEqual(["v1"]);
    const served = (await server.get("/apis")).body.groups as Body[];
    expect(served.map(({ name }) => name)).toEqual(groups.filter((group) => group !== ""));
    const versions = served.flatMap((group) =>
      (group.versions as Body[]).map(({ groupVersion }) => String(groupVersion)),
    );
    const expected = new Set(resources.map(({ group, version }) => `${group}/${version}`));
    expect(versions.toSorted()).toEqual([...expected].filter((each) => !each.startsWith("/")).toSorted());
    for (const groupVersion of GROUP_VERSIONS) {
      const own = resources.filter(({ group, version }) => `${group}/${version}` === groupVersion);
      const answer = await server.get(groupVersion === "/v1" ? "/api/v1" : `/apis/${groupVersion}`);
      const names = own.flatMap(({ plural, subresources }) => [
        plural,
        ...subresources.map(({ name }) => `${plural}/${name}`),
      ]);
      expect([groupVersion, answer.code, namesIn(answer)]).toEqual([groupVersion, own.length === 0 ? 404 : 200, names]);
    }
  });

  it("lists the feature gates of its tables in its metrics", async () => {
    const { server, release } = await start(minor, { CBORServingAndStorage: true });
    const { text } = await server.get("/metrics");
    const samples = [...text.matchAll(/^kubernetes_feature_enabled\{name="(\w+)",stage="(\w*)"\} (\d)$/gmu)];
    expect(samples.map(([, name, stage, isOn]) => `${name ?? ""} ${stage ?? ""} ${isOn ?? ""}`)).toEqual(
      release
        .gates()
        .map(({ name, stage, isOn }) => `${name} ${stage} ${isOn || name === "CBORServingAndStorage" ? "1" : "0"}`),
    );
    const [, major, number] = /kubernetes_build_info\{.*,major="(\d+)",minor="(\d+)",.*\} 1\n/u.exec(text) ?? [];
    expect(`${major ?? ""}.${number ?? ""}`).toBe(minor);
  });

  it("describes the types of its tables in its OpenAPI documents", async () => {
    const { server, release } = await start(minor);
    for (const path of ["api/v1", "apis/storage.k8s.io/v1"]) {
      const [version = "", group = ""] = path.split("/").toReversed();
      const { body } = await server.get(`/openapi/v3/${path}`);
      expect(body.info.version).toBe(release.version.gitVersion);
      const own = release.api.schemasOf({ group: path === "api/v1" ? "" : group, version });
      expect(body.components.schemas).toEqual(JSON.parse(JSON.stringify(own)));
    }
    const swagger = (await server.get("/openapi/v2")).body;
    expect(swagger.info.version).toBe(release.version.gitVersion);
    const { properties } = swagger.definitions["io.k8s.api.core.v1.GRPCAction"];
    expect("mode" in properties).toBe(release.since("1.37"));
  });
});

describe("fields that not every version has", () => {
  const DRIVER = { metadata: { name: "d" }, spec: { preventPodSchedulingIfMissing: true } };

  it.each([
    ["1.34", '299 - "unknown field \\"spec.preventPodSchedulingIfMissing\\""', undefined],
    ["1.35", '299 - "unknown field \\"spec.preventPodSchedulingIfMissing\\""', undefined],
    ["1.37", null, true],
  ])("are removed with a warning where they are unknown: %s", async (minor, warning, kept) => {
    const { server } = await start(minor);
    const created = await server.post("/apis/storage.k8s.io/v1/csidrivers", DRIVER);
    expect([created.code, created.warning]).toEqual([201, warning]);
    expect(created.body.spec.preventPodSchedulingIfMissing).toBe(kept);
  });

  it.each([
    ["1.34", undefined],
    ["1.35", undefined],
    ["1.36", undefined],
    ["1.37", {}],
  ])("have their defaults where they are known: %s", async (minor, status) => {
    const { server } = await start(minor);
    const created = await server.post("/apis/storage.k8s.io/v1/csinodes", {
      metadata: { name: "n" },
      spec: { drivers: [] },
    });
    expect(created.code).toBe(201);
    expect(created.body.status).toEqual(status);
  });

  it("are merged and owned as their version says", async () => {
    const body = { apiVersion: "storage.k8s.io/v1", kind: "CSIDriver", ...DRIVER };
    const owned = await Promise.all(
      ["1.35", "1.37"].map(async (minor) => {
        const { server } = await start(minor);
        const applied = await server.call("PATCH", "/apis/storage.k8s.io/v1/csidrivers/d?fieldManager=m", body, {
          "Content-Type": "application/apply-patch+yaml",
        });
        return [applied.code, JSON.stringify(applied.body.metadata?.managedFields ?? applied.body.message)];
      }),
    );
    expect(owned[0]?.[0]).toBe(500);
    expect(owned[0]?.[1]).toContain("preventPodSchedulingIfMissing: field not declared in schema");
    expect(owned[1]).toEqual([201, expect.stringContaining('"f:preventPodSchedulingIfMissing":{}')]);
  });

  it("do not leak between servers of one process", async () => {
    const created: unknown[] = [];
    for (const minor of ["1.35", "1.37", "1.35", "1.34", "1.37"]) {
      const { server } = await start(minor);
      const { body } = await server.post("/apis/storage.k8s.io/v1/csidrivers", DRIVER);
      created.push(body.spec.preventPodSchedulingIfMissing);
    }
    expect(created).toEqual([undefined, true, undefined, undefined, true]);
  });
});

describe("kinds that not every version knows", () => {
  it.each([
    ["1.36", 'no kind "StorageVersionMigration" is registered for version "storagemigration.k8s.io/v1"'],
    ["1.37", "converting (v1.StorageVersionMigration) to (core.ConfigMap): unknown conversion"],
  ])("are refused with the reason of their version: %s", async (minor, reason) => {
    const { server } = await start(minor);
    const { code, body } = await server.post("/api/v1/namespaces/default/configmaps", {
      apiVersion: "storagemigration.k8s.io/v1",
      kind: "StorageVersionMigration",
      metadata: { name: "m" },
    });
    expect(code).toBe(400);
    expect(body.message).toContain(reason);
  });
});

describe("deprecated versions", () => {
  it.each([
    ["v1alpha1", ["1.35", "1.36", "1.37"], "is deprecated in v1.35+, unavailable in v1.38+"],
    [
      "v1beta1",
      ["1.37"],
      "is deprecated in v1.37+, unavailable in v1.40+; use admissionregistration.k8s.io/v1 MutatingAdmissionPolicy",
    ],
  ])("warn in the versions of Kubernetes that deprecate them: %s", async (version, minors, deprecation) => {
    const path = `/apis/admissionregistration.k8s.io/${version}/mutatingadmissionpolicies`;
    const warnings = await Promise.all(
      SUPPORTED_MINORS.map(async (minor) => {
        const { server } = await start(minor, {}, [`admissionregistration.k8s.io/${version}`]);
        return [minor, (await server.get(path)).warning];
      }),
    );
    const text = `299 - "admissionregistration.k8s.io/${version} MutatingAdmissionPolicy ${deprecation}"`;
    expect(warnings).toEqual(SUPPORTED_MINORS.map((minor) => [minor, minors.includes(minor) ? text : null]));
  });
});

describe("the version in which objects are stored", () => {
  it("is one that the minor version before can read", async () => {
    const hashes = await Promise.all(
      SUPPORTED_MINORS.map(async (minor) => {
        const { release } = await start(minor);
        const { server } = await start(minor, {}, ["admissionregistration.k8s.io/v1beta1"]);
        const version = release.since("1.36") ? "v1" : "v1beta1";
        const { body } = await server.get(`/apis/admissionregistration.k8s.io/${version}`);
        return (body.resources as Body[]).find(({ name }) => name === "mutatingadmissionpolicies")?.storageVersionHash;
      }),
    );
    const [of34, of35, of36, of37] = hashes;
    expect(of35).toBe(of36);
    expect(new Set([of34, of35, of37]).size).toBe(3);
  });
});

async function start(
  minor: string,
  featureGates: { readonly CBORServingAndStorage?: boolean } = {},
  gatedVersions: readonly string[] = [],
): Promise<{ readonly server: TestServer; readonly release: Release }> {
  const release = loadRelease(minor);
  if (release === undefined) throw new Error(`there is no release ${minor}`);
  const server = new TestServer({ featureGates, gatedVersions }, (options) => createServerOf(release, options));
  onTestFinished(async () => await server.server.close());
  return { server, release };
}

function namesIn({ body }: Answer): readonly string[] {
  return ((body.resources ?? []) as Body[]).map(({ name }) => name as string);
}
