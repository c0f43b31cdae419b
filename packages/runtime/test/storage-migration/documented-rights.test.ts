/** The rights that docs/reference/storage-migration.md lists as markers: a manager needs all of them, and no others. */
import { readFileSync } from "node:fs";
import path from "node:path";

import { Environment } from "@kubescaffold/envtest";
import type { RestConfig } from "@kubescaffold/k8s";
import { ClusterRole, ClusterRoleBinding, type PolicyRule } from "@kubescaffold/k8s/rbac/v1";
import { handledLater } from "@kubescaffold/platform";
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from "vitest";

import { createRecordingLogger } from "../../src/log/logger.ts";
import { createManager } from "../../src/manager/create-manager.ts";
import { createMetricsRegistry } from "../../src/metrics/registry.ts";
import { storageMigration } from "../../src/storage-migration/storage-migration.ts";
import { createNamespace, type ServerNamespace } from "../support/controller-on-server.ts";
import { StoredKind } from "./kinds-on-server.ts";

const PAGE = path.join(import.meta.dirname, "../../../../docs/reference/storage-migration.md");
const TEST = { timeout: 120_000 };
const WAIT = { timeout: 60_000, interval: 50 };
// The role for leader election, which each project has.
const PROGRESS: PolicyRule = {
  apiGroups: [""],
  resources: ["configmaps"],
  verbs: ["get", "list", "watch", "create", "update", "patch", "delete"],
};

const environment = new Environment({ startTimeoutMs: 60_000 });
let config: RestConfig;

beforeAll(async () => {
  config = await environment.start();
}, 60_000);

afterAll(async () => await environment.stop());

/** The rules of the markers, for the kind of a test. */
function documentedRules({ crd, group }: StoredKind): readonly PolicyRule[] {
  const markers = [...readFileSync(PAGE, "utf8").matchAll(/^\/\/ \+kubebuilder:rbac:(?<fields>.+)$/gmu)];
  return markers.map(({ groups }) => {
    const fields = Object.fromEntries((groups?.["fields"] ?? "").split(",").map((each) => each.split("=")));
    const named = (fields["resourceNames"] ?? "").replace("guestbooks.webapp.example.com", crd);
    return {
      apiGroups: [(fields["groups"] ?? "").replace("webapp.example.com", group).replace('""', "")],
      resources: [(fields["resources"] ?? "").replace("guestbooks", "things")],
      verbs: (fields["verbs"] ?? "").split(";"),
      ...(named === "" ? {} : { resourceNames: [named] }),
    };
  });
}

/** Migrates 20 objects by a manager with rules, and returns what failed first; undefined if all are stored again. */
async function migrate(
  on: ServerNamespace,
  rulesOf: (kind: StoredKind) => readonly PolicyRule[],
): Promise<string | undefined> {
  const { live, namespace } = on;
  const kind = await new StoredKind(live, namespace).install();
  await kind.createMany("v1alpha1", 20);
  await kind.change("v1");
  const account = { namespace, name: "migrator" };
  const manager = await environment.addServiceAccount(account);
  const name = `${namespace}-migrator`;
  await live.create(ClusterRole.create({ metadata: { name }, rules: [PROGRESS, ...rulesOf(kind)] }));
  await live.create(
    ClusterRoleBinding.create({
      metadata: { name },
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name },
      subjects: [{ kind: "ServiceAccount", ...account }],
    }),
  );
  const logger = createRecordingLogger();
  const stopping = new AbortController();
  const running = handledLater(
    (
      await createManager(manager, {
        logger,
        metrics: { bindAddress: "0", registry: createMetricsRegistry() },
        storageMigration: storageMigration({
          kinds: [kind.gvk("v1")],
          namespace,
          propagationMs: 10,
          checkIntervalMs: 200,
        }),
      })
    ).start(stopping.signal),
  );
  onTestFinished(async () => {
    stopping.abort();
    await running;
  });
  return await vi.waitFor(async () => {
    const failed = logger.records.find(({ error }) => error !== undefined);
    if (failed !== undefined) return String(failed.error);
    expect(await kind.storedVersions()).toEqual(["v1"]);
    return undefined;
  }, WAIT);
}

it("are enough", TEST, async () => {
  expect(await migrate(await createNamespace(config), documentedRules)).toBeUndefined();
});

it.each([["customresourcedefinitions"], ["customresourcedefinitions/status"], ["things"]])(
  "include %s, without which the migration fails",
  TEST,
  async (resource) => {
    const without = (kind: StoredKind): readonly PolicyRule[] =>
      documentedRules(kind).filter(({ resources = [] }) => !resources.includes(resource));
    expect(await migrate(await createNamespace(config), without)).toMatch(/forbidden/u);
  },
);
