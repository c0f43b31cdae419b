import {
  type Amounts,
  type ControllerIdentity,
  evaluatorOf,
  hasSameAmounts,
  type InProcessController,
  type InternalClient,
  type KeyedWorker,
  keyOf,
  maskAmounts,
  resourceOfName,
  scopesOf,
  type ServerContext,
  splitKey,
  storeController,
  type StoreEvent,
  sumAmounts,
} from "@kubescaffold/apiserver/cluster-api";
import { type GroupResource, objectKey } from "@kubescaffold/k8s";
import type { ResourceQuota } from "@kubescaffold/k8s/core/v1";

import { RESOURCE_QUOTAS } from "./quota-resources.ts";

// Corrects what was charged for writes that failed afterwards.
const RESYNC_MS = 5 * 60_000;
const RESYNC = "";

/** Writes the limits and the usage of ResourceQuotas to their status. */
export function createController(context: ServerContext, self: ControllerIdentity): InProcessController {
  const client = context.clientFor(self.user);
  const quotaKeys = (namespace?: string): readonly string[] =>
    context.objects.list(RESOURCE_QUOTAS, namespace).map((quota) => keyOf(objectKey(quota)));
  return storeController({
    name: self.name,
    context,
    keysOf: (event) => keysOf(context, event),
    initialKeys: () => [...quotaKeys(), RESYNC],
    work: async (key, worker) => {
      if (key === RESYNC) resync(worker, quotaKeys());
      else await writeUsage(context, client, key);
    },
  });
}

function resync(worker: KeyedWorker, keys: readonly string[]): void {
  for (const key of keys) worker.add(key);
  worker.addAfter(RESYNC, RESYNC_MS);
}

function keysOf(context: ServerContext, event: StoreEvent): readonly string[] {
  const { groupResource, object } = event;
  const { namespace = "" } = object.metadata;
  if (namespace === "") return [];
  if (groupResource.group === "" && groupResource.resource === "resourcequotas" && event.kind === "modified") {
    return hasNewLimits(event) ? [keyOf(objectKey(object))] : [];
  }
  const evaluator = evaluatorOf(groupResource);
  if (evaluator === undefined) return [];
  const quotas = context.objects.list(RESOURCE_QUOTAS, namespace) as unknown as readonly ResourceQuota[];
  const isNew = (quota: ResourceQuota): boolean => quota.metadata.uid === object.metadata.uid;
  return quotas
    .filter((quota) => isNew(quota) || evaluator.matchingNames(Object.keys(quota.spec?.hard ?? {})).length > 0)
    .map((quota) => keyOf(objectKey(quota)));
}

// Admission writes the status, whose usage counts until something else changes.
function hasNewLimits({ object, previous }: StoreEvent): boolean {
  const [hard = {}, former = {}] = [
    (object as ResourceQuota).spec?.hard,
    (previous as ResourceQuota | undefined)?.spec?.hard,
  ];
  return !hasSameAmounts(hard, former);
}

async function writeUsage(context: ServerContext, client: InternalClient, key: string): Promise<void> {
  const stored = context.objects.get(RESOURCE_QUOTAS, splitKey(key));
  if (stored === undefined) return;
  const quota = stored as ResourceQuota;
  const { status = {} } = quota;
  const hard = quota.spec?.hard ?? {};
  const used = maskAmounts({ ...status.used, ...measuredUsage(context, quota) }, Object.keys(hard));
  const isCurrent =
    status.hard !== undefined &&
    status.used !== undefined &&
    hasSameAmounts(hard, status.hard) &&
    hasSameAmounts(used, status.used);
  if (isCurrent) return;
  const target = { ...RESOURCE_QUOTAS, ...splitKey(key), subresource: "status" };
  await client.update(target, { ...quota, status: { hard, used } } as never);
}

/** Measures the objects that a quota counts; names of unknown resources are absent. */
function measuredUsage(context: ServerContext, quota: ResourceQuota): Amounts {
  const names = Object.keys(quota.spec?.hard ?? {});
  let usage: Amounts = {};
  for (const resource of countedResources(context, names)) {
    const evaluator = evaluatorOf(resource);
    const counted = evaluator?.matchingNames(names) ?? [];
    if (evaluator === undefined || counted.length === 0) continue;
    let used: Amounts = Object.fromEntries(counted.map((name) => [name, "0"]));
    for (const object of context.objects.list(resource, quota.metadata.namespace)) {
      const isInScope = scopesOf(quota).every((scope) => evaluator.isInScope(scope, object));
      if (isInScope) used = sumAmounts(used, maskAmounts(evaluator.usageOf(object, context.clock.now()), counted));
    }
    usage = { ...usage, ...used };
  }
  return usage;
}

function countedResources(context: ServerContext, names: readonly string[]): readonly GroupResource[] {
  const unique = new Map(
    names.map((name) => {
      const resource = resourceOfName(name);
      return [`${resource.group}/${resource.resource}`, resource];
    }),
  );
  const isServed = ({ group, resource }: GroupResource): boolean =>
    context.resources
      .all()
      .some(
        (served) =>
          served.isNamespaced && served.group === group && served.resource === resource && isCountable(served.verbs),
      );
  return [...unique.values()].filter(isServed);
}

function isCountable(verbs: readonly string[]): boolean {
  return ["create", "list", "watch", "delete"].every((verb) => verbs.includes(verb));
}
