import type { Row } from "../row.ts";
import { ACCESS_ROWS } from "./access.ts";
import { ADMISSION_ROWS } from "./admission.ts";
import { API_SERVICE_ROWS } from "./api-services.ts";
import { APPLY_SCALE_ROWS } from "./apply-scale.ts";
import { AUTOSCALING_ROWS } from "./autoscaling.ts";
import { BINDING_ROWS } from "./bindings.ts";
import { BODY_KIND_ROWS } from "./body-kinds.ts";
import { BOOTSTRAP_OBJECT_ROWS } from "./bootstrap-objects.ts";
import { BOUND_TOKEN_ROWS } from "./bound-tokens.ts";
import { CBOR_ROWS } from "./cbor.ts";
import { CERTIFICATE_ADMISSION_ROWS } from "./certificate-admission.ts";
import { CERTIFICATE_ROWS } from "./certificates.ts";
import { CHANGED_METADATA_ROWS } from "./changed-metadata.ts";
import { CONNECT_ROWS } from "./connects.ts";
import { CONTROLLER_ROWS } from "./controllers.ts";
import { CONVERSION_ANSWER_ROWS } from "./conversion-answers.ts";
import { CONVERSION_FAILURE_ROWS } from "./conversion-failures.ts";
import { CONVERSION_ROWS } from "./conversions.ts";
import { CREATE_AND_READ_ROWS } from "./create-and-read.ts";
import { CREATE_VERSION_ROWS } from "./creates-with-versions.ts";
import { DAEMON_SET_ROWS } from "./daemon-sets.ts";
import { DEEP_CONVERSION_ROWS } from "./deep-conversions.ts";
import { DEFAULT_STORAGE_CLASS_ROWS } from "./default-storage-class.ts";
import { DEFINITION_CHECK_ROWS } from "./definition-checks.ts";
import { DEFINITION_ROWS } from "./definitions.ts";
import { DELETE_VERSION_ROWS } from "./deletes-with-versions.ts";
import { DEVICE_ROWS } from "./devices.ts";
import { DISRUPTION_ROWS } from "./disruptions.ts";
import { DRY_RUN_VERSION_ROWS } from "./dry-runs-in-versions.ts";
import { EMPTIED_FIELDS_ROWS } from "./emptied-fields.ts";
import { EMPTIED_METADATA_ROWS } from "./emptied-metadata.ts";
import { EMPTY_TEXT_ROWS } from "./empty-texts.ts";
import { ENDPOINT_ROWS } from "./endpoints.ts";
import { EQUIVALENT_VERSION_ROWS } from "./equivalent-versions.ts";
import { ESCALATION_ROWS } from "./escalation.ts";
import { EVENT_ROWS } from "./events.ts";
import { EVICTION_ROWS } from "./evictions.ts";
import { FIRST_CONSUMER_ROWS } from "./first-consumers.ts";
import { FIRST_OBJECT_ROWS } from "./first-objects.ts";
import { FLOW_CONTROL_ROWS } from "./flow-control.ts";
import { FOREIGN_OWNER_ROWS } from "./foreign-owners.ts";
import { IMMUTABLE_FIELDS_ROWS } from "./immutable-fields.ts";
import { INGRESS_ROWS } from "./ingresses.ts";
import { JOB_INDEX_ROWS } from "./job-indexes.ts";
import { JOB_STATUS_ROWS } from "./job-status.ts";
import { JOB_ROWS } from "./jobs.ts";
import { KUBECTL_ROWS } from "./kubectl.ts";
import { LARGE_INTEGER_ROWS } from "./large-integers.ts";
import { LESSER_WRITE_ROWS } from "./lesser-writes.ts";
import { LIMIT_RANGE_ROWS } from "./limit-ranges.ts";
import { LIST_ROWS } from "./lists.ts";
import { MANAGED_FIELDS_ROWS } from "./managed-fields.ts";
import { MATCH_CONDITION_ROWS } from "./match-conditions.ts";
import { MISSING_OBJECT_ROWS } from "./missing-objects.ts";
import { NAME_AND_OPTION_ROWS } from "./names-and-options.ts";
import { NAMESPACE_CONTENT_ROWS } from "./namespace-content.ts";
import { NODE_ANNOTATION_ROWS } from "./node-annotations.ts";
import { NODE_LIFECYCLE_ROWS } from "./node-lifecycle.ts";
import { OUTDATED_OBJECT_ROWS } from "./outdated-objects.ts";
import { OWNER_VERSION_ROWS } from "./owner-versions.ts";
import { OWNERSHIP_ROWS } from "./ownership.ts";
import { PATCH_ROWS } from "./patches.ts";
import { POD_RESIZE_ROWS } from "./pod-resizes.ts";
import { POD_SECURITY_ROWS } from "./pod-security.ts";
import { POLICY_ROWS } from "./policies.ts";
import { POLICY_OBJECT_ROWS } from "./policy-objects.ts";
import { POLICY_PARAM_ROWS } from "./policy-params.ts";
import { POLICY_STATUS_ROWS } from "./policy-status.ts";
import { PRINTED_OBJECT_ROWS } from "./printed-objects.ts";
import { PRIORITY_ROWS } from "./priorities.ts";
import { QUOTED_OBJECT_ROWS } from "./quoted-objects.ts";
import { READING_ROWS } from "./readings.ts";
import { RESOURCE_QUOTA_ROWS } from "./resource-quotas.ts";
import { RULE_ROWS } from "./rules.ts";
import { RUNTIME_CLASS_ROWS } from "./runtime-classes.ts";
import { SCHEDULING_ROWS } from "./scheduling.ts";
import { SCHEMA_ROWS } from "./schemas.ts";
import { APPLY_ROWS } from "./server-side-apply.ts";
import { SERVICE_RANGE_ROWS } from "./service-ranges.ts";
import { SEVERAL_ERRORS_ROWS } from "./several-errors.ts";
import { STATEFUL_SET_ROWS } from "./stateful-sets.ts";
import { STATUS_DEFAULT_ROWS } from "./status-defaults.ts";
import { STATUS_VALIDATION_ROWS } from "./status-validation.ts";
import { STRATEGIC_PATCH_ROWS } from "./strategic-patches.ts";
import { STRICTNESS_ROWS } from "./strictness.ts";
import { UNTYPED_APPLY_ROWS } from "./untyped-applies.ts";
import { UPDATE_AND_DELETE_ROWS } from "./update-and-delete.ts";
import { VOLUME_EXPANSION_ROWS } from "./volume-expansion.ts";
import { VOLUME_ROWS } from "./volumes.ts";
import { WARNING_ROWS } from "./warnings.ts";
import { WATCH_SOCKET_ROWS } from "./watch-sockets.ts";
import { WATCH_ROWS } from "./watches.ts";
import { WEBHOOK_ADDRESS_ROWS } from "./webhook-addresses.ts";
import { WEBHOOK_ANSWER_ROWS } from "./webhook-answers.ts";
import { WEBHOOK_TRANSPORT_ROWS } from "./webhook-transports.ts";

