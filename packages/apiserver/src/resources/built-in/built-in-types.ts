import { apiVersionOf, groupKindToString, type GroupVersionKind } from "@kubescaffold/k8s";
import type { BuiltInResource } from "@kubescaffold/k8s/schemas";

import type { Release } from "../../release/release.ts";
import { crdRules } from "../custom/crd-rules.ts";
import { loadOnce } from "../load-once.ts";
import { once, type ResourceType } from "../registry.ts";
import { createBuiltInStrategy } from "./built-in-strategy.ts";
import {
  mutatingBindingAlphaRules,
  mutatingBindingRules,
  policyBindingRules,
} from "./rules/admission/binding-rules.ts";
import { mutatingPolicyAlphaRules, mutatingPolicyRules, policyRules } from "./rules/admission/policy-rules.ts";
import { webhookConfigurationRules } from "./rules/admission/webhook-configuration-rules.ts";
import { apiServiceRules } from "./rules/api-service-rules.ts";
import { autoscalerV1Rules } from "./rules/autoscaler-v1-rules.ts";
import { cronJobRules, jobRules } from "./rules/batch-rules.ts";
import type { BuiltInRules } from "./rules/built-in-rules.ts";
import { podCertificateRules, signingRequestRules, trustBundleRules } from "./rules/certificate-rules.ts";
import {
  flowSchemaRules,
  namespaceRules,
  nodeRules,
  priorityClassRules,
  priorityLevelRules,
  runtimeClassRules,
  serviceAccountRules,
} from "./rules/cluster-rules.ts";
import { configMapRules, secretRules } from "./rules/config-rules.ts";
import { coreEventRules, eventRules, leaseRules } from "./rules/coordination-rules.ts";
import {
  deviceClassRules,
  deviceTaintRuleRules,
  resourceClaimRules,
  resourceClaimTemplateRules,
  resourceSliceRules,
} from "./rules/device-rules.ts";
import { limitRangeRules } from "./rules/limit-range-rules.ts";
import {
  addressRules,
  endpointSliceRules,
  endpointsRules,
  horizontalPodAutoscalerRules,
  ingressClassRules,
  ingressRules,
  networkPolicyRules,
  podDisruptionBudgetRules,
  serviceRangeRules,
} from "./rules/network-rules.ts";
import { podRules, podTemplateRules } from "./rules/pod-rules.ts";
import { roleBindingRules, roleRules } from "./rules/rbac-rules.ts";
import { resourceQuotaRules } from "./rules/resource-quota-rules.ts";
import { serviceRules } from "./rules/service-rules.ts";
import {
  attributesClassRules,
  claimRules,
  csiDriverRules,
  csiNodeRules,
  storageCapacityRules,
  storageClassRules,
  storageMigrationRules,
  volumeAttachmentRules,
  volumeRules,
} from "./rules/storage-rules.ts";
import {
  controllerRevisionRules,
  daemonSetRules,
  deploymentRules,
  replicaSetRules,
  replicationControllerRules,
  statefulSetRules,
} from "./rules/workload-rules.ts";

// Served in several groups or versions, stored in one place.
const SHARED_STORAGE: Readonly<Record<string, string>> = { "events.k8s.io/events": "" };

// Returns the version in which objects are stored.
function storedVersionOf({ since }: Release, { group, version, plural }: BuiltInResource): string {
  switch (`${group}/${plural}`) {
    case "autoscaling/horizontalpodautoscalers":
      return "v2";
    // Servers store what those of the minor version before them can read.
    case "admissionregistration.k8s.io/mutatingadmissionpolicies":
    case "admissionregistration.k8s.io/mutatingadmissionpolicybindings":
      if (since("1.37")) return "v1";
      return since("1.35") ? "v1beta1" : "v1alpha1";
    default:
      return version;
  }
}

