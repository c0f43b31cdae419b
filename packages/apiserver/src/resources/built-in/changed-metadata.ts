import type { GroupKind } from "@kubescaffold/k8s";

import { since } from "../../release/rule-release.ts";
import type { MetadataCheck } from "../strategy.ts";

/**
 * Returns the checks of metadata that the update of a built-in kind makes itself, in its order, beyond those of all kinds.
 *
 * Upstream, the update of some kinds calls the checks of a create, so that a problem is a cause once more.
 */
export function changedMetadataChecks({ group, kind }: GroupKind, subresource: string): readonly MetadataCheck[] {
  const name = group === "" ? kind : `${kind}.${group}`;
  if (subresource !== "") return STATUS_CHECKS[name] ?? CHANGES;
  if (name === "Job.batch" && since("1.37")) return CHANGES;
  if (name === "NetworkPolicy.networking.k8s.io" && since("1.36")) return CHANGES;
  return CHECKS[name] ?? CHANGES;
}

const CHANGES: readonly MetadataCheck[] = ["changes"];
const WHOLE: readonly MetadataCheck[] = ["whole"];
const CHANGES_FIRST: readonly MetadataCheck[] = ["changes", "whole"];
const WHOLE_FIRST: readonly MetadataCheck[] = ["whole", "changes"];
const WHOLE_TWICE: readonly MetadataCheck[] = ["whole", "whole"];

const CHECKS: Readonly<Record<string, readonly MetadataCheck[]>> = {
  ConfigMap: CHANGES_FIRST,
  Endpoints: CHANGES_FIRST,
  Event: [],
  LimitRange: WHOLE,
  Namespace: WHOLE_FIRST,
  Node: WHOLE_FIRST,
  PersistentVolume: WHOLE_TWICE,
  PersistentVolumeClaim: CHANGES_FIRST,
  Pod: CHANGES_FIRST,
  Secret: CHANGES_FIRST,
  ServiceAccount: CHANGES_FIRST,
  "ControllerRevision.apps": CHANGES_FIRST,
  "Job.batch": WHOLE_FIRST,
  "CertificateSigningRequest.certificates.k8s.io": WHOLE_FIRST,
  "ClusterTrustBundle.certificates.k8s.io": WHOLE_FIRST,
  "EndpointSlice.discovery.k8s.io": WHOLE,
  "FlowSchema.flowcontrol.apiserver.k8s.io": WHOLE,
  "IPAddress.networking.k8s.io": WHOLE_FIRST,
  "Ingress.networking.k8s.io": CHANGES_FIRST,
  "IngressClass.networking.k8s.io": CHANGES_FIRST,
  "MutatingAdmissionPolicy.admissionregistration.k8s.io": WHOLE,
  "MutatingAdmissionPolicyBinding.admissionregistration.k8s.io": WHOLE,
  "MutatingWebhookConfiguration.admissionregistration.k8s.io": WHOLE,
  "NetworkPolicy.networking.k8s.io": WHOLE_FIRST,
  "PodDisruptionBudget.policy": [],
  "PriorityLevelConfiguration.flowcontrol.apiserver.k8s.io": WHOLE,
  "ClusterRole.rbac.authorization.k8s.io": WHOLE_FIRST,
  "ClusterRoleBinding.rbac.authorization.k8s.io": WHOLE_FIRST,
  "Role.rbac.authorization.k8s.io": WHOLE_FIRST,
  "RoleBinding.rbac.authorization.k8s.io": WHOLE_FIRST,
  "DeviceClass.resource.k8s.io": WHOLE_FIRST,
  "ResourceClaim.resource.k8s.io": WHOLE_FIRST,
  "ResourceClaimTemplate.resource.k8s.io": WHOLE_FIRST,
  "RuntimeClass.node.k8s.io": WHOLE_FIRST,
  "CSINode.storage.k8s.io": WHOLE_TWICE,
  "CSIStorageCapacity.storage.k8s.io": WHOLE_FIRST,
  "StorageClass.storage.k8s.io": WHOLE_FIRST,
  "StorageVersionMigration.storagemigration.k8s.io": WHOLE_FIRST,
  "VolumeAttachment.storage.k8s.io": WHOLE,
  "VolumeAttributesClass.storage.k8s.io": CHANGES_FIRST,
  "ValidatingAdmissionPolicy.admissionregistration.k8s.io": WHOLE,
  "ValidatingAdmissionPolicyBinding.admissionregistration.k8s.io": WHOLE,
  "ValidatingWebhookConfiguration.admissionregistration.k8s.io": WHOLE,
};

// Of statuses and all other subresources.
const STATUS_CHECKS: Readonly<Record<string, readonly MetadataCheck[]>> = {
  "CertificateSigningRequest.certificates.k8s.io": WHOLE_FIRST,
  "CronJob.batch": [],
  "PodDisruptionBudget.policy": [],
  "VolumeAttachment.storage.k8s.io": WHOLE,
};