/** Reads, writes, patches, applies, watches, and the kinds of the API itself. */
export const API_ROWS: readonly Row[] = [
  ...CREATE_AND_READ_ROWS,
  ...UPDATE_AND_DELETE_ROWS,
  ...WATCH_ROWS,
  ...WATCH_SOCKET_ROWS,
  ...PATCH_ROWS,
  ...APPLY_ROWS,
  ...APPLY_SCALE_ROWS,
  ...UNTYPED_APPLY_ROWS,
  ...OUTDATED_OBJECT_ROWS,
  ...OWNER_VERSION_ROWS,
  ...MANAGED_FIELDS_ROWS,
  ...DRY_RUN_VERSION_ROWS,
  ...EMPTIED_FIELDS_ROWS,
  ...EMPTIED_METADATA_ROWS,
  ...IMMUTABLE_FIELDS_ROWS,
  ...CHANGED_METADATA_ROWS,
  ...EMPTY_TEXT_ROWS,
  ...SEVERAL_ERRORS_ROWS,
  ...NAME_AND_OPTION_ROWS,
  ...SCHEMA_ROWS,
  ...DEFINITION_CHECK_ROWS,
  ...DEFINITION_ROWS,
  ...LIST_ROWS,
  ...PRINTED_OBJECT_ROWS,
  ...QUOTED_OBJECT_ROWS,
  ...FIRST_OBJECT_ROWS,
  ...CREATE_VERSION_ROWS,
  ...CBOR_ROWS,
  ...LESSER_WRITE_ROWS,
  ...STATUS_DEFAULT_ROWS,
  ...STATUS_VALIDATION_ROWS,
  ...STRATEGIC_PATCH_ROWS,
  ...STRICTNESS_ROWS,
  ...BOOTSTRAP_OBJECT_ROWS,
  ...LARGE_INTEGER_ROWS,
  ...DELETE_VERSION_ROWS,
  ...NODE_ANNOTATION_ROWS,
  ...READING_ROWS,
  ...WARNING_ROWS,
].sort(byNumber);