// By API version and kind, with those of the minor version that deprecates them.
function deprecationsOf({ since }: Release): Readonly<Record<string, string>> {
  const policies = "admissionregistration.k8s.io/v1 MutatingAdmissionPolicy";
  const alpha = "is deprecated in v1.35+, unavailable in v1.38+";
  const beta = "is deprecated in v1.37+, unavailable in v1.40+; use";
  return {
    "v1 ComponentStatus": "is deprecated in v1.19+",
    "v1 Endpoints": "is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice",
    ...(since("1.35") && {
      "admissionregistration.k8s.io/v1alpha1 MutatingAdmissionPolicy": alpha,
      "admissionregistration.k8s.io/v1alpha1 MutatingAdmissionPolicyBinding": alpha,
    }),
    ...(since("1.37") && {
      "admissionregistration.k8s.io/v1beta1 MutatingAdmissionPolicy": `${beta} ${policies}`,
      "admissionregistration.k8s.io/v1beta1 MutatingAdmissionPolicyBinding": `${beta} ${policies}Binding`,
    }),
  };
}

/** Creates the resource types of all built-in kinds of a release, with those of group versions that are not served by default; their schemas are read on first use. */
export function builtInTypes(release: Release, gatedVersions: readonly string[] = []): readonly ResourceType[] {
  const { api } = release;
  const gated =
    gatedVersions.length === 0 ? [] : api.gatedResources().filter((each) => gatedVersions.includes(apiVersionOf(each)));
  const deprecations = deprecationsOf(release);
  return [...api.resources, ...gated].map((resource) => builtInType(release, resource, deprecations));
}

function builtInType(
  release: Release,
  resource: BuiltInResource,
  deprecations: Readonly<Record<string, string>>,
): ResourceType {
  const { group, version, plural, kind } = resource;
  const gvk = { group, version, kind };
  const versionedKind = `${apiVersionOf(gvk)} ${kind}`;
  const deprecation = deprecations[versionedKind];
  const subresources = resource.subresources.map(({ name }) => name);
  return {
    release,
    group,
    version,
    resource: plural,
    kind,
    listKind: `${kind}List`,
    singular: resource.singular,
    isNamespaced: resource.namespaced,
    isCustom: false,
    shortNames: resource.shortNames,
    categories: resource.categories,
    verbs: resource.verbs,
    subresources,
    subresourceTypes: resource.subresources,
    storedAs: { group: SHARED_STORAGE[`${group}/${plural}`] ?? group, resource: plural },
    storedVersion: storedVersionOf(release, resource),
    strategy: once(() =>
      createBuiltInStrategy(release, gvk, { rules: rulesOf(release, gvk), subresources: new Set(subresources) }),
    ),
    strategyOf: (other) =>
      release.api.definitionNameOf(other) === undefined ? undefined : createBuiltInStrategy(release, other),
    columns: loadOnce(async () => {
      const { builtInColumns } = await import("../table/built-in-columns.ts");
      return builtInColumns(release, gvk);
    }),
    ...(resource.verbs.includes("get") ? {} : { isVirtual: true }),
    ...(deprecation === undefined ? {} : { deprecationWarning: `${versionedKind} ${deprecation}` }),
  };
}

const NO_RULES: BuiltInRules = {};

