/**
 * The embedded API server: {@link createApiServer} makes an {@link ApiServer}, whose parts (authenticators, authorizer, admission plugins,
 * controllers) are factories that get a {@link ServerContext}.
 */
export { ServiceAccountKeyError, type ServiceAccountKeys } from "./authentication/service-account-keys.ts";
export { AUTHORIZATION_MODES, type AuthorizationMode } from "./authorization/authorization-modes.ts";
export { AuditPolicyError } from "./audit/check-policy.ts";
export { AuditLogError } from "./audit/audit-file.ts";
export type { AuditEvent, AuditObjectReference, AuditUser } from "./audit/audit-event.ts";
export type {
  AuditGroupResources,
  AuditLevel,
  AuditPolicy,
  AuditPolicyRule,
  AuditStage,
} from "./audit/audit-policy.ts";
export type { AuditOptions } from "./audit/request-log.ts";
export type { AuditBatchOptions } from "./audit/event-batches.ts";
export type { AuditEventList, AuditWebhookMode, AuditWebhookOptions } from "./audit/audit-webhook.ts";
export type { BackendHandler } from "./aggregation/backend-client.ts";
export {
  type EventLimit,
  type EventLimitType,
  EventRateLimitConfigurationError,
  type EventRateLimitOptions,
} from "./admission/event-rate-limit/event-rate-limit-options.ts";
export {
  PodSecurityConfigurationError,
  type PodSecurityOptions,
} from "./admission/pod-security/pod-security-configuration.ts";
export type { AdmissionOptions, ExtraAdmissionPlugin, OptionalAdmissionPlugin } from "./server/admission-plugins.ts";
export type { ControlPlaneComponent } from "./handlers/component-statuses.ts";
export type { CertificateTerms } from "./pipeline/request-signer.ts";
export type {
  AdmissionAttributes,
  AdmissionOperation,
  AdmissionPlugin,
  AuthenticationResult,
  Authenticator,
  AuthorizationAttributes,
  AuthorizationDecision,
  Authorizer,
  PodStreams,
  VirtualCreate,
  VirtualResource,
} from "./pipeline/extension-points.ts";
export type {
  InProcessController,
  InternalClient,
  InternalPatch,
  ObjectTarget,
  ServerContext,
} from "./pipeline/server-context.ts";
export type { RequestInfo, UserInfo, Verb } from "./request/request-context.ts";
export type { ClientCertificate, ServerRequest } from "./request/server-request.ts";
export type { ResourceCatalog, ServedResource } from "./resources/registry.ts";
export type * from "./server/api-server.ts";
export type { ObjectHistoryLimits, ObjectVersion, ObjectVersions } from "./server/object-history.ts";
export type { QuietOptions, Rest } from "./server/writes/quiet.ts";
export { NotQuietError, WriteCycleError, type WrittenObject } from "./server/writes/quiet-errors.ts";
export type { RequestLimits } from "./server/request-limits.ts";
export type { WriteAuthor } from "./server/writes/request-writes.ts";
export type { ServerView } from "./server/server-view.ts";
export type { StoredChange, StoredWrite, WriteMatch } from "./server/writes/stored-write.ts";
export type { WriteHook, WriteOutcome } from "./server/writes/write-hooks.ts";
export type { FeatureGate } from "./release/release.ts";
export { serverRelease, type ServerRelease } from "./release/selected-release.ts";
export { SERVER_VERSION, type ServerVersion } from "./release/server-version.ts";
export { createApiServer } from "./server/create-api-server.ts";
export type { ApiObject } from "./storage/api-object.ts";
export type { PortRange } from "./resources/strategy.ts";
export { ServiceRangeError } from "./service-network/service-ranges.ts";
export { CorruptStateError, NewerStateError, StateLockedError } from "./storage/persistence/errors.ts";
export type { ObjectReader, StoreEvent } from "./storage/object-reader.ts";
