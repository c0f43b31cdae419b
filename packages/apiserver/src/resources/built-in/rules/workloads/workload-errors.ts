import {
  dns1123LabelErrors,
  type FieldError,
  forbiddenField,
  invalidField,
  labelRequirements,
  matchesLabels,
  requiredField,
  unsupportedField,
} from "@kubescaffold/k8s";

import type { ApiObject, MutableJsonObject } from "../../../../storage/api-object.ts";
import { numberIn, objectIn, objectsIn, textIn } from "../../../fields.ts";
import { checkedText, nonNegative, nonNegativeNumbers, supportedText } from "../checks/field-checks.ts";
import { labelSelectorErrors } from "../checks/label-selector-rules.ts";
import { claimSpecErrors } from "../pod/claim-spec-errors.ts";
import { podTemplateErrors } from "../pod/pod-spec-errors.ts";
import { numberOrPercent, percentAbove, valueOf } from "./number-or-percent.ts";
import { printedSelector } from "./printed-selector.ts";

/** Returns what is wrong with a Deployment. */
export function deploymentErrors(deployment: ApiObject, old?: ApiObject): readonly FieldError[] {
  const spec = objectIn(deployment, "spec") ?? {};
  const [deadline, ready] = [numberIn(spec, "progressDeadlineSeconds"), numberIn(spec, "minReadySeconds") ?? 0];
  const field = "spec.progressDeadlineSeconds";
  return [
    ...nonNegativeNumbers(spec, "spec", ["replicas"]),
    ...selectedTemplateErrors(spec, { ...OF_REPLICA_SET, former: templateOf(old) }),
    ...deploymentStrategyErrors(objectIn(spec, "strategy") ?? {}, "spec.strategy"),
    ...nonNegativeNumbers(spec, "spec", ["minReadySeconds", "revisionHistoryLimit", "progressDeadlineSeconds"]),
    ...(deadline !== undefined && deadline <= ready
      ? [invalidField(field, deadline, "must be greater than minReadySeconds")]
      : []),
  ];
}

/** Returns what is wrong with a ReplicaSet. */
export function replicaSetErrors(replicaSet: ApiObject, old?: ApiObject): readonly FieldError[] {
  const spec = objectIn(replicaSet, "spec") ?? {};
  return [
    ...nonNegativeNumbers(spec, "spec", ["replicas", "minReadySeconds"]),
    ...selectedTemplateErrors(spec, { ...OF_REPLICA_SET, former: templateOf(old) }),
  ];
}

const OF_REPLICA_SET = { emptyFor: "deployment", title: "ReplicaSet", requiresSelector: true } as const;

function templateOf(object: ApiObject | undefined): MutableJsonObject | undefined {
  return objectIn(objectIn(object, "spec"), "template");
}

/** Returns what is wrong with a ReplicationController. */
export function replicationControllerErrors(controller: ApiObject, old?: ApiObject): readonly FieldError[] {
  const spec = objectIn(controller, "spec") ?? {};
  const selector = objectIn(spec, "selector") ?? {};
  const template = objectIn(spec, "template");
  const labels = labelsOf(template);
  const isSelected = Object.entries(selector).every(([key, value]) => labels?.[key] === value);
  const at = "spec.template";
  return [
    ...nonNegativeNumbers(spec, "spec", ["minReadySeconds"]),
    ...(Object.keys(selector).length === 0 ? [requiredField("spec.selector")] : []),
    ...nonNegativeNumbers(spec, "spec", ["replicas"]),
    ...(template === undefined
      ? [requiredField(at)]
      : [
          ...(isSelected ? [] : [mismatch(labels)]),
          ...podTemplateErrors(template, at, templateOf(old)),
          ...permanentErrors(template, "ReplicationController"),
        ]),
  ];
}