const RULES: ReadonlyMap<string, BuiltInRules> = new Map<string, BuiltInRules>([
  ["ConfigMap", configMapRules],
  ["Endpoints", endpointsRules],
  ["Event", coreEventRules],
  ["Namespace", namespaceRules],
  ["Node", nodeRules],
  ["PersistentVolume", volumeRules],
  ["LimitRange", limitRangeRules],
  ["PersistentVolumeClaim", claimRules],
  ["Pod", podRules],
  ["PodTemplate", podTemplateRules],
  ["ReplicationController", replicationControllerRules],
  ["ResourceQuota", resourceQuotaRules],
  ["Secret", secretRules],
  ["Service", serviceRules],
  ["ServiceAccount", serviceAccountRules],
  ["APIService.apiregistration.k8s.io", apiServiceRules],
  ["ClusterRole.rbac.authorization.k8s.io", roleRules],
  ["ClusterRoleBinding.rbac.authorization.k8s.io", roleBindingRules],
  ["CertificateSigningRequest.certificates.k8s.io", signingRequestRules],
  ["CronJob.batch", cronJobRules],
  ["CustomResourceDefinition.apiextensions.k8s.io", crdRules],
  ["CSIDriver.storage.k8s.io", csiDriverRules],
  ["CSINode.storage.k8s.io", csiNodeRules],
  ["CSIStorageCapacity.storage.k8s.io", storageCapacityRules],
  ["ClusterTrustBundle.certificates.k8s.io", trustBundleRules],
  ["ControllerRevision.apps", controllerRevisionRules],
  ["DaemonSet.apps", daemonSetRules],
  ["DeviceClass.resource.k8s.io", deviceClassRules],
  ["Deployment.apps", deploymentRules],
  ["DeviceTaintRule.resource.k8s.io", deviceTaintRuleRules],
  ["EndpointSlice.discovery.k8s.io", endpointSliceRules],
  ["Event.events.k8s.io", eventRules],
  ["FlowSchema.flowcontrol.apiserver.k8s.io", flowSchemaRules],
  ["HorizontalPodAutoscaler.autoscaling", horizontalPodAutoscalerRules],
  ["IPAddress.networking.k8s.io", addressRules],
  ["Ingress.networking.k8s.io", ingressRules],
  ["IngressClass.networking.k8s.io", ingressClassRules],
  ["Job.batch", jobRules],
  ["Lease.coordination.k8s.io", leaseRules],
  ["MutatingAdmissionPolicy.admissionregistration.k8s.io", mutatingPolicyRules],
  ["MutatingAdmissionPolicyBinding.admissionregistration.k8s.io", mutatingBindingRules],
  ["MutatingWebhookConfiguration.admissionregistration.k8s.io", webhookConfigurationRules],
  ["NetworkPolicy.networking.k8s.io", networkPolicyRules],
  ["PodCertificateRequest.certificates.k8s.io", podCertificateRules],
  ["PodDisruptionBudget.policy", podDisruptionBudgetRules],
  ["PriorityLevelConfiguration.flowcontrol.apiserver.k8s.io", priorityLevelRules],
  ["PriorityClass.scheduling.k8s.io", priorityClassRules],
  ["ReplicaSet.apps", replicaSetRules],
  ["ResourceClaim.resource.k8s.io", resourceClaimRules],
  ["ResourceClaimTemplate.resource.k8s.io", resourceClaimTemplateRules],
  ["ResourceSlice.resource.k8s.io", resourceSliceRules],
  ["Role.rbac.authorization.k8s.io", roleRules],
  ["RoleBinding.rbac.authorization.k8s.io", roleBindingRules],
  ["RuntimeClass.node.k8s.io", runtimeClassRules],
  ["ServiceCIDR.networking.k8s.io", serviceRangeRules],
  ["StatefulSet.apps", statefulSetRules],
  ["StorageClass.storage.k8s.io", storageClassRules],
  ["StorageVersionMigration.storagemigration.k8s.io", storageMigrationRules],
  ["ValidatingAdmissionPolicy.admissionregistration.k8s.io", policyRules],
  ["ValidatingAdmissionPolicyBinding.admissionregistration.k8s.io", policyBindingRules],
  ["ValidatingWebhookConfiguration.admissionregistration.k8s.io", webhookConfigurationRules],
  ["VolumeAttachment.storage.k8s.io", volumeAttachmentRules],
  ["VolumeAttributesClass.storage.k8s.io", attributesClassRules],
]);

// Rules of versions that are converted when they are stored.
const VERSION_RULES: ReadonlyMap<string, BuiltInRules> = new Map<string, BuiltInRules>([
  ["v1/HorizontalPodAutoscaler.autoscaling", autoscalerV1Rules],
  ["v1alpha1/MutatingAdmissionPolicy.admissionregistration.k8s.io", mutatingPolicyAlphaRules],
  ["v1alpha1/MutatingAdmissionPolicyBinding.admissionregistration.k8s.io", mutatingBindingAlphaRules],
]);

// What the release decides once and for all.
const RELEASE_RULES: ReadonlyMap<string, (release: Release) => BuiltInRules> = new Map([
  ["Service", ({ isEnabled }) => (isEnabled("RelaxedServiceNameValidation") ? { nameRule: "label" } : NO_RULES)],
  [
    "HorizontalPodAutoscaler.autoscaling",
    ({ isEnabled }) => (isEnabled("HPAGeneration") ? { generationFields: ["spec"] } : NO_RULES),
  ],
]);

/** Returns the rules of a built-in kind in a release. */
function rulesOf(release: Release, gvk: GroupVersionKind): BuiltInRules {
  const kind = groupKindToString(gvk);
  const rules = VERSION_RULES.get(`${gvk.version}/${kind}`) ?? RULES.get(kind) ?? NO_RULES;
  const own = RELEASE_RULES.get(kind)?.(release);
  return own === undefined ? rules : { ...rules, ...own };
}
