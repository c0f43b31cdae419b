/**
 * Runs Kubernetes operators: clients, caches, workqueues, controllers, the manager that starts and stops them, and webhooks.
 */
import "./node-version/check-node.ts";

export { loggerFromContext, withLogger } from "./log/call-scope.ts";
export * from "./log/context-values.ts";
export * from "./log/log-flags.ts";
export {
  createLogger,
  createRecordingLogger,
  type LogFields,
  type Logger,
  type LogRecord,
  type LogSink,
  type RecordingLogger,
  silentLogger,
} from "./log/logger.ts";
export * from "./log/pino-logger.ts";
export * from "./log/root-logger.ts";
export * from "./observe/observer.ts";
export { type ObservationsMessage, readObservationsMessage } from "./observe/parent-process.ts";
export { redactSecrets } from "./observe/redact-secrets.ts";
export * from "./json-path/errors.ts";
export * from "./json-path/json-path.ts";
export * as metrics from "./metrics/metrics.ts";
export { WaitTimeoutError } from "./wait/errors.ts";
export * as wait from "./wait/wait.ts";
export * as retry from "./retry/retry.ts";
export type { HttpHandler } from "./http-server/http-handler.ts";
export * as workqueue from "./workqueue/workqueue.ts";
export * from "./workqueue/errors.ts";
export { persistAuthProviderConfig } from "./config/auth-provider-config.ts";
export * from "./config/errors.ts";
export * from "./config/get-config.ts";
export * from "./config/kubeconfig.ts";
export * from "./config/kubeconfig-entries.ts";
export {
  printKubeconfig,
  readKubeconfigFile,
  type ReadKubeconfigOptions,
  writeKubeconfigFile,
} from "./config/kubeconfig-file.ts";
export type { KubeconfigLockOptions } from "./config/kubeconfig-lock.ts";
export {
  defaultKubeconfigFile,
  kubeconfigPaths,
  type KubeconfigPathsOptions,
  loadingPrecedence,
  type PathOptions,
  readKubeconfig,
} from "./config/kubeconfig-paths.ts";
export * from "./config/local-paths.ts";
export * from "./config/modify-kubeconfig.ts";
export * from "./config/rest-config-of.ts";
export {
  AnswerTooLargeError,
  ClientClosedError,
  ConnectionError,
  type ConnectionFailure,
  ExecCredentialError,
  InvalidRestConfigError,
  OidcError,
  RequestTimeoutError,
  ServerSilentError,
  TokenFileError,
  UnreadableAnswerError,
  UnreadableEventError,
} from "./rest/errors.ts";
export type { ReadList } from "./rest/list-reader.ts";
export { type RequestLogDetail, requestLogDetails } from "./rest/request-log.ts";
export { createWarningLogger, parseWarnings, type ServerWarning, type WarningHandler } from "./rest/headers.ts";
export {
  createRestClient,
  type RestAnswer,
  type RestClient,
  type RestClientOptions,
  type RestRequest,
} from "./rest/rest-client.ts";
export { type HealthCheck, ping } from "./healthz/health-handler.ts";
export * from "./discovery/discovery-client.ts";
export {
  type CachedDiscoveryClient,
  createDiskCachedDiscovery,
  type DiskCachedDiscoveryOptions,
} from "./discovery/cached-discovery.ts";
export * from "./discovery/composed-rest-mappers.ts";
export * from "./discovery/default-rest-mapper.ts";
export * from "./discovery/errors.ts";
export * from "./discovery/expanders.ts";
export * from "./discovery/open-api.ts";
export type { PartialResource } from "./discovery/partial-resource.ts";
export * from "./discovery/rest-mapper.ts";
export * from "./discovery/rest-mapping.ts";
export * from "./client/client.ts";
export * from "./client/create-client.ts";
export { editable } from "./client/editable.ts";
export * from "./client/errors.ts";
export * from "./client/metadata-client.ts";
export * from "./client/namespaced-client.ts";
export * from "./client/object-reference.ts";
export * from "./client/options.ts";
export type {
  PartialObjectMetadata,
  ReadObject,
  Stored,
  StoredMetadata,
  StoredNamespace,
  WholeObject,
} from "./client/partial-object.ts";
export type { JsonPatchStep, MergeFromOptions, Patch, PatchType } from "./client/patch.ts";
export { type CallQuery, fieldSelectorOf, labelSelectorOf, selectionQuery, writeQuery } from "./client/requests.ts";
export * from "./client/resource-clients.ts";
export * from "./client/upgrade-managed-fields.ts";
export {
  cachedClient,
  type CachedReads,
  dryRunClient,
  interceptedClient,
  type Interceptor,
  type Interceptors,
  type SubResourceInterceptor,
  withFieldOwner,
  withFieldValidation,
} from "./client/wrapped-clients.ts";
export * as patch from "./client/patches.ts";
export { InvalidPageBufferError } from "./pager/errors.ts";
export * as pager from "./pager/pager.ts";
export * from "./expansions/pod-logs.ts";
export * from "./expansions/pods.ts";
export * from "./expansions/subresources.ts";
export * from "./expansions/user-of.ts";
export * from "./streams/errors.ts";
export type { CopyOptions, CopyProgress, CopyResult } from "./streams/copy-command.ts";
export * from "./streams/copy-from-pod.ts";
export * from "./streams/copy-to-pod.ts";
export * from "./streams/port-forward.ts";
export * from "./streams/remote-command.ts";
export * from "./recorder/event-broadcaster.ts";
export * from "./recorder/event-fields.ts";
export type { EventRecorder, RecordedEvent } from "./recorder/event-recorder.ts";
export * from "./recorder/spam-filter.ts";
export * from "./controllerutil/errors.ts";
export * as controllerutil from "./controllerutil/controllerutil.ts";
export * as semantic from "./client/semantic.ts";
export * from "./event/event.ts";
export * from "./reconcile/reconcile.ts";
export { ReturnedValueError } from "./reconcile/returned-value.ts";
export * from "./finalizer/finalizers.ts";
export type { Predicate } from "./predicate/predicate.ts";
export * as predicate from "./predicate/predicate.ts";
export type {
  Cache,
  CacheOptions,
  CacheScope,
  FieldIndexer,
  GetInformerOptions,
  KindScope,
  NamespaceScopes,
} from "./cache/cache.ts";
export * from "./cache/errors.ts";
export type { Indexers, IndexFunction, Lister } from "./cache/indexer.ts";
export * from "./cache/informer-cache.ts";
export * from "./cache/informer.ts";
export { createListWatch, type ListWatch, type ListWatchScope } from "./cache/list-watch.ts";
export * from "./cache/reflector.ts";
export * from "./cache/shared-informer.ts";
export * from "./stores/delta-fifo.ts";
export * from "./stores/errors.ts";
export * from "./stores/expiration-store.ts";
export * from "./stores/indexed-store.ts";
export * from "./stores/mutation-cache.ts";
export type {
  InformerFactory,
  InformerFactoryOptions,
  InformerSync,
  InformerWithLister,
} from "./informers/informer-factory.ts";
export * from "./informers/resource-informer-factory.ts";
export * from "./informers/shared-informer-factory.ts";
export * from "./watch-tools/errors.ts";
export * from "./watch-tools/retry-watcher.ts";
export * from "./watch-tools/until.ts";
export * from "./watch-tools/until-with-sync.ts";
export type { EventHandler, Handled, HandlerContext } from "./handler/event-handler.ts";
export * as handler from "./handler/handler.ts";
export * from "./certificates/certificate-request.ts";
export * from "./certificates/errors.ts";
export { selfManaged, type SelfManaged, type SelfManagedOptions } from "./certificates/self-managed.ts";
export { selfManagedFromEnv, type SelfManagedEnvOptions } from "./certificates/self-managed-from-env.ts";
export * from "./storage-migration/errors.ts";
export {
  storageMigration,
  type StorageMigration,
  type StorageMigrationOptions,
} from "./storage-migration/storage-migration.ts";
export {
  type DefinitionMigration,
  migrateDefinition,
  type MigrationPace,
  type MigrationResult,
} from "./storage-migration/migrate-definition.ts";
export {
  type MigrationProgress,
  type MigrationRecord,
  progressInMemory,
} from "./storage-migration/migration-progress.ts";
export type { ConversionService } from "./storage-migration/conversion-replicas.ts";
export type { DefinitionState } from "./storage-migration/definition-state.ts";
export type { RefusedObject, RewriteCounts } from "./storage-migration/rewrite-objects.ts";
export type { InjectionNames } from "./certificates/injection-targets.ts";
export { createSelfSignedPair, type SelfSignedPair } from "./certificates/self-signed-certificate.ts";
export type { Source, SourceContext } from "./source/source.ts";
export * as source from "./source/sources.ts";
export {
  type DependentContext,
  type DependentOptions,
  dependent,
  type Dependent,
  type DependentObjects,
  type Dependents,
  type DesiredFields,
} from "./dependents/dependent.ts";
export {
  type DependentsOptions,
  dependentsReconciler,
  type DependentsReconcilerOptions,
} from "./dependents/dependents-reconciler.ts";
export * from "./dependents/errors.ts";
export type { DependentState, DependentStates, OwnerStatus, StatusFields } from "./dependents/owner-status.ts";
export {
  type Defaulter,
  type DefaulterOptions,
  RefusalWithWarnings,
  type ValidationOutcome,
  type Validator,
  type Warnings,
} from "./webhook/admission/admission-handlers.ts";
export type { AdmissionContext, AdmissionHandler } from "./webhook/admission/admission-response.ts";
export * from "./webhook/conversion-registry.ts";
export * from "./webhook/conversion/lossless-converter.ts";
export * from "./webhook/conversion/conversion-webhook.ts";
export * from "./webhook/errors.ts";
export type { WebhookContextFunction, WebhookHandler, WebhookServing } from "./webhook/webhook-handler.ts";
export * from "./webhook/webhook-server.ts";
export * as admission from "./webhook/admission/admission.ts";
export * as authentication from "./webhook/authentication/authentication.ts";
export * as authorization from "./webhook/authorization/authorization.ts";
export * as schedulerExtender from "./webhook/scheduler-extender/scheduler-extender.ts";
export * from "./webhook/certificate-watcher.ts";
export * from "./leader-election/errors.ts";
export { type LeaderHealthzAdaptor, newLeaderHealthzAdaptor } from "./leader-election/leader-healthz-adaptor.ts";
export {
  createLeaseLock,
  type LeaderElectionLock,
  type LeaderElectionRecord,
  type LeaseLockOptions,
} from "./leader-election/leader-election-lock.ts";
export { createMultiLock, type MultiLockOptions } from "./leader-election/multi-lock.ts";
export {
  type LeaderElectionTiming,
  LeaderElector,
  type LeaderElectorOptions,
} from "./leader-election/leader-elector.ts";
export {
  type Cluster,
  type ClusterClientOptions,
  type ClusterOptions,
  createCluster,
  type MapperProvider,
} from "./manager/cluster.ts";
export * from "./manager/create-manager.ts";
export * from "./manager/errors.ts";
export { HttpServer, type HttpServerOptions } from "./manager/http-server.ts";
export type { ControllerDefaults, Manager, ManagerOptions } from "./manager/manager.ts";
export {
  managerFlags,
  managerOptionsOf,
  type FlagProcess,
  type FlagValues,
  type ManagerFlags,
  type ManagerFlagsOptions,
  type ManagerFlagsWith,
  type ProgramFlags,
} from "./manager/manager-flags.ts";
export type { MetricsFilter, MetricsServerOptions } from "./manager/metrics-server.ts";
export type { Runnable, RunnableFunction, RunnableGroupName } from "./manager/runnable.ts";
export * from "./manager/signal-handler.ts";
export * from "./controller/controller.ts";
export * from "./controller/errors.ts";
export type { Controller } from "./controller/queue-controller.ts";
export {
  type ControllerBuilder,
  ControllerBuilderError,
  type DependentsBuilder,
  newControllerManagedBy,
  type OwnsOptions,
  type WatchesOptions,
} from "./builder/controller-builder.ts";
export * from "./builder/webhook-builder.ts";
export * from "./operator/operator.ts";
export { type ClusterEngagement, type ClusterProvider, LOCAL_CLUSTER } from "./multi-cluster/cluster-provider.ts";
export * from "./multi-cluster/cluster-list.ts";
export type { ClusterHandler, ClusterRequest } from "./multi-cluster/cluster-request.ts";
export * from "./multi-cluster/errors.ts";
export * from "./multi-cluster/multi-cluster-builder.ts";
export * from "./multi-cluster/create-multi-cluster-manager.ts";
export type {
  EngagedCluster,
  MultiClusterManager,
  MultiClusterOptions,
} from "./multi-cluster/multi-cluster-manager.ts";
export * from "./multi-cluster/secret-provider.ts";
export * from "./sharding/create-sharding.ts";
export * from "./sharding/errors.ts";
export type { OwnedShard, Sharding, ShardingOptions } from "./sharding/sharding.ts";