/** Returns what is wrong with a DaemonSet. */
export function daemonSetErrors(daemonSet: ApiObject, old?: ApiObject): readonly FieldError[] {
  const spec = objectIn(daemonSet, "spec") ?? {};
  return [
    ...selectedTemplateErrors(spec, {
      emptyFor: "daemonset",
      title: "DaemonSet",
      requiresSelector: false,
      former: templateOf(old),
    }),
    ...nonNegativeNumbers(spec, "spec", ["minReadySeconds"]),
    ...daemonStrategyErrors(objectIn(spec, "updateStrategy") ?? {}, "spec.updateStrategy"),
    ...nonNegativeNumbers(spec, "spec", ["revisionHistoryLimit"]),
  ];
}

/** Returns what is wrong with a StatefulSet; what cannot be changed is not checked again. */
export function statefulSetErrors(statefulSet: ApiObject, old?: ApiObject): readonly FieldError[] {
  const isUpdate = old !== undefined;
  const spec = objectIn(statefulSet, "spec") ?? {};
  const claims = objectsIn(spec, "volumeClaimTemplates");
  const service = textIn(spec, "serviceName");
  const start = numberIn(objectIn(spec, "ordinals"), "start");
  return [
    ...managementErrors(textIn(spec, "podManagementPolicy")),
    ...statefulStrategyErrors(objectIn(spec, "updateStrategy") ?? {}, "spec.updateStrategy"),
    ...retentionErrors(objectIn(spec, "persistentVolumeClaimRetentionPolicy")),
    ...(isUpdate
      ? []
      : claims.flatMap((claim, index) =>
          claimSpecErrors(objectIn(claim, "spec") ?? {}, `spec.volumeClaimTemplates[${index}].spec`),
        )),
    ...nonNegativeNumbers(spec, "spec", ["replicas", "minReadySeconds"]),
    ...nonNegative("spec.ordinals.start", start),
    ...(isUpdate || service === "" ? [] : checkedText("spec.serviceName", service, dns1123LabelErrors)),
    ...statefulTemplateErrors(spec, claims, templateOf(old)),
  ];
}

interface TemplateOwner {
  /** The kind in the message about an empty selector. */
  readonly emptyFor: string;
  /** The kind in the message about a deadline. */
  readonly title: string;
  readonly requiresSelector: boolean;
  /** The template before an update. */
  readonly former: MutableJsonObject | undefined;
}

function selectedTemplateErrors(spec: MutableJsonObject, owner: TemplateOwner): readonly FieldError[] {
  const selector = objectIn(spec, "selector");
  const template = objectIn(spec, "template") ?? {};
  const errors = labelSelectorErrors(selector, "spec.selector");
  const isReadable = selectorIsReadable(selector);
  const templateErrors = [
    ...podTemplateErrors(template, "spec.template", owner.former),
    ...permanentErrors(template, owner.title),
  ];
  if (!owner.requiresSelector) {
    return [
      ...errors,
      ...(isReadable && !selects(selector, template) ? [mismatch(labelsOf(template))] : []),
      ...(selector !== undefined && isEmpty(selector) ? [emptySelector(selector, owner.emptyFor)] : []),
      ...templateErrors,
    ];
  }
  return [
    ...(selector === undefined ? [requiredField("spec.selector")] : errors),
    ...(selector !== undefined && isEmpty(selector) ? [emptySelector(selector, owner.emptyFor)] : []),
    ...(isReadable
      ? [
          ...(isEmpty(selector ?? {}) && selector !== undefined
            ? []
            : selects(selector, template)
              ? []
              : [mismatch(labelsOf(template))]),
          ...templateErrors,
        ]
      : [invalidField("spec.selector", printedSelector(selector), "invalid label selector")]),
  ];
}

function emptySelector(selector: MutableJsonObject, kind: string): FieldError {
  return invalidField("spec.selector", printedSelector(selector), `empty selector is invalid for ${kind}`);
}

function mismatch(labels: MutableJsonObject | undefined): FieldError {
  return invalidField("spec.template.metadata.labels", labels ?? null, "`selector` does not match template `labels`");
}

