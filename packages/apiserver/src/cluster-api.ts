/**
 * What the parts of a cluster see of the API server: controllers, the scheduler, simulated kubelets, and the cluster that is composed of them.
 *
 * Only `@kubescaffold/cluster` imports it.
 */
export { requestedSize } from "./admission/resize.ts";
export { defaultClass, hasClass } from "./admission/default-storage-class.ts";
export { SYSTEM_PRIORITY_CLASSES } from "./admission/priority.ts";
export { type Amounts, hasSameAmounts, maskAmounts, sumAmounts } from "./admission/resource-quota/amounts.ts";
export { evaluatorOf, resourceOfName, scopesOf } from "./admission/resource-quota/evaluators.ts";
export { apiAggregator } from "./aggregation/aggregator.ts";
export { API_SERVICES } from "./aggregation/api-services.ts";
export { BackendClient, type BackendHandler, type ClientPair } from "./aggregation/backend-client.ts";
export type { BackendFinder } from "./aggregation/routes.ts";
export type { AuditOptions } from "./audit/request-log.ts";
export { FRONT_PROXY_USER } from "./authentication/authentication-trust.ts";
export { authenticationReviews } from "./authentication/authentication-reviews.ts";
export { clientCertificates, serviceAccounts, StaticTokens } from "./authentication/authenticators.ts";
export { issuerDocument } from "./authentication/issuer-discovery.ts";
export { persistedSecret, restoredSecret } from "./authentication/persisted-secret.ts";
export { pemKeys, secretKey, type ServiceAccountKeys } from "./authentication/service-account-keys.ts";
export { ServiceAccountTokenSigner } from "./authentication/service-account-token.ts";
export { issueToken, tokenRequests } from "./authentication/token-request.ts";
export { accessReviews } from "./authorization/access-reviews.ts";
export { type AuthorizationMode, authorizerOf } from "./authorization/authorization-modes.ts";
export { bootstrapPolicy, type ControllerPolicy } from "./authorization/bootstrap-policy.ts";
export { selfSubjectRulesReview } from "./authorization/rules-review.ts";
export {
  type Controller,
  type ControllerIdentity,
  defineController,
  EVENT_RULE,
  type ObjectDemand,
  serviceAccountUser,
} from "./controllers/define-controller.ts";
export { KeyedWorker } from "./controllers/keyed-worker.ts";
export { PublishedValue } from "./controllers/published-value.ts";
export { storeController, storedResources, targetOf } from "./controllers/store-controller.ts";
export { isInRange } from "./release/minor-range.ts";
export type { Release } from "./release/release.ts";
export { selectedRelease } from "./release/selected-release.ts";
export { flowClassifier } from "./flow-control/flow-classifier.ts";
export type { ControlPlaneComponent } from "./handlers/component-statuses.ts";
export { connectionPair } from "./http/connection-pair.ts";
export type { ServiceAddress, ServiceResolver, ServiceTarget } from "./http/service-address.ts";
export { WebhookClient } from "./http/webhook-client.ts";
export { type Aggregator, checkPermission, type PodStreams } from "./pipeline/extension-points.ts";
export type { CertificateTerms, ReadRequest, RequestSigner } from "./pipeline/request-signer.ts";
export type { InProcessController, InternalClient, ObjectTarget, ServerContext } from "./pipeline/server-context.ts";
export {
  badRequest,
  failure,
  forbidden,
  internalError,
  invalid,
  throwNoContainer,
  throwNoStream,
} from "./request/failures.ts";
export { KUBELET_PREFIX, KUBELETS } from "./request/kubelet-names.ts";
export { ADMIN, proxiedPath, queryFlag, type RequestContext, type UserInfo } from "./request/request-context.ts";
export {
  type MessageSocket,
  type ResponseSink,
  servableStatus,
  type ServerRequest,
  type ServerResponse,
} from "./request/server-request.ts";
export { isWebSocketRequest, webSocketProtocols } from "./request/web-socket-request.ts";
export {
  addressBytes,
  addressFamily,
  addressNumber,
  addressOfNumber,
  canonicalAddress,
  hostAndPort,
} from "./resources/address-ranges.ts";
export { attributesClassNames } from "./resources/attributes-class-names.ts";
export { familyOf, type IpFamily } from "./resources/built-in/rules/core/service-ranges.ts";
export {
  budgetConditions,
  BUDGETS,
  type BudgetStatus,
  DISRUPTION_ALLOWED,
  DISRUPTION_TARGET,
  isDisruptionTarget,
  selectsPod,
  SYNC_FAILED,
} from "./resources/disruption-budgets.ts";
export { numberOf } from "./resources/fields.ts";
export { loadOnce } from "./resources/load-once.ts";
export { FOREGROUND_FINALIZER, ORPHAN_FINALIZER } from "./resources/object-meta.ts";
export { claimNames, ephemeralClaimName } from "./resources/pod-references.ts";
export type { ServedResource } from "./resources/registry.ts";
export { parseSelection } from "./resources/selection.ts";
export type { PortRange } from "./resources/strategy.ts";
export type { AdmissionOptions } from "./server/admission-plugins.ts";
export { admissionOf } from "./server/admission.ts";
export type {
  ApiServer,
  ApiServerOptions,
  Factory,
  FeatureGates,
  Listener,
  ListenTls,
  RecordedObject,
} from "./server/api-server.ts";
export { bootstrapObjects, controllerServiceAccounts } from "./server/bootstrap-objects.ts";
export { assembleServer } from "./server/create-api-server.ts";
export type { ObjectHistoryLimits, ObjectVersions } from "./server/object-history.ts";
export { podBindings } from "./server/pod-binding.ts";
export { podEvictions } from "./server/pod-evictions.ts";
export type { RequestLimits } from "./server/request-limits.ts";
export { type ServerBase, withServerBase } from "./server/server-base.ts";
export { SERVER_CONTROLLERS, type ServerControllerParts } from "./server/server-controllers.ts";
export { addressLabels, IP_ADDRESSES, SERVICE_RANGES } from "./service-network/address-resources.ts";
export { serverAddress, serviceNetwork } from "./service-network/kubernetes-service.ts";
export type { ServerView } from "./server/server-view.ts";
export type { ServerAddress } from "./service-network/server-endpoints.ts";
export { readServiceRanges } from "./service-network/service-ranges.ts";
export type { ApiObject, JsonObject } from "./storage/api-object.ts";
export { keyOf, splitKey } from "./storage/object-key.ts";
export type { ObjectReader, StoreEvent } from "./storage/object-reader.ts";
export { type LabelMatcher, storedLabelsMatcher, storedSelectorMatcher } from "./storage/stored-selectors.ts";
