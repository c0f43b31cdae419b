import { isAlreadyExists, isNotFound } from "@kubescaffold/k8s";

import { type Controller, type ControllerIdentity, defineController } from "../controllers/define-controller.ts";
import type { PublishedValue } from "../controllers/published-value.ts";
import { storeController } from "../controllers/store-controller.ts";
import type { InProcessController, InternalClient, ServerContext } from "../pipeline/server-context.ts";
import { familyOf } from "../resources/built-in/rules/core/service-ranges.ts";
import type { ApiObject, JsonObject } from "../storage/api-object.ts";

const ENDPOINTS = { group: "", version: "v1", resource: "endpoints" } as const;
const ENDPOINT_SLICES = { group: "discovery.k8s.io", version: "v1", resource: "endpointslices" } as const;
const PLACE = { namespace: "default", name: "kubernetes" } as const;

/** Where Pods reach the API server. */
export interface ServerAddress {
  readonly address: string;
  readonly port: number;
}

/** Keeps the Endpoints and the EndpointSlice of the Service `kubernetes`, as kube-apiserver does. */
export const SERVER_ENDPOINTS: Controller<AdvertisedParts> = defineController({
  name: "server-endpoints",
  create: createController,
});

/** What the controller of the endpoints needs. */
export interface AdvertisedParts {
  /** The address that the server advertises, which is known from the first listener on. */
  readonly advertised: PublishedValue<ServerAddress>;
}

function createController(
  context: ServerContext,
  self: ControllerIdentity,
  { advertised }: AdvertisedParts,
): InProcessController {
  const client = context.clientFor(self.user);
  return storeController({
    name: self.name,
    context,
    watches: [ENDPOINTS, ENDPOINT_SLICES],
    keysOf: ({ groupResource, object: { metadata } }) =>
      metadata.namespace === PLACE.namespace && metadata.name === PLACE.name ? [groupResource.resource] : [],
    initialKeys: () => [ENDPOINTS.resource, ENDPOINT_SLICES.resource],
    subscribe: (add) => advertised.onPublish(() => add([ENDPOINTS.resource, ENDPOINT_SLICES.resource])),
    work: async (resource) => {
      const { current } = advertised;
      if (current === undefined) return;
      const target = resource === ENDPOINTS.resource ? ENDPOINTS : ENDPOINT_SLICES;
      const wanted = resource === ENDPOINTS.resource ? endpointsOf(current) : sliceOf(current);
      await write({ context, client, target }, wanted);
    },
  });
}

async function write(
  {
    context,
    client,
    target,
  }: {
    readonly context: ServerContext;
    readonly client: InternalClient;
    readonly target: typeof ENDPOINTS | typeof ENDPOINT_SLICES;
  },
  wanted: JsonObject,
): Promise<void> {
  const stored = context.objects.get(target, PLACE);
  if (stored !== undefined && isCurrent(stored, wanted)) return;
  try {
    if (stored === undefined) await client.create({ ...target, namespace: PLACE.namespace, name: "" }, wanted);
    else await client.update({ ...target, ...PLACE }, wanted);
  } catch (error) {
    // Another change leads here again.
    if (!isAlreadyExists(error) && !isNotFound(error)) throw error;
  }
}

function isCurrent(stored: ApiObject, wanted: JsonObject): boolean {
  const parts = (object: JsonObject): string =>
    JSON.stringify([object["subsets"], object["endpoints"], object["ports"], object["addressType"]]);
  return parts(stored as JsonObject) === parts(wanted);
}

function endpointsOf({ address, port }: ServerAddress): JsonObject {
  return {
    apiVersion: "v1",
    kind: "Endpoints",
    metadata: { ...PLACE, labels: { "endpointslice.kubernetes.io/skip-mirror": "true" } },
    subsets: [{ addresses: [{ ip: address }], ports: [{ name: "https", port, protocol: "TCP" }] }],
  };
}

function sliceOf({ address, port }: ServerAddress): JsonObject {
  return {
    apiVersion: "discovery.k8s.io/v1",
    kind: "EndpointSlice",
    metadata: { ...PLACE, labels: { "kubernetes.io/service-name": PLACE.name } },
    addressType: familyOf(address),
    endpoints: [{ addresses: [address], conditions: { ready: true } }],
    ports: [{ name: "https", port, protocol: "TCP" }],
  };
}
