import { addressFamily, addressNumber, addressOfNumber } from "../resources/address-ranges.ts";
import { familyOf } from "../resources/built-in/rules/core/service-ranges.ts";
import type { JsonObject } from "../storage/api-object.ts";
import { addressLabels } from "./address-resources.ts";

/**
 * Returns the Service through which pods of a cluster reach the API server, its address, and the ranges of Service addresses; the first one is of the default family.
 *
 * `server-endpoints.ts` keeps its endpoints, once the server listens at an address that it advertises.
 */
export function serviceNetwork(
  ranges: readonly [string, ...string[]],
  { time, hasControllers }: { readonly time: string; readonly hasControllers: boolean },
): readonly JsonObject[] {
  const address = serverAddress(ranges);
  return [
    kubernetesService(address),
    {
      apiVersion: "networking.k8s.io/v1",
      kind: "IPAddress",
      metadata: { name: address, labels: addressLabels(address) },
      spec: { parentRef: { resource: "services", namespace: "default", name: "kubernetes" } },
    },
    serviceCidr(ranges, time, hasControllers),
  ];
}

/** Returns the address of the Service `kubernetes`: the first one of the default family. */
export function serverAddress([range]: readonly [string, ...string[]]): string {
  const [network = ""] = range.split("/");
  return addressOfNumber(addressNumber(network) + 1n, addressFamily(network) === 6 ? 6 : 4);
}

function kubernetesService(address: string): JsonObject {
  return {
    apiVersion: "v1",
    kind: "Service",
    metadata: {
      name: "kubernetes",
      namespace: "default",
      labels: { component: "apiserver", provider: "kubernetes" },
    },
    spec: {
      clusterIP: address,
      clusterIPs: [address],
      internalTrafficPolicy: "Cluster",
      ipFamilies: [familyOf(address)],
      ipFamilyPolicy: "SingleStack",
      ports: [{ name: "https", port: 443, protocol: "TCP", targetPort: 6443 }],
      sessionAffinity: "None",
      type: "ClusterIP",
    },
    status: { loadBalancer: {} },
  };
}

// A controller protects the range, and confirms that it is ready.
function serviceCidr(cidrs: readonly string[], time: string, hasControllers: boolean): JsonObject {
  const ready = {
    type: "Ready",
    status: "True",
    lastTransitionTime: time,
    reason: "",
    message: hasControllers ? "Kubernetes Service CIDR is ready" : "Kubernetes default Service CIDR is ready",
  };
  return {
    apiVersion: "networking.k8s.io/v1",
    kind: "ServiceCIDR",
    metadata: {
      name: "kubernetes",
      ...(hasControllers ? { finalizers: ["networking.k8s.io/service-cidr-finalizer"] } : {}),
    },
    spec: { cidrs },
    status: { conditions: [ready] },
  };
}
