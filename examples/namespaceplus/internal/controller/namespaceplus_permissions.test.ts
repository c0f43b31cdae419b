import path from "node:path";

import { Environment, installOperator } from "@kubescaffold/envtest";
import { type OperatorManifests, readOperatorManifests } from "@kubescaffold/runtime/operator-project";
import { ignoreNotFound, isNotFound } from "@kubescaffold/k8s";
import { Namespace, ResourceQuota } from "@kubescaffold/k8s/core/v1";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
import {
  type Client,
  createClient,
  createManager,
  createRecordingLogger,
  type RecordingLogger,
  retry,
} from "@kubescaffold/runtime";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { NamespacePlus } from "../../api/v1/namespaceplus_types.ts";
import { NamespacePlusReconciler } from "./namespaceplus_controller.ts";

const ROOT = path.join(import.meta.dirname, "../..");
const EVENT = { group: "events.k8s.io", version: "v1", kind: "Event" };

interface Rule {
  readonly resources?: readonly string[];
  readonly verbs: readonly string[];
}

interface Role extends KubernetesObject {
  readonly rules?: readonly Rule[];
}

// Generates the role from the markers, with a different marker for namespaces.
function withNamespaceVerbs(operator: OperatorManifests, verbs: readonly string[]): OperatorManifests {
  const changed = (rule: Rule): readonly Rule[] => {
    const others = (rule.resources ?? []).filter((resource) => resource !== "namespaces");
    if (others.length === (rule.resources ?? []).length) return [rule];
    return [
      ...(others.length === 0 ? [] : [{ ...rule, resources: others }]),
      ...(verbs.length === 0 ? [] : [{ ...rule, resources: ["namespaces"], verbs }]),
    ];
  };
  const rbac = operator.rbac.map((object: Role) =>
    object.rules === undefined ? object : { ...object, rules: object.rules.flatMap((rule) => changed(rule)) },
  );
  return { ...operator, rbac };
}

describe("NamespacePlus manager under RBAC", () => {
  let environment: Environment;
  let client: Client;
  let operator: OperatorManifests;
  let logger: RecordingLogger;
  let stop: () => Promise<void> = async () => undefined;

  beforeEach(async () => {
    environment = new Environment({ crdDirectoryPaths: [path.join(ROOT, "config", "crd", "bases")] });
    client = createClient(await environment.start());
    operator = await readOperatorManifests(ROOT);
    logger = createRecordingLogger(0);
  });

  afterEach(async () => {
    await stop();
    await environment.stop();
  });

  // The manager runs as its service account.
  async function startManager(): Promise<void> {
    const account = { namespace: operator.namespace, name: operator.serviceAccountName };
    const mgr = await createManager(await environment.addServiceAccount(account), {
      logger,
      leaderElection: false,
      metrics: { bindAddress: "0" },
      // Each test starts its own manager in this process.
      controller: { skipNameValidation: true },
    });
    await new NamespacePlusReconciler(mgr.getClient()).setupWithManager(mgr);
    const stopping = new AbortController();
    const running = mgr.start(stopping.signal);
    running.catch((error: unknown) => logger.error(error, "The manager ended"));
    stop = async () => {
      stopping.abort();
      await running.catch(() => undefined);
    };
  }

  const refusals = (text: string): readonly unknown[] =>
    logger.records.map(({ error }) => String(error)).filter((message) => message.includes(text));
  const key = { name: "harbour" };
  const createHarbour = (): Promise<NamespacePlus> =>
    client.create(NamespacePlus.create({ metadata: key, spec: { labels: { team: "a" }, quota: { pods: "3" } } }));
  const ready = async (): Promise<{ readonly reason: string; readonly message: string } | undefined> =>
    (await client.get(NamespacePlus, key)).status?.conditions?.find(({ type }) => type === "Ready");

  it("creates, repairs, and releases all objects with the permissions of the markers", async () => {
    await installOperator(client, operator);
    await startManager();
    await createHarbour();
    await expect.poll(ready, POLL).toMatchObject({ reason: "AsSpecified" });
    // The controller of quotas writes their status meanwhile.
    await retry.retryOnConflict(retry.defaultRetry, async () => {
      const quota = await client.get(ResourceQuota, { name: "namespaceplus", namespace: key.name });
      await client.update({ ...quota, spec: {} });
    });
    await expect
      .poll(async () => (await client.get(ResourceQuota, { name: "namespaceplus", namespace: key.name })).spec, POLL)
      .toEqual({ hard: { pods: "3" } });
    const owner = await client.get(NamespacePlus, key);
    await client.update({ ...owner, spec: { ...owner.spec, deletionPolicy: "Retain" } });
    await expect.poll(async () => (await client.get(NamespacePlus, key)).metadata.finalizers?.length, POLL).toBe(1);
    await expect
      .poll(async () => (await client.get(Namespace, key)).metadata.ownerReferences?.length ?? 0, POLL)
      .toBe(0);
    await client.delete(await client.get(NamespacePlus, key));
    await expect.poll(async () => await ignoreNotFound(client.get(NamespacePlus, key)), POLL).toBeUndefined();
    expect(refusals("is forbidden")).toEqual([]);
  });

  it("logs the missing permission without a marker for namespaces, and creates nothing", async () => {
    await installOperator(client, withNamespaceVerbs(operator, []));
    await startManager();
    await createHarbour();
    const account = `system:serviceaccount:${operator.namespace}:${operator.serviceAccountName}`;
    const refusal = `namespaces is forbidden: User "${account}" cannot list resource "namespaces" in API group "" at the cluster scope`;
    await expect.poll(() => refusals(refusal), POLL).not.toEqual([]);
    await expect(client.get(Namespace, key)).rejects.toSatisfy(isNotFound);
  });

  it("reports a missing create permission in log, condition, and event, and recovers", async () => {
    await installOperator(client, withNamespaceVerbs(operator, ["get", "list", "watch"]));
    await startManager();
    await createHarbour();
    const refusal = 'cannot create resource "namespaces" in API group "" at the cluster scope';
    await expect.poll(ready, POLL).toMatchObject({ reason: "Forbidden", message: expect.stringContaining(refusal) });
    await expect.poll(() => refusals(refusal), POLL).not.toEqual([]);
    const events = async (): Promise<readonly unknown[]> => (await client.list(EVENT)).items;
    await expect
      .poll(events, POLL)
      .toContainEqual(
        expect.objectContaining({ type: "Warning", reason: "Forbidden", note: expect.stringContaining(refusal) }),
      );
    await installOperator(client, operator);
    await expect.poll(ready, POLL).toMatchObject({ reason: "AsSpecified" });
  });
});

const POLL = { timeout: 60_000, interval: 50 };
