import type { ScopedResourceSelectorRequirement } from "@kubescaffold/k8s/core/v1";

import type { AdmissionAttributes } from "../../pipeline/extension-points.ts";
import type { ApiObject } from "../../storage/api-object.ts";
import type { Amounts } from "./amounts.ts";

/** Measures the usage of the objects of one resource for quotas. */
export interface Evaluator {
  /** Reports whether a write can change the usage. */
  handles(attributes: AdmissionAttributes): boolean;
  /** Returns the names of a quota that the resource counts for. */
  matchingNames(names: readonly string[]): readonly string[];
  /** Reports whether an object is in a scope. */
  isInScope(scope: ScopedResourceSelectorRequirement, object: ApiObject): boolean;
  /** Returns the reason why an object cannot be measured against these names. */
  constraint?(names: readonly string[], object: ApiObject): string | undefined;
  usageOf(object: ApiObject, nowMs: number): Amounts;
}