/** What requests pass on their way: authentication, authorization, admission, conversion, and proxies. */
export const GUARD_ROWS: readonly Row[] = [
  ...RESOURCE_QUOTA_ROWS,
  ...RULE_ROWS,
  ...RUNTIME_CLASS_ROWS,
  ...DEFAULT_STORAGE_CLASS_ROWS,
  ...CONVERSION_ANSWER_ROWS,
  ...CONVERSION_FAILURE_ROWS,
  ...CONVERSION_ROWS,
  ...DEEP_CONVERSION_ROWS,
  ...EQUIVALENT_VERSION_ROWS,
  ...LIMIT_RANGE_ROWS,
  ...ACCESS_ROWS,
  ...CONNECT_ROWS,
  ...BOUND_TOKEN_ROWS,
  ...ESCALATION_ROWS,
  ...ADMISSION_ROWS,
  ...WEBHOOK_ADDRESS_ROWS,
  ...WEBHOOK_ANSWER_ROWS,
  ...WEBHOOK_TRANSPORT_ROWS,
  ...API_SERVICE_ROWS,
  ...CERTIFICATE_ADMISSION_ROWS,
  ...FLOW_CONTROL_ROWS,
  ...MATCH_CONDITION_ROWS,
  ...POD_SECURITY_ROWS,
  ...POLICY_ROWS,
  ...POLICY_OBJECT_ROWS,
  ...POLICY_STATUS_ROWS,
  ...POLICY_PARAM_ROWS,
  ...BODY_KIND_ROWS,
].sort(byNumber);

/** What lives in a cluster: controllers, the scheduler, nodes, and kubectl. */
export const CLUSTER_ROWS: readonly Row[] = [
  ...PRIORITY_ROWS,
  ...DAEMON_SET_ROWS,
  ...NODE_LIFECYCLE_ROWS,
  ...MISSING_OBJECT_ROWS,
  ...SCHEDULING_ROWS,
  ...ENDPOINT_ROWS,
  ...FOREIGN_OWNER_ROWS,
  ...NAMESPACE_CONTENT_ROWS,
  ...POD_RESIZE_ROWS,
  ...EVENT_ROWS,
  ...EVICTION_ROWS,
  ...DISRUPTION_ROWS,
  ...AUTOSCALING_ROWS,
  ...CERTIFICATE_ROWS,
  ...SERVICE_RANGE_ROWS,
  ...CONTROLLER_ROWS,
  ...INGRESS_ROWS,
  ...JOB_ROWS,
  ...JOB_INDEX_ROWS,
  ...JOB_STATUS_ROWS,
  ...OWNERSHIP_ROWS,
  ...STATEFUL_SET_ROWS,
  ...KUBECTL_ROWS,
  ...VOLUME_ROWS,
  ...FIRST_CONSUMER_ROWS,
  ...VOLUME_EXPANSION_ROWS,
  ...DEVICE_ROWS,
  ...BINDING_ROWS,
].sort(byNumber);

/** Every row that is tested, by number. */
export const ALL_ROWS: readonly Row[] = [...API_ROWS, ...GUARD_ROWS, ...CLUSTER_ROWS].sort(byNumber);

function byNumber(left: Row, right: Row): number {
  return left.row - right.row;
}
