import type { Node, NodeSelectorRequirement, NodeSelectorTerm, PersistentVolume, Pod } from "@kubescaffold/k8s/core/v1";

const NODE_NAME = "metadata.name";

/** Reports whether a node has the labels that the selector and the required node affinity of a pod ask for. */
export function matchesNodeAffinity({ spec }: Pod, node: Node): boolean {
  const labels = node.metadata.labels ?? {};
  if (Object.entries(spec?.nodeSelector ?? {}).some(([key, value]) => labels[key] !== value)) return false;
  const required = spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  return required === undefined || required.nodeSelectorTerms.some((term) => matchesTerm(term, node));
}

/** Reports whether a node has the labels that the node affinity of a volume requires. */
export function reachesVolume(node: Node, { spec }: PersistentVolume): boolean {
  const required = spec?.nodeAffinity?.required;
  return required === undefined || required.nodeSelectorTerms.some((term) => matchesTerm(term, node));
}

/** Returns the only nodes that the required node affinity of a pod permits by name; undefined permits all. */
export function permittedNodes({ spec }: Pod): ReadonlySet<string> | undefined {
  const terms = spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  const permitted = new Set<string>();
  for (const { matchFields = [] } of terms) {
    const sets = matchFields
      .filter(({ key, operator }) => key === NODE_NAME && operator === "In")
      .map(({ values = [] }) => values);
    const [first, ...others] = sets;
    if (first === undefined) return undefined;
    for (const name of first) if (others.every((names) => names.includes(name))) permitted.add(name);
  }
  return terms.length === 0 ? undefined : permitted;
}

/** Returns the sum of the weights of the preferred terms of a pod that match a node. */
export function nodePreference({ spec }: Pod, node: Node): number {
  const preferred = spec?.affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
  return preferred
    .filter(({ preference }) => matchesTerm(preference, node))
    .reduce((total, { weight }) => total + weight, 0);
}

// A term without requirements matches nothing.
function matchesTerm({ matchExpressions = [], matchFields = [] }: NodeSelectorTerm, { metadata }: Node): boolean {
  if (matchExpressions.length === 0 && matchFields.length === 0) return false;
  const labels = metadata.labels ?? {};
  return (
    matchExpressions.every((requirement) => meets(requirement, labels[requirement.key])) &&
    matchFields.every((requirement) => meetsField(requirement, metadata.name ?? ""))
  );
}

function meets({ operator, values = [] }: NodeSelectorRequirement, label: string | undefined): boolean {
  switch (operator) {
    case "In":
      return label !== undefined && values.includes(label);
    case "NotIn":
      return values.length > 0 && (label === undefined || !values.includes(label));
    case "Exists":
      return label !== undefined;
    case "DoesNotExist":
      return label === undefined;
    case "Gt":
    case "Lt": {
      const [actual, bound] = [integer(label), integer(values.length === 1 ? values[0] : undefined)];
      if (actual === undefined || bound === undefined) return false;
      return operator === "Gt" ? actual > bound : actual < bound;
    }
    default:
      return false;
  }
}

function meetsField({ key, operator, values = [] }: NodeSelectorRequirement, name: string): boolean {
  const [value] = values;
  if (values.length !== 1 || value === undefined) return false;
  const actual = key === NODE_NAME ? name : "";
  return operator === "In" ? actual === value : operator === "NotIn" && actual !== value;
}

function integer(text: string | undefined): bigint | undefined {
  return text !== undefined && /^[+-]?\d+$/u.test(text) ? BigInt(text.replace(/^\+/u, "")) : undefined;
}
