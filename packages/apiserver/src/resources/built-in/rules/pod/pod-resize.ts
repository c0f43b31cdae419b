import { type FieldError, forbiddenField, invalidField } from "@kubescaffold/k8s";
import { deepEqual } from "@kubescaffold/schema/values";

import { isEnabled, since } from "../../../../release/rule-release.ts";
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
  // Until 1.34, nothing else of such a Pod is checked.
  if (!since("1.35") && (hasResources(before) || hasResources(spec))) return forbiddenWhole([]);
  if (old.metadata.annotations?.[MIRROR] !== undefined)
    return [forbiddenField(NOWHERE, "static pods cannot be resized")];
  if (textIn(objectIn(before, "os"), "name") === "windows")
    return [forbiddenField(NOWHERE, "windows pods cannot be resized")];
  const errors: FieldError[] = [
    ...invalid,
    ...(qos.before === qos.after
      ? []
      : [invalidField("spec", qos.before, "Pod QOS Class may not change as a result of resizing")]),
    ...(isSupported(old) ? [] : [forbiddenField("spec", "Pod running on node without support for resize")]),
  ];
  const isWhole = hasResources(before) || hasResources(spec);
  if (isWhole && !isEnabled("InPlacePodLevelResourcesVerticalScaling")) return forbiddenWhole(errors);
  if (isWhole) errors.push(...wholeErrors(spec, before));
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

function forbiddenWhole(errors: readonly FieldError[]): readonly FieldError[] {
  const detail = since("1.35")
    ? "resize of pods with pod-level resources is forbidden when InPlacePodLevelResourcesVerticalScalingEnabled feature gate is disabled"
    : "pods with pod-level resources cannot be resized";
  return [...errors, forbiddenField(NOWHERE, detail)];
}

function wholeErrors(spec: MutableJsonObject, before: MutableJsonObject): readonly FieldError[] {
  const [resources, former] = [objectIn(spec, "resources"), objectIn(before, "resources")];
  if (former !== undefined && resources === undefined)
    return [forbiddenField("spec.resources", "pod-level resources cannot be removed")];
  const isResized = deepEqual(fixedResources(resources), fixedResources(former));
  return [
    ...["requests", "limits"].flatMap((part) => {
      const [amounts, old] = [resources, former].map((each) => objectIn(each, part) ?? {});
      return Object.keys(old ?? {}).some((name) => amounts?.[name] === undefined)
        ? [forbiddenField(`spec.resources.${part}`, `pod-level resource ${part} cannot be removed`)]
        : [];
    }),
    ...(isResized ? [] : [forbiddenField("spec", "only cpu and memory resources are mutable at pod-level")]),
  ];
}

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
    if (at.endsWith("initContainers") && !mayResizeInit(former)) return [];
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
    if (mayResizeInit(former)) {
      return [
        ...(isResizedOnly(container, former) ? [] : [otherInitResources(index)]),
        ...(isSidecar(former) || deepEqual(container, former) ? [] : restartedResize(container, index)),
      ];
    }
    return deepEqual(container, former)
      ? []
      : [forbiddenField("spec", "resources for non-sidecar init containers are immutable")];
  });
}

function mayResizeInit(container: MutableJsonObject | undefined): boolean {
  return isSidecar(container) || isEnabled("InPlacePodVerticalScalingInitContainers");
}

function otherInitResources(index: number): FieldError {
  return since("1.36")
    ? forbiddenField(
        `spec.initContainers[${String(index)}]`,
        "only cpu and memory resources for init or sidecar containers are mutable",
      )
    : forbiddenField("spec", "only cpu and memory resources for sidecar containers are mutable");
}

function restartedResize(container: MutableJsonObject, index: number): readonly FieldError[] {
  const detail = "non-sidecar init containers with a resize policy of RestartContainer cannot be resized";
  return objectsIn(container, "resizePolicy")
    .filter((item) => item["restartPolicy"] === "RestartContainer")
    .map(() => forbiddenField(`spec.initContainers[${String(index)}]`, detail));
}

function isSidecar(container: MutableJsonObject | undefined): boolean {
  return textIn(container, "restartPolicy") === "Always";
}

function isResizedOnly(container: MutableJsonObject, former: MutableJsonObject): boolean {
  return deepEqual(withoutResizable(container), withoutResizable(former));
}

function withoutResizable({ resources, ...others }: MutableJsonObject): unknown {
  return { ...others, resources: fixedResources(resources as MutableJsonObject | undefined) };
}

function fixedResources(resources: MutableJsonObject | undefined): object {
  const parts = Object.entries(resources ?? {}).map(([part, amounts]) => [
    part,
    part === "claims" ? amounts : fixedAmounts(amounts as MutableJsonObject),
  ]);
  return Object.fromEntries(parts.filter(([, amounts]) => Object.keys(amounts as object).length > 0)) as object;
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
