import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { KUBERNETES_MINOR, SUPPORTED_MINORS, UNRECORDED_MINOR } from "@kubescaffold/k8s";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";

import { createApiServer } from "../../../src/server/create-api-server.ts";
import { TestServer } from "../../support/test-server.ts";

let folder = "";

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "state-"));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const MAPS = "/api/v1/namespaces/default/configmaps";
const UPGRADE = "the embedded API server upgrades its state from Kubernetes";

describe("the minor version of a stored state", () => {
  it("is recorded by the server, and the same server prints nothing", async () => {
    const printed = capturedLines();
    await filled("1.36");
    expect(recorded()).toBe("1.36\n");
    expect(await namesIn({ persist: folder, kubernetesVersion: "1.36" })).toEqual(["kept"]);
    expect(printed()).toEqual([]);
  });

  it("is upgraded by a newer server, which prints it once", async () => {
    const printed = capturedLines();
    await filled("1.34");
    for (const kubernetesVersion of ["1.37", "1.37"]) {
      expect(await namesIn({ persist: folder, kubernetesVersion })).toEqual(["kept"]);
      expect(recorded()).toBe("1.37\n");
    }
    expect(printed()).toEqual([`${UPGRADE} 1.34 to 1.37\n`]);
  });

  it("is refused by an older server, which changes nothing", async () => {
    await filled("1.37");
    const before = contents();
    for (const option of ["persist", "restoreFrom"] as const) {
      expect(() => createApiServer({ [option]: folder, kubernetesVersion: "1.36" })).toThrow(
        `cannot restore the state in ${folder}: it is of Kubernetes 1.37, and the server of 1.36`,
      );
      expect(contents()).toEqual(before);
    }
    expect(await namesIn({ persist: folder, kubernetesVersion: "1.37" })).toEqual(["kept"]);
  });

  it("is that of the first servers where it is not recorded", async () => {
    await filled(UNRECORDED_MINOR);
    rmSync(path.join(folder, "kubernetes-version"));
    expect(() => createApiServer({ persist: folder, kubernetesVersion: "1.34" })).toThrow(
      `it is of Kubernetes ${UNRECORDED_MINOR}, and the server of 1.34`,
    );
    const printed = capturedLines();
    expect(await namesIn({ restoreFrom: folder, kubernetesVersion: "1.37" })).toEqual(["kept"]);
    expect(printed()).toEqual([`${UPGRADE} ${UNRECORDED_MINOR} to 1.37\n`]);
    expect(readdirSync(folder)).not.toContain("kubernetes-version");
  });

  it("is that of the server for an empty folder", async () => {
    await createApiServer({ persist: folder, kubernetesVersion: "1.34" }).close();
    expect(recorded()).toBe("1.34\n");
    await createApiServer({ persist: `${folder}/new` }).close();
    expect(readFileSync(`${folder}/new/kubernetes-version`, "utf8")).toBe(`${KUBERNETES_MINOR}\n`);
  });

  it("may be newer than all that this program knows", async () => {
    await filled("1.37");
    writeFileSync(path.join(folder, "kubernetes-version"), "1.99\n");
    expect(() => createApiServer({ persist: folder, kubernetesVersion: "1.37" })).toThrow("it is of Kubernetes 1.99");
  });

  it.each(["", "1.36.2", "v1.36", "\0", "1.36 1.37"])("is refused if it is %j", async (text) => {
    await filled("1.36");
    writeFileSync(path.join(folder, "kubernetes-version"), text);
    expect(() => createApiServer({ persist: folder, kubernetesVersion: "1.37" })).toThrow(
      `${path.join(folder, "kubernetes-version")}: ${JSON.stringify(text)} is not a minor version of Kubernetes`,
    );
    expect(readdirSync(folder)).not.toContain("lock");
  });

  it("replaces one that a killed server has not finished", async () => {
    await filled("1.36");
    writeFileSync(path.join(folder, "kubernetes-version.draft"), "1.");
    expect(await namesIn({ persist: folder, kubernetesVersion: "1.37" })).toEqual(["kept"]);
    expect(recorded()).toBe("1.37\n");
  });
});

describe("an upgraded state", () => {
  it.each(SUPPORTED_MINORS)(
    "has the objects that a server of %s stored, in versions that the newest one serves",
    async (minor) => {
      capturedLines();
      const older = new TestServer({
        persist: folder,
        kubernetesVersion: minor,
        featureGates: { MutatingAdmissionPolicy: true },
        gatedVersions: [`${GROUP}/v1beta1`, `${GROUP}/v1alpha1`],
      });
      const stored = POLICIES.map((version) => ({ version, ...POLICY, apiVersion: `${GROUP}/${version}` }));
      let created = 0;
      for (const { version, ...policy } of stored) {
        const name = `from-${version}`;
        const { code } = await older.post(`/apis/${GROUP}/${version}/mutatingadmissionpolicies`, {
          ...policy,
          metadata: { name },
        });
        if (code === 201) created += 1;
      }
      await older.server.close();
      expect(created).toBeGreaterThan(1);
      const newest = new TestServer({ persist: folder, kubernetesVersion: "1.37" });
      onTestFinished(async () => await newest.server.close());
      const { body } = await newest.get(`/apis/${GROUP}/v1/mutatingadmissionpolicies`);
      expect(body.items).toHaveLength(created);
      for (const { spec } of body.items) expect(spec.reinvocationPolicy).toBe("Never");
    },
  );
});

const GROUP = "admissionregistration.k8s.io";
const POLICIES = ["v1", "v1beta1", "v1alpha1"] as const;
const POLICY = {
  kind: "MutatingAdmissionPolicy",
  spec: {
    matchConstraints: {
      resourceRules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["pods"] }],
    },
    mutations: [
      { patchType: "JSONPatch", jsonPatch: { expression: 'true ? [] : [JSONPatch{op: "remove", path: "/a"}]' } },
    ],
    reinvocationPolicy: "Never",
  },
};

async function filled(kubernetesVersion: string): Promise<void> {
  const server = new TestServer({ persist: folder, kubernetesVersion });
  expect((await server.post(MAPS, { metadata: { name: "kept" } })).code).toBe(201);
  await server.server.close();
}

async function namesIn(options: { readonly [key: string]: string }): Promise<readonly string[]> {
  const server = new TestServer(options);
  const { body } = await server.get(MAPS);
  await server.server.close();
  return (body.items as readonly { readonly metadata: { readonly name: string } }[]).map(
    ({ metadata }) => metadata.name,
  );
}

function recorded(): string {
  return readFileSync(path.join(folder, "kubernetes-version"), "utf8");
}

function contents(): readonly (readonly [string, string])[] {
  return readdirSync(folder)
    .toSorted()
    .map((name) => [name, readFileSync(path.join(folder, name), "utf8")]);
}

function capturedLines(): () => readonly unknown[] {
  const write = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  onTestFinished(() => write.mockRestore());
  return () => write.mock.calls.map(([line]) => line);
}
