import type { Service } from "@kubescaffold/k8s/core/v1";

import type { ServiceTarget } from "../http/service-address.ts";
import { hostAndPort } from "../resources/address-ranges.ts";
import type { ObjectReader } from "../storage/object-reader.ts";

const SERVICES = { group: "", resource: "services" } as const;

/** Where a Service leads: the host and port of its URL, or why there is none. */
export type ServiceLocation =
  | { readonly kind: "found"; readonly host: string }
  | { readonly kind: "missing"; readonly message: string };

/** Returns where requests to a Service go: to its address in the cluster, or to its external name. */
export function serviceLocation(objects: ObjectReader, target: ServiceTarget): ServiceLocation {
  const { namespace, name, port } = target;
  const service = objects.get(SERVICES, { namespace, name }) as Service | undefined;
  if (service === undefined) return { kind: "missing", message: `service ${JSON.stringify(name)} not found` };
  const { type = "ClusterIP", clusterIP = "", externalName = "", ports = [] } = service.spec ?? {};
  if (type === "ExternalName") return { kind: "found", host: `${externalName}:${String(port)}` };
  if (clusterIP === "None") return { kind: "missing", message: 'cannot route to service with ClusterIP "None"' };
  if (!ports.some((each) => each.port === port)) {
    return { kind: "missing", message: `no service port ${String(port)} found for service ${JSON.stringify(name)}` };
  }
  return { kind: "found", host: hostAndPort(clusterIP, port) };
}
