import type { GroupVersion } from "@kubescaffold/k8s";
import type { APIService } from "@kubescaffold/k8s/apiregistration/v1";
import type { ReadonlyObject } from "@kubescaffold/k8s/meta/v1";

import type { ServiceTarget } from "../http/service-address.ts";
import type { ObjectReader } from "../storage/object-reader.ts";

/** Where APIServices are stored. */
export const API_SERVICES = { group: "apiregistration.k8s.io", resource: "apiservices" } as const;

/** A group version, and the priorities by which discovery orders it. */
export interface RegisteredVersion extends GroupVersion {
  /** The APIService. */
  readonly name: string;
  readonly groupPriority: number;
  readonly versionPriority: number;
  /** The server behind a Service that serves it; undefined if this server does. */
  readonly backend: VersionBackend | undefined;
}

/** The server of a group version, as its APIService states it. */
export interface VersionBackend {
  readonly service: ServiceTarget;
  /** Certificates in base64 that the server is verified with; empty for those of the system. */
  readonly caBundle: string;
  readonly isVerified: boolean;
  /** The condition `Available`. */
  readonly isAvailable: boolean;
}

/** A group version that a server behind a Service serves. */
export type DelegatedVersion = RegisteredVersion & { readonly backend: VersionBackend };

/** Returns the registration of a group version if a server behind a Service serves it. */
export function delegatedVersion(
  objects: ObjectReader,
  { group, version }: GroupVersion,
): DelegatedVersion | undefined {
  const found = objects.get(API_SERVICES, { namespace: "", name: `${version}.${group}` }) as APIService | undefined;
  if (found === undefined || !namesService(found)) return undefined;
  const registered = registeredVersion(found);
  return isDelegated(registered) ? registered : undefined;
}

/** Returns all registered group versions. */
export function registeredVersions(objects: ObjectReader): readonly RegisteredVersion[] {
  return objects.list(API_SERVICES).map((object) => registeredVersion(object as APIService));
}

/** Reports whether a server behind a Service serves the group version. */
export function isDelegated(registered: RegisteredVersion): registered is DelegatedVersion {
  return registered.backend !== undefined;
}

/** Reports whether an APIService names the Service of a server. */
export function namesService(object: ReadonlyObject): boolean {
  return (object as APIService).spec?.service !== undefined;
}

/** Reads an APIService. */
export function registeredVersion({ metadata, spec, status }: APIService): RegisteredVersion {
  const service = spec?.service;
  const available = status?.conditions?.find(({ type }) => type === "Available");
  return {
    name: metadata.name ?? "",
    group: spec?.group ?? "",
    version: spec?.version ?? "",
    groupPriority: spec?.groupPriorityMinimum ?? 0,
    versionPriority: spec?.versionPriority ?? 0,
    backend:
      service === undefined
        ? undefined
        : {
            service: { namespace: service.namespace ?? "", name: service.name ?? "", port: service.port ?? 443 },
            caBundle: spec?.caBundle ?? "",
            isVerified: spec?.insecureSkipTLSVerify !== true,
            isAvailable: available?.status === "True",
          },
  };
}

/** Returns the path at which a server serves a group version. */
export function pathOf({ group, version }: GroupVersion): string {
  return group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
}
