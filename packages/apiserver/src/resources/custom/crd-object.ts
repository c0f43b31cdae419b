import type { WebhookClientConfig } from "@kubescaffold/k8s/admissionregistration/v1";
import type { JsonSchema } from "@kubescaffold/schema/values";

import type { ApiObject } from "../../storage/api-object.ts";

/** The names of a custom resource. */
export interface CrdNames {
  readonly plural: string;
  readonly singular?: string;
  readonly kind: string;
  readonly listKind?: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
}

/** A column that a CRD adds to tables. */
export interface CrdColumn {
  readonly name: string;
  readonly type: string;
  readonly format?: string;
  readonly description?: string;
  readonly priority?: number;
  readonly jsonPath: string;
}

/** One version of a custom resource. */
export interface CrdVersion {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly deprecated?: boolean;
  readonly deprecationWarning?: string;
  readonly schema?: { readonly openAPIV3Schema?: JsonSchema };
  readonly subresources?: {
    readonly status?: object;
    readonly scale?: {
      readonly specReplicasPath: string;
      readonly statusReplicasPath: string;
      readonly labelSelectorPath?: string;
    };
  };
  readonly additionalPrinterColumns?: readonly CrdColumn[];
  readonly selectableFields?: readonly { readonly jsonPath: string }[];
}

/** A condition of a CRD. */
export interface CrdCondition {
  readonly type: string;
  readonly status: "True" | "False" | "Unknown";
  readonly reason?: string;
  readonly message?: string;
  readonly lastTransitionTime?: string;
}

/** How the objects of a CRD get from one version to another. */
export interface CrdConversion {
  readonly strategy: string;
  readonly webhook?: {
    readonly clientConfig?: WebhookClientConfig;
    readonly conversionReviewVersions?: readonly string[];
  };
}

/** A stored CustomResourceDefinition, as far as the server reads it. */
export interface CrdObject extends ApiObject {
  readonly spec: {
    readonly group: string;
    readonly scope: "Namespaced" | "Cluster";
    readonly names: CrdNames;
    readonly versions: readonly CrdVersion[];
    readonly preserveUnknownFields?: boolean;
    readonly conversion?: CrdConversion;
  };
  readonly status?: {
    readonly conditions?: readonly CrdCondition[];
    readonly acceptedNames?: Partial<CrdNames>;
    readonly storedVersions?: readonly string[];
  };
}

/** The resource of CRDs themselves. */
export const CRD_RESOURCE = { group: "apiextensions.k8s.io", resource: "customresourcedefinitions" } as const;

/** Reports whether a condition of a CRD is true. */
export function hasCondition(crd: CrdObject, type: string): boolean {
  return crd.status?.conditions?.some((condition) => condition.type === type && condition.status === "True") === true;
}
