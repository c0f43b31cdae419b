import { forbiddenField, type FieldError } from "@kubescaffold/k8s";

import type { ApiObject, MutableJsonObject } from "../../../../storage/api-object.ts";
import { objectIn, objectsIn, textIn } from "../../../fields.ts";
import type { BuiltInChecks } from "../checks/built-in-checks.ts";
import { eachItem } from "../checks/field-checks.ts";
import { imageSpaceErrors } from "../pod/container-errors.ts";
import { podAnnotationErrors, profileConflicts } from "../pod/pod-annotation-errors.ts";
import { podChangeErrors } from "../pod/pod-change-errors.ts";
import { ephemeralErrors, resizeErrors } from "../pod/pod-resize.ts";
import { podSpecErrors, podTemplateErrors } from "../pod/pod-spec-errors.ts";
import { qosClassOf } from "../pod/quality-of-service.ts";
import { podStatusWarnings, podWarnings } from "../warnings/pod-warnings.ts";
import { nameWarnings, podTemplateWarnings } from "../warnings/workload-warnings.ts";
import { podStatusErrors } from "./pod-status-errors.ts";

/** Checks of Pods. */
export const podChecks: BuiltInChecks = {
  validate: (pod, _context, old) => podErrors(pod, old),
  validateUpdate: (pod, old, { subresource }) => changeErrors(pod, old, subresource),
  validateStatus: (pod, old) => podStatusErrors(pod, old),
  // Changes of Pods are frequent, and have none.
  warnings: (pod, old) => (old === undefined ? [...nameWarnings(pod, "the Pod's hostname"), ...podWarnings(pod)] : []),
  statusWarnings: (pod) => podStatusWarnings(pod),
};

/** Checks of PodTemplates. */
export const podTemplateChecks: BuiltInChecks = {
  validate: (podTemplate, _context, old) =>
    podTemplateErrors(objectIn(podTemplate, "template") ?? {}, "template", objectIn(old, "template")),
  warnings: (podTemplate, old) => podTemplateWarnings(podTemplate, old),
};

const specOf = (pod: ApiObject): MutableJsonObject | undefined => objectIn(pod, "spec");
const statusOf = (pod: ApiObject): MutableJsonObject | undefined => objectIn(pod, "status");

function changeErrors(pod: ApiObject, old: ApiObject, subresource: string): readonly FieldError[] {
  switch (subresource) {
    case "":
      return podChangeErrors(pod, old);
    case "ephemeralcontainers":
      return [...podErrors(pod, old), ...ephemeralErrors(pod, old)];
    case "resize": {
      const before = textIn(statusOf(old), "qosClass") || qosClassOf(specOf(old));
      const qos = { before, after: qosClassOf(specOf(pod)) };
      return resizeErrors(pod, old, { qos, invalid: podErrors(pod, old) });
    }
    default:
      return [];
  }
}

function podErrors(pod: ApiObject, old: ApiObject | undefined): readonly FieldError[] {
  const spec = specOf(pod) ?? {};
  const annotations = pod.metadata.annotations;
  return [
    ...podAnnotationErrors(annotations, spec, "metadata.annotations"),
    ...podSpecErrors(spec, "spec", {
      podName: pod.metadata.name ?? "",
      isPod: true,
      former: old === undefined ? undefined : specOf(old),
    }),
    ...tokenErrors(spec),
    ...["containers", "initContainers"].flatMap((list) =>
      eachItem(objectsIn(spec, list), `spec.${list}`, imageSpaceErrors),
    ),
    ...(old === undefined ? creationErrors(pod, spec) : []),
  ];
}

function tokenErrors(spec: MutableJsonObject): readonly FieldError[] {
  if (textIn(spec, "serviceAccountName") !== "") return [];
  return eachItem(objectsIn(spec, "volumes"), "spec.volumes", (volume, at) =>
    eachItem(objectsIn(objectIn(volume, "projected"), "sources"), `${at}.projected.sources`, (source, place) =>
      source["serviceAccountToken"] === undefined
        ? []
        : [forbiddenField(`${place}.serviceAccountToken`, "must not be specified when serviceAccountName is not set")],
    ),
  );
}

function creationErrors(pod: ApiObject, spec: MutableJsonObject): readonly FieldError[] {
  const isGated = objectsIn(spec, "schedulingGates").length > 0;
  return [
    ...(objectsIn(spec, "ephemeralContainers").length > 0
      ? [forbiddenField("spec.ephemeralContainers", "cannot be set on create")]
      : []),
    ...(isGated && textIn(spec, "nodeName") !== ""
      ? [forbiddenField("spec.nodeName", "cannot be set until all schedulingGates have been cleared")]
      : []),
    ...profileConflicts(pod.metadata.annotations, spec, "spec"),
  ];
}
