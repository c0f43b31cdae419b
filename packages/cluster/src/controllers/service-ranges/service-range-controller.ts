import { BlockList, isIPv6 } from "node:net";

import {
  addressLabels,
  type ControllerIdentity,
  type InProcessController,
  type InternalClient,
  IP_ADDRESSES,
  type KeyedWorker,
  SERVICE_RANGES,
  type ServerContext,
  storeController,
} from "@kubescaffold/apiserver/cluster-api";
import { isNotFound, setCondition } from "@kubescaffold/k8s";
import type { ServiceCIDR } from "@kubescaffold/k8s/networking/v1";

import { readStored } from "../workload/workload-objects.ts";

const FINALIZER = "networking.k8s.io/service-cidr-finalizer";
const STRATEGIC = "application/strategic-merge-patch+json";
// Addresses that are given meanwhile are noticed.
const GRACE_MS = 10_000;

/** Makes ServiceCIDRs ready, and keeps deleted ones until no address of a Service needs them. */
export function createController(context: ServerContext, self: ControllerIdentity): InProcessController {
  const client = context.clientFor(self.user);
  const allNames = (): readonly string[] =>
    context.objects.list(SERVICE_RANGES).map(({ metadata }) => metadata.name ?? "");
  return storeController({
    name: self.name,
    context,
    watches: [SERVICE_RANGES, IP_ADDRESSES],
    keysOf: allNames,
    initialKeys: allNames,
    work: async (name, worker) => await syncRange(context, client, { name, worker }),
  });
}

const READY = { type: "Ready", status: "True", reason: "", message: "Kubernetes Service CIDR is ready" } as const;
const TERMINATING = {
  type: "Ready",
  status: "False",
  reason: "Terminating",
  message: "There are still IPAddresses referencing the ServiceCIDR, please remove them or create a new ServiceCIDR",
} as const;

async function syncRange(
  context: ServerContext,
  client: InternalClient,
  { name, worker }: { readonly name: string; readonly worker: KeyedWorker },
): Promise<void> {
  const range = readStored<ServiceCIDR>(context, SERVICE_RANGES, { namespace: "", name });
  if (range === undefined) return;
  const { deletionTimestamp, finalizers = [] } = range.metadata;
  const target = { ...SERVICE_RANGES, namespace: "", name };
  const patch = async (metadata: object): Promise<void> => {
    await client.patch(target, { contentType: STRATEGIC, body: { metadata } });
  };
  try {
    if (deletionTimestamp === undefined || deletionTimestamp === null) {
      if (!finalizers.includes(FINALIZER)) await patch({ finalizers: [FINALIZER] });
      await report(context, client, range, READY);
    } else if (isNeeded(context, range)) {
      await report(context, client, range, TERMINATING);
    } else if (finalizers.includes(FINALIZER)) {
      const remainingMs = Date.parse(deletionTimestamp) + GRACE_MS - context.clock.now();
      if (remainingMs > 0) worker.addAfter(name, remainingMs);
      else await patch({ "$deleteFromPrimitiveList/finalizers": [FINALIZER] });
    }
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

async function report(
  { clock }: ServerContext,
  client: InternalClient,
  range: ServiceCIDR,
  condition: typeof READY | typeof TERMINATING,
): Promise<void> {
  const former = range.status?.conditions?.find(({ type }) => type === condition.type);
  const isSame = (["status", "reason", "message"] as const).every((field) => former?.[field] === condition[field]);
  if (isSame) return;
  const { conditions } = setCondition(range.status?.conditions, condition, clock.now());
  const target = { ...SERVICE_RANGES, namespace: "", name: range.metadata.name ?? "", subresource: "status" };
  await client.patch(target, { contentType: "application/merge-patch+json", body: { status: { conditions } } });
}

// Other ranges may contain all of its addresses.
function isNeeded({ objects }: ServerContext, range: ServiceCIDR): boolean {
  const all = objects.list(SERVICE_RANGES) as unknown as readonly ServiceCIDR[];
  const others = all.filter(({ metadata }) => metadata.name !== range.metadata.name).flatMap(cidrsOf);
  if (cidrsOf(range).every((cidr) => others.some((other) => containsRange(other, cidr)))) return false;
  return objects
    .list(IP_ADDRESSES)
    .filter(({ metadata }) => isManaged(metadata.name ?? "", metadata.labels))
    .map(({ metadata }) => metadata.name ?? "")
    .some(
      (address) =>
        cidrsOf(range).some((cidr) => contains(cidr, address)) && !others.some((other) => contains(other, address)),
    );
}

function cidrsOf({ spec }: ServiceCIDR): readonly string[] {
  return spec?.cidrs ?? [];
}

function isManaged(address: string, labels: Readonly<Record<string, string>> | undefined): boolean {
  return Object.entries(addressLabels(address)).every(([name, value]) => labels?.[name] === value);
}

function containsRange(outer: string, inner: string): boolean {
  const [[, outerBits = ""], [network = "", innerBits = ""]] = [outer.split("/"), inner.split("/")];
  return Number(outerBits) <= Number(innerBits) && contains(outer, network);
}

function contains(cidr: string, address: string): boolean {
  const [network = "", bits = ""] = cidr.split("/");
  const family = isIPv6(network) ? "ipv6" : "ipv4";
  if (isIPv6(address) !== (family === "ipv6")) return false;
  const list = new BlockList();
  list.addSubnet(network, Number(bits), family);
  return list.check(address, family);
}
