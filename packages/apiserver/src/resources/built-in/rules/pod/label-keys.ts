import type { ApiObject, MutableJsonObject } from "../../../../storage/api-object.ts";
import { objectIn, objectsIn, textsIn } from "../../../fields.ts";

/** Adds to the selectors of a new Pod what `matchLabelKeys` and `mismatchLabelKeys` mean for its labels. */
export function mergeLabelKeys(pod: ApiObject): void {
  const spec = objectIn(pod, "spec");
  const labels = pod.metadata.labels ?? {};
  const affinities = ["podAffinity", "podAntiAffinity"].map((name) => objectIn(objectIn(spec, "affinity"), name));
  for (const affinity of affinities) {
    const preferred = objectsIn(affinity, "preferredDuringSchedulingIgnoredDuringExecution");
    const required = objectsIn(affinity, "requiredDuringSchedulingIgnoredDuringExecution");
    for (const term of [...preferred.map((each) => objectIn(each, "podAffinityTerm")), ...required]) {
      addRequirements(term, labels, ["matchLabelKeys", "In"]);
      addRequirements(term, labels, ["mismatchLabelKeys", "NotIn"]);
    }
  }
  for (const constraint of objectsIn(spec, "topologySpreadConstraints"))
    addRequirements(constraint, labels, ["matchLabelKeys", "In"]);
}

function addRequirements(
  owner: MutableJsonObject | undefined,
  labels: Readonly<Record<string, string>>,
  [field, operator]: readonly [field: string, operator: "In" | "NotIn"],
): void {
  const selector = objectIn(owner, "labelSelector");
  const keys = textsIn(owner, field).filter((key) => labels[key] !== undefined);
  // A term without a selector selects nothing.
  if (selector === undefined || keys.length === 0) return;
  const added = keys.map((key) => ({ key, operator, values: [labels[key]] }));
  selector["matchExpressions"] = [...objectsIn(selector, "matchExpressions"), ...added];
}
