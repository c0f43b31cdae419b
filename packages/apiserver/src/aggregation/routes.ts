import type { ServiceTarget } from "../http/service-address.ts";
import type { ObjectReader } from "../storage/object-reader.ts";
import type { VersionBackend } from "./api-services.ts";
import type { Backend, BackendCall } from "./backend-client.ts";
import { serviceLocation } from "./service-location.ts";

/** A server that was found behind a Service. */
interface FoundBackend {
  readonly backend: Backend;
  /** Whether it was declared to the cluster, so that its Service need not exist. */
  readonly isDeclared: boolean;
}

/** Finds the server behind a Service; undefined if none listens. */
export type BackendFinder = (service: ServiceTarget) => FoundBackend | undefined;

/** How to reach a server. */
export type BackendRoute = Pick<BackendCall, "backend" | "location" | "serverName" | "caBundle" | "isVerified">;

/** Returns how to reach the server of a group version; a text tells why it cannot be reached. */
export function routeTo(
  objects: ObjectReader,
  find: BackendFinder,
  { service, caBundle, isVerified }: VersionBackend,
): BackendRoute | string {
  const { namespace, name, port } = service;
  const found = find(service);
  const serverName = `${name}.${namespace}.svc`;
  const trust = { serverName, caBundle, isVerified };
  if (found?.isDeclared === true) {
    return { ...trust, backend: found.backend, location: `${serverName}:${String(port)}` };
  }
  const location = serviceLocation(objects, service);
  if (location.kind === "missing") return location.message;
  return { ...trust, backend: found?.backend ?? { kind: "nobody" }, location: location.host };
}
