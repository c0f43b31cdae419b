import { type FieldError, forbiddenField, invalidField, requiredField } from "@kubescaffold/k8s";
import { deepEqual } from "@kubescaffold/schema/values";

import type { ApiObject, MutableJsonObject } from "../../../../storage/api-object.ts";
import { integerIn, numberIn, objectIn, objectsIn, textIn } from "../../../fields.ts";
import { eachItem } from "../checks/field-checks.ts";
import { APP_ARMOR } from "../containers/placed-containers.ts";
import { imageSpaceErrors } from "./container-errors.ts";
import { MIRROR, podAnnotationErrors } from "./pod-annotation-errors.ts";
import { tolerationErrors } from "./scheduling-errors.ts";

const DETAIL =
  "pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)";
const MOST_SECONDS = 2 ** 31 - 1;

/** Returns what is wrong with the changes of a Pod, beyond what is wrong with the Pod itself. */
export function podChangeErrors(pod: ApiObject, old: ApiObject): readonly FieldError[] {
  const [spec, before] = [objectIn(pod, "spec") ?? {}, objectIn(old, "spec") ?? {}];
  const errors = [...podAnnotationChangeErrors(pod, old, spec)];
  for (const list of ["containers", "initContainers"]) {
    const containers = objectsIn(spec, list);
    if (containers.length !== objectsIn(before, list).length) {
      return [...errors, forbiddenField(`spec.${list}`, "pod updates may not add or remove containers")];
    }
    errors.push(...eachItem(containers, `spec.${list}`, imageErrors));
  }
  const deadline = deadlineErrors(spec, before);
  if (deadline.some(({ detail }) => detail !== REMOVED)) return [...errors, ...deadline];
  return [
    ...errors,
    ...deadline,
    ...addedTolerationErrors(objectsIn(spec, "tolerations"), objectsIn(before, "tolerations")),
    ...addedGateErrors(spec, before),
    ...otherChanges(spec, before),
  ];
}

function imageErrors(container: MutableJsonObject, at: string): readonly FieldError[] {
  return [
    ...(textIn(container, "image") === "" ? [requiredField(`${at}.image`)] : []),
    ...imageSpaceErrors(container, at),
  ];
}

/** Returns what is wrong with the changes of a Pod's annotations, and with the annotations themselves. */
export function podAnnotationChangeErrors(
  pod: ApiObject,
  old: ApiObject,
  spec: MutableJsonObject,
): readonly FieldError[] {
  const [annotations, before] = [pod.metadata.annotations ?? {}, old.metadata.annotations ?? {}];
  const at = "metadata.annotations";
  const changed = Object.keys(before).filter((key) => annotations[key] !== before[key]);
  const added = Object.keys(annotations).filter((key) => before[key] === undefined);
  const forbidden = (keys: readonly string[], verb: string): readonly FieldError[] =>
    keys.flatMap((key) => {
      const title = key.startsWith(APP_ARMOR) ? "AppArmor annotations" : key === MIRROR ? "mirror pod annotation" : "";
      return title === "" ? [] : [forbiddenField(`${at}[${key}]`, `may not ${verb} ${title}`)];
    });
  return [
    ...forbidden(changed, "remove or update"),
    ...forbidden(added, "add"),
    ...podAnnotationErrors(annotations, spec, at),
  ];
}

const REMOVED = "must not update from a positive integer to nil value";

function deadlineErrors(spec: MutableJsonObject, before: MutableJsonObject): readonly FieldError[] {
  const [seconds, former] = [integerIn(spec, "activeDeadlineSeconds"), integerIn(before, "activeDeadlineSeconds")];
  const field = "spec.activeDeadlineSeconds";
  if (seconds === undefined) return former === undefined ? [] : [invalidField(field, null, REMOVED)];
  if (seconds < 0 || seconds > MOST_SECONDS) {
    return [invalidField(field, seconds, `must be between 0 and ${MOST_SECONDS}, inclusive`)];
  }
  return former !== undefined && former < seconds
    ? [invalidField(field, seconds, "must be less than or equal to previous value")]
    : [];
}

function addedTolerationErrors(
  tolerations: readonly MutableJsonObject[],
  before: readonly MutableJsonObject[],
): readonly FieldError[] {
  const withoutSeconds = ({ tolerationSeconds: _seconds, ...others }: MutableJsonObject): unknown => others;
  const isKept = before.every((former) =>
    tolerations.some((toleration) => deepEqual(withoutSeconds(former), withoutSeconds(toleration))),
  );
  return isKept
    ? tolerationErrors(tolerations, "spec.tolerations")
    : [forbiddenField("spec.tolerations", "existing toleration can not be modified except its tolerationSeconds")];
}

