import { isAlreadyExists, isNotFound } from "@kubescaffold/k8s";
import type { Service } from "@kubescaffold/k8s/core/v1";
import type { IPAddress } from "@kubescaffold/k8s/networking/v1";
import { deepEqual } from "@kubescaffold/schema/values";

import type { ControllerIdentity } from "../controllers/define-controller.ts";
import { storeController } from "../controllers/store-controller.ts";
import type { InProcessController, InternalClient, ServerContext } from "../pipeline/server-context.ts";
import { addressFamily, canonicalAddress } from "../resources/address-ranges.ts";
import type { ApiObject } from "../storage/api-object.ts";
import { addressLabels, IP_ADDRESSES, SERVICES } from "./address-resources.ts";

/** Keeps an IPAddress for each address of a Service, as kube-apiserver does. */
export function createController(context: ServerContext, self: ControllerIdentity): InProcessController {
  const client = context.clientFor(self.user);
  return storeController({
    name: self.name,
    context,
    watches: [SERVICES, IP_ADDRESSES],
    keysOf: ({ groupResource, object, previous }) =>
      groupResource.resource === IP_ADDRESSES.resource
        ? [object.metadata.name ?? ""]
        : [...addressesOf(object), ...(previous === undefined ? [] : addressesOf(previous))],
    initialKeys: () => [
      ...context.objects.list(SERVICES).flatMap(addressesOf),
      ...context.objects.list(IP_ADDRESSES).map(({ metadata }) => metadata.name ?? ""),
    ],
    work: async (address) => await syncAddress(context, client, address),
  });
}

function addressesOf(service: ApiObject): readonly string[] {
  const { type, clusterIPs = [] } = (service as Service).spec ?? {};
  if (type === "ExternalName") return [];
  // IPAddresses are named by the canonical form.
  return clusterIPs.filter((address) => addressFamily(address) !== 0).map(canonicalAddress);
}

async function syncAddress(context: ServerContext, client: InternalClient, address: string): Promise<void> {
  const key = { namespace: "", name: address };
  const stored = context.objects.get(IP_ADDRESSES, key) as IPAddress | undefined;
  const owner = context.objects.list(SERVICES).find((service) => addressesOf(service).includes(address));
  const parentRef = owner === undefined ? undefined : referenceTo(owner);
  if (stored !== undefined && !deepEqual(stored.spec?.parentRef, parentRef)) {
    const labels = addressLabels(address);
    const isOwn = Object.entries(labels).every(([name, value]) => stored.metadata.labels?.[name] === value);
    // Users may reserve addresses.
    if (!isOwn) return;
    await client.delete({ ...IP_ADDRESSES, ...key }).catch((error: unknown) => {
      if (!isNotFound(error)) throw error;
    });
  } else if (stored !== undefined) return;
  if (parentRef === undefined) return;
  const metadata = { name: address, labels: addressLabels(address) };
  const body = { apiVersion: "networking.k8s.io/v1", kind: "IPAddress", metadata, spec: { parentRef } };
  await client.create({ ...IP_ADDRESSES, namespace: "", name: "" }, body).catch((error: unknown) => {
    if (!isAlreadyExists(error)) throw error;
  });
}

function referenceTo({ metadata }: ApiObject): Readonly<Record<string, string>> {
  return { resource: SERVICES.resource, namespace: metadata.namespace ?? "", name: metadata.name ?? "" };
}