function labelsOf(template: MutableJsonObject | undefined): MutableJsonObject | undefined {
  return objectIn(objectIn(template, "metadata"), "labels");
}

function isEmpty(selector: MutableJsonObject): boolean {
  return (
    Object.keys(objectIn(selector, "matchLabels") ?? {}).length + objectsIn(selector, "matchExpressions").length === 0
  );
}

// Without a selector, nothing is selected.
function selects(selector: MutableJsonObject | undefined, template: MutableJsonObject): boolean {
  if (selector === undefined) return false;
  return matchesLabels(labelRequirements(selector), (labelsOf(template) ?? {}) as Record<string, string>);
}

/** Reports whether Go can read a label selector. */
export function selectorIsReadable(selector: MutableJsonObject | undefined): boolean {
  // Those that can be read have no errors of keys, values, and operators.
  return labelSelectorErrors(selector, "").length === 0;
}

function permanentErrors(template: MutableJsonObject, title: string): readonly FieldError[] {
  const spec = objectIn(template, "spec");
  const policy = textIn(spec, "restartPolicy");
  const at = "spec.template.spec";
  return [
    ...(policy === "Always" ? [] : [unsupportedField(`${at}.restartPolicy`, policy, ["Always"])]),
    ...(spec?.["activeDeadlineSeconds"] === undefined
      ? []
      : [forbiddenField(`${at}.activeDeadlineSeconds`, `activeDeadlineSeconds in ${title} is not Supported`)]),
  ];
}

function deploymentStrategyErrors(strategy: MutableJsonObject, at: string): readonly FieldError[] {
  const type = textIn(strategy, "type");
  const rolling = objectIn(strategy, "rollingUpdate");
  const field = `${at}.rollingUpdate`;
  switch (type) {
    case "Recreate":
      return rolling === undefined
        ? []
        : [forbiddenField(field, "may not be specified when strategy `type` is 'Recreate'")];
    case "RollingUpdate":
      return rolling === undefined
        ? [requiredField(field, "this should be defaulted and never be nil")]
        : rollingDeploymentErrors(rolling, field);
    default:
      return [unsupportedField(at, strategy, ["Recreate", "RollingUpdate"])];
  }
}

function rollingDeploymentErrors(rolling: MutableJsonObject, at: string): readonly FieldError[] {
  const [unavailable, surge] = [rolling["maxUnavailable"], rolling["maxSurge"]];
  return [
    ...numberOrPercent(`${at}.maxUnavailable`, unavailable),
    ...numberOrPercent(`${at}.maxSurge`, surge),
    ...(valueOf(unavailable) === 0 && valueOf(surge) === 0
      ? [invalidField(`${at}.maxUnavailable`, unavailable, "may not be 0 when `maxSurge` is 0")]
      : []),
    ...percentAbove(`${at}.maxUnavailable`, unavailable),
  ];
}

function daemonStrategyErrors(strategy: MutableJsonObject, at: string): readonly FieldError[] {
  const rolling = objectIn(strategy, "rollingUpdate");
  switch (textIn(strategy, "type")) {
    case "OnDelete":
      return [];
    case "RollingUpdate":
      return rolling === undefined
        ? [requiredField(`${at}.rollingUpdate`)]
        : rollingDaemonErrors(rolling, `${at}.rollingUpdate`);
    default:
      return [unsupportedField(at, strategy, ["RollingUpdate", "OnDelete"])];
  }
}

function rollingDaemonErrors(rolling: MutableJsonObject, at: string): readonly FieldError[] {
  const [unavailable, surge] = [rolling["maxUnavailable"], rolling["maxSurge"]];
  const [hasUnavailable, hasSurge] = [valueOf(unavailable) !== 0, valueOf(surge) !== 0];
  return [
    ...numberOrPercent(`${at}.maxUnavailable`, unavailable),
    ...numberOrPercent(`${at}.maxSurge`, surge),
    ...percentAbove(`${at}.maxUnavailable`, unavailable),
    ...percentAbove(`${at}.maxSurge`, surge),
    ...(hasUnavailable && hasSurge
      ? [invalidField(`${at}.maxSurge`, surge, "may not be set when maxUnavailable is non-zero")]
      : []),
    ...(!hasUnavailable && !hasSurge ? [requiredField(`${at}.maxUnavailable`, "cannot be 0 when maxSurge is 0")] : []),
  ];
}