function addedGateErrors(spec: MutableJsonObject, before: MutableJsonObject): readonly FieldError[] {
  const former = new Set(objectsIn(before, "schedulingGates").map((gate) => textIn(gate, "name")));
  const added = new Map(
    objectsIn(spec, "schedulingGates").map((gate, index): readonly [string, number] => [textIn(gate, "name"), index]),
  );
  return [...added]
    .filter(([name]) => !former.has(name))
    .map(([name, index]) =>
      forbiddenField(
        `spec.schedulingGates[${index}].name`,
        `only deletion is allowed, but found new scheduling gate '${name}'`,
      ),
    );
}

function otherChanges(spec: MutableJsonObject, before: MutableJsonObject): readonly FieldError[] {
  const isGated = objectsIn(before, "schedulingGates").length > 0;
  const [fixed, former] = [fixedPart(spec, before, isGated), fixedPart(before, before, isGated)];
  return [
    ...(isGated ? gatedChanges(spec, before) : []),
    ...(deepEqual(fixed, former) ? [] : [forbiddenField("spec", DETAIL)]),
  ];
}

const MUTABLE: ReadonlySet<string> = new Set(["activeDeadlineSeconds", "tolerations", "schedulingGates"]);

function fixedPart(spec: MutableJsonObject, before: MutableJsonObject, isGated: boolean): unknown {
  const endsAtOnce =
    (numberIn(before, "terminationGracePeriodSeconds") ?? 0) < 0 && spec["terminationGracePeriodSeconds"] === 1;
  const entries = Object.entries(spec)
    .filter(([name]) => !MUTABLE.has(name) && !(isGated && name === "nodeSelector"))
    .map(([name, value]): readonly [string, unknown] => {
      if (name === "containers" || name === "initContainers") return [name, withoutImages(value)];
      if (name === "terminationGracePeriodSeconds" && endsAtOnce) return [name, before[name]];
      return name === "affinity" && isGated ? [name, withoutNodeAffinity(value)] : [name, value];
    })
    .filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries);
}

function withoutImages(containers: unknown): unknown {
  return Array.isArray(containers)
    ? containers.map((container: MutableJsonObject) => ({ ...container, image: "" }))
    : containers;
}

function withoutNodeAffinity(affinity: unknown): unknown {
  const { nodeAffinity: _node, ...others } = affinity as MutableJsonObject;
  return Object.keys(others).length === 0 ? undefined : others;
}

function gatedChanges(spec: MutableJsonObject, before: MutableJsonObject): readonly FieldError[] {
  const [selector, former] = [objectIn(spec, "nodeSelector") ?? {}, objectIn(before, "nodeSelector") ?? {}];
  const isNarrower = Object.entries(former).every(([key, value]) => selector[key] === value);
  const detail = "only additions to spec.nodeSelector are allowed (no mutations or deletions)";
  return [
    ...(isNarrower ? [] : [invalidField("spec.nodeSelector", selector, detail)]),
    ...nodeAffinityChanges(spec, before),
  ];
}

const REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";

function nodeAffinityChanges(spec: MutableJsonObject, before: MutableJsonObject): readonly FieldError[] {
  const requiredOf = (each: MutableJsonObject): MutableJsonObject | undefined =>
    objectIn(objectIn(objectIn(each, "affinity"), "nodeAffinity"), REQUIRED);
  if (requiredOf(before) === undefined) return [];
  const [terms, former] = [spec, before].map((each) => objectsIn(requiredOf(each), "nodeSelectorTerms"));
  const at = `spec.affinity.nodeAffinity.${REQUIRED}.nodeSelectorTerms`;
  const sizes = "no additions/deletions to non-empty NodeSelectorTerms list are allowed";
  const [after = [], old = []] = [terms, former];
  if (old.length > 0 && old.length !== after.length) return [invalidField(at, after, sizes)];
  return old.flatMap((term, index) =>
    onlyAdds(after[index] ?? {}, term)
      ? []
      : [invalidField(`${at}[${index}]`, after[index], "only additions are allowed (no mutations or deletions)")],
  );
}

function onlyAdds(term: MutableJsonObject, old: MutableJsonObject): boolean {
  const parts = ["matchExpressions", "matchFields"].map(
    (name) => [objectsIn(term, name), objectsIn(old, name)] as const,
  );
  const [isNew, wasEmpty] = [
    parts.some(([after]) => after.length > 0),
    parts.every(([, former]) => former.length === 0),
  ];
  if (wasEmpty) return !isNew;
  return parts.every(([after, former]) => deepEqual(after.slice(0, former.length) as never, former as never));
}
