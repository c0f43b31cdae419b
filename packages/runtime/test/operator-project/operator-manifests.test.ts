import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { readOperatorManifests } from "../../src/operator-project/operator-manifests.ts";

let project: string;

beforeEach(async () => {
  project = await mkdtemp(path.join(tmpdir(), "operator-"));
  await write(
    "config/default/kustomization.yaml",
    "namespace: demo-system\nnamePrefix: demo-\nresources:\n- ../rbac\n",
  );
});

afterEach(async () => {
  await rm(project, { recursive: true, force: true });
});

async function write(file: string, text: string): Promise<void> {
  await mkdir(path.dirname(path.join(project, file)), { recursive: true });
  await writeFile(path.join(project, file), text);
}

describe("readOperatorManifests", () => {
  it("gives names, namespaces and references as kustomize does", async () => {
    await write("config/rbac/kustomization.yaml", "resources:\n- account.yaml\n- role.yaml\n- binding.yaml\n");
    await write(
      "config/rbac/account.yaml",
      "apiVersion: v1\nkind: ServiceAccount\nmetadata:\n  name: controller-manager\n  namespace: system\n",
    );
    await write(
      "config/rbac/role.yaml",
      "apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata:\n  name: manager-role\nrules: []\n",
    );
    await write(
      "config/rbac/binding.yaml",
      `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata:
  name: manager-rolebinding
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: ClusterRole
  name: manager-role
subjects:
- kind: ServiceAccount
  name: controller-manager
  namespace: system
- kind: Group
  name: admins
`,
    );
    const operator = await readOperatorManifests(project);
    expect(operator).toMatchObject({ namespace: "demo-system", serviceAccountName: "demo-controller-manager" });
    expect(operator.rbac).toMatchObject([
      { kind: "ServiceAccount", metadata: { name: "demo-controller-manager", namespace: "demo-system" } },
      { kind: "ClusterRole", metadata: { name: "demo-manager-role" } },
      {
        metadata: { name: "demo-manager-rolebinding" },
        roleRef: { name: "demo-manager-role" },
        subjects: [
          { name: "demo-controller-manager", namespace: "demo-system" },
          { kind: "Group", name: "admins" },
        ],
      },
    ]);
    expect(operator.rbac[1]?.metadata.namespace).toBeUndefined();
    expect(operator.rbacFiles).toEqual(["account.yaml", "role.yaml", "binding.yaml"]);
  });

  it("leaves references to roles of others alone", async () => {
    await write("config/rbac/kustomization.yaml", "resources:\n- binding.yaml\n");
    await write(
      "config/rbac/binding.yaml",
      "apiVersion: rbac.authorization.k8s.io/v1\nkind: RoleBinding\nmetadata:\n  name: b\nroleRef:\n  kind: ClusterRole\n  name: view\nsubjects: []\n",
    );
    const { rbac } = await readOperatorManifests(project);
    expect(rbac).toMatchObject([{ metadata: { name: "demo-b", namespace: "demo-system" }, roleRef: { name: "view" } }]);
  });

  it("reports the missing manifest with a hint", async () => {
    await expect(readOperatorManifests(project)).rejects.toMatchObject({
      code: "ENVTEST_NOT_AN_OPERATOR",
      message: expect.stringContaining(path.join("config", "rbac", "kustomization.yaml")) as string,
      hint: expect.stringContaining("scaffold manifests") as string,
    });
  });
});
