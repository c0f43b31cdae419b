import {
  type ControllerIdentity,
  type InProcessController,
  type KeyedWorker,
  type ServerContext,
  storeController,
} from "@kubescaffold/apiserver/cluster-api";
import { isAlreadyExists, isNotFound, toMicroTime } from "@kubescaffold/k8s";
import type { Lease } from "@kubescaffold/k8s/coordination/v1";
import type { Node } from "@kubescaffold/k8s/core/v1";

import { kubeletUser } from "../controllers/kubelet-user.ts";
import { NODES, readStored } from "../controllers/workload/workload-objects.ts";
import { readinessOf } from "./node-defaults.ts";

const LEASES = { group: "coordination.k8s.io", version: "v1", resource: "leases" } as const;
const NAMESPACE = "kube-node-lease";
const DURATION_SECONDS = 40;
// As often as a kubelet.
const RENEWAL_MS = 10_000;

/** Renews the Lease of each node that is ready, as its kubelet would. */
export function createController(context: ServerContext, self: ControllerIdentity): InProcessController {
  const dueAt = new Map<string, number>();
  return storeController({
    name: self.name,
    context,
    watches: [NODES],
    keysOf: ({ object }) => [object.metadata.name ?? ""],
    initialKeys: () => context.objects.list(NODES).map(({ metadata }) => metadata.name ?? ""),
    work: async (name, worker) => await renewWhenDue(context, dueAt, { name, worker }),
    onStop: () => dueAt.clear(),
  });
}

async function renewWhenDue(
  context: ServerContext,
  dueAt: Map<string, number>,
  { name, worker }: { readonly name: string; readonly worker: KeyedWorker },
): Promise<void> {
  const node = readStored<Node>(context, NODES, { namespace: "", name });
  const now = context.clock.now();
  if (node === undefined || readinessOf(node) !== "True") {
    dueAt.delete(name);
    return;
  }
  if (now < (dueAt.get(name) ?? 0)) return;
  const stored = readStored<Lease>(context, LEASES, { namespace: NAMESPACE, name });
  const renewed = Date.parse(stored?.spec?.renewTime ?? "");
  // After a restart, the Lease may still be fresh.
  const isFresh = renewed <= now && now < renewed + RENEWAL_MS;
  const next = isFresh ? renewed + RENEWAL_MS : now + RENEWAL_MS;
  dueAt.set(name, next);
  worker.addAfter(name, next - now);
  if (!isFresh) await renew(context, { node, stored }, toMicroTime(now));
}

async function renew(
  context: ServerContext,
  { node, stored }: { readonly node: Node; readonly stored: Lease | undefined },
  renewTime: string,
): Promise<void> {
  const { name = "", uid = "" } = node.metadata;
  const client = context.clientFor(kubeletUser(name));
  const key = { namespace: NAMESPACE, name };
  const lease = {
    apiVersion: "coordination.k8s.io/v1",
    kind: "Lease",
    metadata: {
      ...(stored?.metadata ?? key),
      ownerReferences: [{ apiVersion: "v1", kind: "Node", name, uid }],
    },
    spec: { ...stored?.spec, holderIdentity: name, leaseDurationSeconds: DURATION_SECONDS, renewTime },
  };
  try {
    if (stored === undefined) await client.create({ ...LEASES, namespace: NAMESPACE, name: "" }, lease as never);
    else await client.update({ ...LEASES, ...key }, lease as never);
  } catch (error) {
    // The next renewal creates or updates it.
    if (!isNotFound(error) && !isAlreadyExists(error)) throw error;
  }
}
