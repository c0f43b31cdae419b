import { type FieldError, forbiddenField, invalidField } from "@kubescaffold/k8s";
import { deepEqual } from "@kubescaffold/schema/values";

import type { ApiObject, MutableJsonObject } from "../../../../storage/api-object.ts";
import { objectIn, objectsIn, textIn } from "../../../fields.ts";
import { eachItem } from "../checks/field-checks.ts";
import { MIRROR } from "./pod-annotation-errors.ts";

const LISTS = ["containers", "initContainers"] as const;
const RESIZABLE: readonly string[] = ["cpu", "memory"];
// The text of an empty path.
const NOWHERE = "[]";

/** The quality of service of a Pod before and after a change. */
export interface QosChange {
  readonly before: string;
  readonly after: string;
}

/** Returns what is wrong with the resize of a Pod, beyond what is wrong with the Pod itself. */
export function resizeErrors(
  pod: ApiObject,
  old: ApiObject,
  { qos, invalid }: { readonly qos: QosChange; readonly invalid: readonly FieldError[] },
): readonly FieldError[] {
  const [spec, before] = [objectIn(pod, "spec") ?? {}, objectIn(old, "spec") ?? {}];
  if (old.metadata.annotations?.[MIRROR] !== undefined)
    return [forbiddenField(NOWHERE, "static pods cannot be resized")];
  if (textIn(objectIn(before, "os"), "name") === "windows")
    return [forbiddenField(NOWHERE, "windows pods cannot be resized")];
  const errors = [
    ...invalid,
    ...(qos.before === qos.after
      ? []
      : [invalidField("spec", qos.before, "Pod QOS Class may not change as a result of resizing")]),
    ...(isSupported(old) ? [] : [forbiddenField("spec", "Pod running on node without support for resize")]),
  ];
  if (hasResources(before) || hasResources(spec)) return [...errors, forbiddenField(NOWHERE, POD_LEVEL)];
  const order = LISTS.flatMap((list) => orderErrors(objectsIn(spec, list), objectsIn(before, list), list));
  if (order.length > 0) return [...errors, ...order];
  return [
    ...errors,
    ...removalErrors(objectsIn(spec, "initContainers"), objectsIn(before, "initContainers"), "spec.initContainers"),
    ...removalErrors(objectsIn(spec, "containers"), objectsIn(before, "containers"), "spec.containers"),
    ...otherResources(objectsIn(spec, "containers"), objectsIn(before, "containers")),
    ...initResources(objectsIn(spec, "initContainers"), objectsIn(before, "initContainers")),
  ];
}

const POD_LEVEL =
  "resize of pods with pod-level resources is forbidden when InPlacePodLevelResourcesVerticalScalingEnabled feature gate is disabled";

// The first running container tells whether its node can resize.
function isSupported(pod: ApiObject): boolean {
  const running = objectsIn(objectIn(pod, "status"), "containerStatuses").find(
    (status) => objectIn(objectIn(status, "state"), "running") !== undefined,
  );
  return running === undefined || running["resources"] !== undefined;
}

function hasResources(spec: MutableJsonObject): boolean {
  const resources = objectIn(spec, "resources");
  return ["requests", "limits"].some((part) => Object.keys(objectIn(resources, part) ?? {}).length > 0);
}

function orderErrors(
  containers: readonly MutableJsonObject[],
  before: readonly MutableJsonObject[],
  list: string,
): readonly FieldError[] {
  if (containers.length !== before.length)
    return [forbiddenField(`spec.${list}`, `${list} may not be added or removed on resize`)];
  return before.flatMap((former, index) =>
    textIn(containers[index], "name") === textIn(former, "name")
      ? []
      : [forbiddenField(`spec.${list}[${String(index)}].name`, `${list} may not be renamed or reordered on resize`)],
  );
}

function removalErrors(
  containers: readonly MutableJsonObject[],
  before: readonly MutableJsonObject[],
  at: string,
): readonly FieldError[] {
  return eachItem(containers, at, (container, place) => {
    const former = before.find((each) => textIn(each, "name") === textIn(container, "name"));
    if (at.endsWith("initContainers") && !isSidecar(former)) return [];
    return ["requests", "limits"].flatMap((part) => {
      const [amounts, old] = [container, former].map((each) => objectIn(objectIn(each, "resources"), part) ?? {});
      const isRemoved = Object.keys(old ?? {}).some((name) => amounts?.[name] === undefined);
      return isRemoved ? [forbiddenField(`${place}.resources.${part}`, `resource ${part} cannot be removed`)] : [];
    });
  });
}

function otherResources(
  containers: readonly MutableJsonObject[],
  before: readonly MutableJsonObject[],
): readonly FieldError[] {
  return before.flatMap((former, index) =>
    isResizedOnly(containers[index] ?? {}, former)
      ? []
      : [forbiddenField("spec", "only cpu and memory resources are mutable")],
  );
}

function initResources(
  containers: readonly MutableJsonObject[],
  before: readonly MutableJsonObject[],
): readonly FieldError[] {
  return before.flatMap((former, index) => {
    const container = containers[index] ?? {};
    if (isSidecar(former)) {
      return isResizedOnly(container, former)
        ? []
        : [forbiddenField("spec", "only cpu and memory resources for sidecar containers are mutable")];
    }
    return deepEqual(container, former)
      ? []
      : [forbiddenField("spec", "resources for non-sidecar init containers are immutable")];
  });
}

function isSidecar(container: MutableJsonObject | undefined): boolean {
  return textIn(container, "restartPolicy") === "Always";
}

function isResizedOnly(container: MutableJsonObject, former: MutableJsonObject): boolean {
  return deepEqual(withoutResizable(container), withoutResizable(former));
}

function withoutResizable({ resources, ...others }: MutableJsonObject): unknown {
  const parts = Object.entries((resources ?? {}) as MutableJsonObject).map(([part, amounts]) => [
    part,
    part === "claims" ? amounts : fixedAmounts(amounts as MutableJsonObject),
  ]);
  const kept = parts.filter(([, amounts]) => Object.keys(amounts as object).length > 0);
  return { ...others, resources: Object.fromEntries(kept) as object };
}

function fixedAmounts(amounts: MutableJsonObject): MutableJsonObject {
  return Object.fromEntries(Object.entries(amounts).filter(([name]) => !RESIZABLE.includes(name)));
}

/** Returns what is wrong with the ephemeral containers that a change adds or removes. */
export function ephemeralErrors(pod: ApiObject, old: ApiObject): readonly FieldError[] {
  if (old.metadata.annotations?.[MIRROR] !== undefined)
    return [forbiddenField(NOWHERE, "static pods do not support ephemeral containers")];
  const containers = objectsIn(objectIn(pod, "spec"), "ephemeralContainers");
  return objectsIn(objectIn(old, "spec"), "ephemeralContainers").flatMap((former) => {
    const name = textIn(former, "name");
    const found = containers.find((container) => textIn(container, "name") === name);
    if (found !== undefined && deepEqual(found, former)) return [];
    const verb = found === undefined ? "removed" : "changed";
    return [
      forbiddenField(
        "spec.ephemeralContainers",
        `existing ephemeral containers ${JSON.stringify(name)} may not be ${verb}\n`,
      ),
    ];
  });
}
