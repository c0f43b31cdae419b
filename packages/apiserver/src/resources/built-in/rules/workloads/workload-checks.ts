import { invalidField, forbiddenField, requiredField, type FieldError } from "@kubescaffold/k8s";
import { deepEqual } from "@kubescaffold/schema/values";

import { since } from "../../../../release/rule-release.ts";
import type { ApiObject } from "../../../../storage/api-object.ts";
import { integerIn, objectIn } from "../../../fields.ts";
import type { BuiltInChecks } from "../checks/built-in-checks.ts";
import { nonNegative } from "../checks/field-checks.ts";
import {
  daemonSetWarnings,
  replicationControllerWarnings,
  statefulSetWarnings,
  workloadWarnings,
} from "../warnings/workload-warnings.ts";
import { printedSelector } from "./printed-selector.ts";
import {
  daemonSetErrors,
  deploymentErrors,
  replicaSetErrors,
  replicationControllerErrors,
  statefulSetErrors,
} from "./workload-errors.ts";
import {
  daemonSetStatusErrors,
  deploymentStatusErrors,
  replicaSetStatusErrors,
  replicationControllerStatusErrors,
  statefulSetStatusErrors,
} from "./workload-status-errors.ts";

/** Checks of Deployments. */
export const deploymentChecks: BuiltInChecks = {
  validate: (object, _context, old) => deploymentErrors(object, old),
  validateStatus: (object, old) => deploymentStatusErrors(object, old),
  validateUpdate: (object, old, { subresource }) => (subresource === "" ? selectorChangeErrors(object, old) : []),
  warnings: (object, old) => workloadWarnings(object, old),
};

/** Checks of ReplicaSets. */
export const replicaSetChecks: BuiltInChecks = {
  validate: (object, _context, old) => replicaSetErrors(object, old),
  validateStatus: (object) => replicaSetStatusErrors(object),
  validateUpdate: (object, old, { subresource }) => (subresource === "" ? selectorChangeErrors(object, old) : []),
  warnings: (object, old) => workloadWarnings(object, old),
};

/** Checks of ReplicationControllers. */
export const replicationControllerChecks: BuiltInChecks = {
  validate: (object, _context, old) => replicationControllerErrors(object, old),
  validateStatus: (object) => replicationControllerStatusErrors(object),
  warnings: (object, old) => replicationControllerWarnings(object, old),
};

/** Checks of ControllerRevisions. */
export const controllerRevisionChecks: BuiltInChecks = {
  validate: (revision, _context, old) => [
    ...nonNegative("revision", integerIn(revision, "revision")),
    ...(old === undefined && revision["data"] === undefined ? [requiredField("data", "data is mandatory")] : []),
  ],
  validateUpdate: (revision, old) =>
    deepEqual(revision["data"] ?? null, old["data"] ?? null)
      ? []
      : [invalidField("data", revision["data"] ?? null, "field is immutable")],
};

/** Checks of StatefulSets. */
export const statefulSetChecks: BuiltInChecks = {
  validate: (object, _context, old) => statefulSetErrors(object, old),
  validateStatus: (object, old) => statefulSetStatusErrors(object, old),
  validateUpdate: (object, old, { subresource }) => (subresource === "" ? statefulSetChangeErrors(object, old) : []),
  warnings: (object, old) => statefulSetWarnings(object, old),
};

/** Checks of DaemonSets. */
export const daemonSetChecks: BuiltInChecks = {
  validate: (object, _context, old) => daemonSetErrors(object, old),
  validateStatus: (object, old) => daemonSetStatusErrors(object, old),
  validateUpdate: (object, old, { subresource }) => (subresource === "" ? selectorChangeErrors(object, old) : []),
  warnings: (object, old) => daemonSetWarnings(object, old),
};

function selectorChangeErrors(object: ApiObject, old: ApiObject): readonly FieldError[] {
  const [selector, before] = [object, old].map((each) => objectIn(each, "spec")?.["selector"]);
  return deepEqual(selector, before)
    ? []
    : [invalidField("spec.selector", printedSelector(selector), "field is immutable")];
}

const STATEFUL_SET_MUTABLE = [
  "replicas",
  "ordinals",
  "template",
  "updateStrategy",
  "revisionHistoryLimit",
  "persistentVolumeClaimRetentionPolicy",
  "minReadySeconds",
] as const;

const STATEFUL_SET_IMMUTABLE = ["selector", "volumeClaimTemplates", "serviceName", "podManagementPolicy"] as const;

function statefulSetChangeErrors(object: ApiObject, old: ApiObject): readonly FieldError[] {
  if (since("1.37")) {
    const [spec, before] = [objectIn(object, "spec") ?? {}, objectIn(old, "spec") ?? {}];
    return STATEFUL_SET_IMMUTABLE.filter((name) => !deepEqual(spec[name] ?? null, before[name] ?? null)).map((name) =>
      invalidField(`spec.${name}`, spec[name] ?? null, "field is immutable"),
    );
  }
  const fixed = [object, old].map((each) =>
    Object.entries(objectIn(each, "spec") ?? {}).filter(
      ([name]) => !(STATEFUL_SET_MUTABLE as readonly string[]).includes(name),
    ),
  );
  return deepEqual(Object.fromEntries(fixed[0] ?? []), Object.fromEntries(fixed[1] ?? []))
    ? []
    : [
        forbiddenField(
          "spec",
          "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden",
        ),
      ];
}