function managementErrors(policy: string): readonly FieldError[] {
  const field = "spec.podManagementPolicy";
  if (policy === "") return [requiredField(field)];
  return policy === "OrderedReady" || policy === "Parallel"
    ? []
    : [invalidField(field, policy, "must be 'OrderedReady' or 'Parallel'")];
}

function statefulStrategyErrors(strategy: MutableJsonObject, at: string): readonly FieldError[] {
  const rolling = objectIn(strategy, "rollingUpdate");
  switch (textIn(strategy, "type")) {
    case "":
      return [requiredField(at)];
    case "OnDelete":
      return rolling === undefined
        ? []
        : [invalidField(`${at}.rollingUpdate`, rolling, "only allowed for updateStrategy 'RollingUpdate'")];
    case "RollingUpdate":
      return [
        ...nonNegative(`${at}.rollingUpdate.partition`, numberIn(rolling, "partition")),
        ...unavailableErrors(rolling?.["maxUnavailable"], `${at}.rollingUpdate.maxUnavailable`),
      ];
    default:
      return [invalidField(at, strategy, "must be 'RollingUpdate' or 'OnDelete'")];
  }
}

// Servers without the feature drop it.
function unavailableErrors(value: unknown, field: string): readonly FieldError[] {
  if (value === undefined) return [];
  return [
    ...numberOrPercent(field, value),
    ...(valueOf(value) === 0 ? [invalidField(field, value, "cannot be 0")] : []),
    ...percentAbove(field, value),
  ];
}

function retentionErrors(policy: MutableJsonObject | undefined): readonly FieldError[] {
  if (policy === undefined) return [];
  const at = "spec.persistentVolumeClaimRetentionPolicy";
  return ["whenDeleted", "whenScaled"].flatMap((name) =>
    supportedText(`${at}.${name}`, textIn(policy, name), ["Retain", "Delete"]),
  );
}

function statefulTemplateErrors(
  spec: MutableJsonObject,
  claims: readonly MutableJsonObject[],
  former: MutableJsonObject | undefined,
): readonly FieldError[] {
  const selector = objectIn(spec, "selector");
  const template = objectIn(spec, "template") ?? {};
  const field = "spec.selector";
  const checked = templateWithClaims(template, claims);
  return [
    ...(selector === undefined ? [requiredField(field)] : labelSelectorErrors(selector, field)),
    ...(selector !== undefined && isEmpty(selector) ? [emptySelector(selector, "statefulset")] : []),
    ...(selectorIsReadable(selector)
      ? [
          ...(selector !== undefined && (isEmpty(selector) || selects(selector, template))
            ? []
            : [mismatch(labelsOf(template))]),
          ...podTemplateErrors(checked, "spec.template", former),
        ]
      : [invalidField(field, selector, "")]),
    ...permanentErrors(template, "StatefulSet"),
  ];
}

// Each Pod has its own host name, and volumes with the names of the claims.
function templateWithClaims(template: MutableJsonObject, claims: readonly MutableJsonObject[]): MutableJsonObject {
  const { subdomain: _subdomain, hostname: _hostname, ...spec } = objectIn(template, "spec") ?? {};
  if (claims.length === 0) return { ...template, spec };
  const names = [...new Set(claims.map((claim) => textIn(objectIn(claim, "metadata"), "name")))];
  const others = objectsIn(spec, "volumes").filter((volume) => !names.includes(textIn(volume, "name")));
  const volumes = names.map((name) => ({ name, persistentVolumeClaim: { claimName: name } }));
  return { ...template, spec: { ...spec, volumes: [...volumes, ...others] } };
}
