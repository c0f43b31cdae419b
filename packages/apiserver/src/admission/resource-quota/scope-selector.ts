import type { ScopedResourceSelectorRequirement } from "@kubescaffold/k8s/core/v1";

/** Reports whether a requirement selects an object with these values; with several, one of them is enough. */
export function selectsValue(
  { operator, values = [] }: ScopedResourceSelectorRequirement,
  present: readonly string[],
): boolean {
  switch (operator) {
    case "Exists":
      return present.length > 0;
    case "DoesNotExist":
      return present.length === 0;
    case "In":
      return present.some((value) => values.includes(value));
    case "NotIn":
      return present.length === 0 || present.some((value) => !values.includes(value));
    default:
      return false;
  }
}
