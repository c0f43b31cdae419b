import { type FieldError, invalidField, qualifiedNameErrors } from "@kubescaffold/k8s";

const COUNTED = [
  "pods",
  "resourcequotas",
  "services",
  "replicationcontrollers",
  "secrets",
  "configmaps",
  "persistentvolumeclaims",
  "services.nodeports",
  "services.loadbalancers",
] as const;
const COMPUTE = ["cpu", "memory", "ephemeral-storage"] as const;
const STANDARD: ReadonlySet<string> = new Set([
  ...COUNTED,
  ...COMPUTE.flatMap((name) => [name, `requests.${name}`, `limits.${name}`]),
  "storage",
  "requests.storage",
]);

/** Reports whether a resource is one of Kubernetes without a domain. */
function isStandardResource(name: string): boolean {
  return STANDARD.has(name) || isHugePages(name) || name.startsWith("requests.hugepages-");
}

/** Reports whether a resource is memory in large pages. */
export function isHugePages(name: string): boolean {
  return name.startsWith("hugepages-");
}

/** Reports whether a resource has no domain, or that of Kubernetes. */
export function isNativeResource(name: string): boolean {
  return !name.includes("/") || name.includes("kubernetes.io/");
}

/** Reports whether a resource is one of another domain that quotas can count. */
export function isExtendedResource(name: string): boolean {
  return (
    !isNativeResource(name) && !name.startsWith("requests.") && qualifiedNameErrors(`requests.${name}`).length === 0
  );
}

/** Reports whether only whole amounts of a resource exist. */
export function isIntegerResource(name: string): boolean {
  return (COUNTED as readonly string[]).includes(name) || isExtendedResource(name);
}

/** Returns what is wrong with the name of a resource, as upstream's validateResourceName does. */
export function resourceNameErrors(name: string, field: string): readonly FieldError[] {
  const problems = qualifiedNameErrors(name);
  if (problems.length > 0) return problems.map((problem) => invalidField(field, name, problem));
  return name.includes("/") || isStandardResource(name)
    ? []
    : [invalidField(field, name, "must be a standard resource type or fully qualified")];
}
