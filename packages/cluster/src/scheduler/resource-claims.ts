import type { Pod } from "@kubescaffold/k8s/core/v1";
import type { DeviceClass, DeviceRequest, ResourceClaim, ResourceClaimTemplate } from "@kubescaffold/k8s/resource/v1";

/** Reads the claims of devices of a cluster. */
export interface ResourceClaimLookups {
  /** Returns a claim in the namespace of the pod. */
  readonly resourceClaim: (name: string) => ResourceClaim | undefined;
  /** Returns a template in the namespace of the pod. */
  readonly resourceClaimTemplate: (name: string) => ResourceClaimTemplate | undefined;
  readonly deviceClass: (name: string) => DeviceClass | undefined;
}

/** A claim of a pod that does not exist yet. */
export interface MissingClaim {
  /** The name of the claim in the pod. */
  readonly name: string;
  /** The template that the claim is to be made from, and that does not exist. */
  readonly template?: string;
}

/** Returns the first claim of a pod that does not exist or is being deleted: the scheduler does not try such pods. */
export function missingClaim({ spec }: Pod, lookups: ResourceClaimLookups): MissingClaim | undefined {
  for (const { name, resourceClaimName, resourceClaimTemplateName: template } of spec?.resourceClaims ?? []) {
    if (resourceClaimName !== undefined) {
      const claim = lookups.resourceClaim(resourceClaimName);
      if (claim === undefined || claim.metadata.deletionTimestamp !== undefined) return { name };
    } else if (template !== undefined && lookups.resourceClaimTemplate(template) === undefined) {
      return { name, template };
    }
  }
  return undefined;
}

/** Returns why no node has the devices that a pod claims: a class that does not exist. Devices themselves are not simulated. */
export function missingDeviceClass({ spec }: Pod, lookups: ResourceClaimLookups): string | undefined {
  for (const { resourceClaimName = "", resourceClaimTemplateName = "" } of spec?.resourceClaims ?? []) {
    const claim = lookups.resourceClaim(resourceClaimName);
    if (claim?.status?.allocation !== undefined) continue;
    const { devices } = claim?.spec ?? lookups.resourceClaimTemplate(resourceClaimTemplateName)?.spec.spec ?? {};
    for (const [request, deviceClass] of (devices?.requests ?? []).flatMap(classesOf)) {
      if (lookups.deviceClass(deviceClass) === undefined)
        return `request ${request}: device class ${deviceClass} does not exist`;
    }
  }
  return undefined;
}

function classesOf({ name, exactly, firstAvailable = [] }: DeviceRequest): readonly (readonly [string, string])[] {
  return exactly === undefined
    ? firstAvailable.map((alternative) => [`${name}/${alternative.name}`, alternative.deviceClassName] as const)
    : [[name, exactly.deviceClassName]];
}
