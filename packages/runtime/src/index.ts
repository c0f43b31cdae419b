/**
 * Runs Kubernetes operators: clients, caches, workqueues, controllers, the manager that starts and stops them, and webhooks.
 */
export * from "./client/cached-client.ts";
export * from "./client/call-query.ts";
export * from "./client/client.ts";
export * from "./client/clientset.ts";
export * from "./client/create-client.ts";
export * from "./client/dry-run-client.ts";
export * from "./client/dynamic-client.ts";
export * from "./client/errors.ts";
export * from "./client/field-clients.ts";
export * from "./client/intercepted-client.ts";
export * from "./client/namespaced-client.ts";
export * from "./client/options.ts";
export type { JsonPatchStep, MergeFromOptions, Patch, PatchType } from "./client/patch.ts";
export * as patch from "./client/patches.ts";
export * from "./client/resource-interface.ts";
export * from "./client/watch-event.ts";
export * from "./clock/abort.ts";
export * from "./clock/clock.ts";
export * from "./clock/fake-clock.ts";
export * from "./config/errors.ts";
export * from "./config/get-config.ts";
export * from "./config/in-cluster.ts";
export * from "./config/kubeconfig.ts";
export * from "./config/parse-kubeconfig.ts";
export * from "./config/rest-config-of.ts";
export * from "./discovery/discovery-client.ts";
export * from "./discovery/errors.ts";
export * from "./discovery/lazy-rest-mapper.ts";
export * from "./discovery/rest-mapper.ts";
export * from "./log/errors.ts";
export * from "./log/log-flags.ts";
export * from "./log/logger.ts";
export * from "./log/pino-logger.ts";
export * from "./log/recording-logger.ts";
export * from "./log/root-logger.ts";
export * from "./log/silent-logger.ts";
export * from "./rest/errors.ts";
export * from "./rest/rest-client.ts";
export * from "./rest/warnings.ts";
export type { Cache, FieldIndexer, GetInformerOptions } from "./cache/cache.ts";
export type { CacheOptions, CacheScope, KindScope, NamespaceScopes } from "./cache/cache-options.ts";
export * from "./cache/errors.ts";
export type { IndexFunction, Indexers, Lister } from "./cache/indexer.ts";
export type { HandlerOptions, HandlerRegistration, Informer, ResourceEventHandler } from "./cache/informer.ts";
export { createCache } from "./cache/informer-cache.ts";
export { createListWatch, type ListWatch, type ListWatchScope } from "./cache/list-watch.ts";
export { Reflector, type ReflectorOptions, type ReflectorStore } from "./cache/reflector.ts";
export { SharedInformer, type SharedInformerOptions, type TransformFunction } from "./cache/shared-informer.ts";
export { transformStripManagedFields } from "./cache/transform.ts";
export * from "./event/event.ts";
export * as handler from "./handler/handler.ts";
export type { EventHandler, Handled, HandlerContext } from "./handler/event-handler.ts";
export * as metrics from "./metrics/metrics.ts";
export * as predicate from "./predicate/predicate.ts";
export type { Predicate } from "./predicate/predicate.ts";
export * from "./reconcile/errors.ts";
export * from "./reconcile/object-reconciler.ts";
export * from "./reconcile/reconcile.ts";
export * as source from "./source/sources.ts";
export type { Source, SourceContext } from "./source/source.ts";
export * as workqueue from "./workqueue/workqueue.ts";
export * as controllerutil from "./controllerutil/controllerutil.ts";
export * from "./controllerutil/errors.ts";
export * from "./finalizer/errors.ts";
export * from "./finalizer/finalizers.ts";
export * from "./recorder/event-recorder.ts";
export * from "./recorder/event-broadcaster.ts";
export {
  newWebhookManagedBy,
  type WebhookBuilder,
  type WebhookHost,
  type WebhookManagedBy,
} from "./builder/webhook-builder.ts";
export { type HealthCheck, ping } from "./healthz/health-handler.ts";
export type { HttpHandler } from "./http-server/http-handler.ts";
export * from "./leader-election/errors.ts";
export type { LeaderElectionLock } from "./leader-election/leader-election-lock.ts";
export type { LeaderElectionRecord } from "./leader-election/leader-election-record.ts";
export {
  LeaderElector,
  type LeaderElectionTiming,
  type LeaderElectorOptions,
} from "./leader-election/leader-elector.ts";
export { createLeaseLock, type LeaseLockOptions } from "./leader-election/lease-lock.ts";
export * as admission from "./webhook/admission/admission.ts";
export type { AdmissionContext, AdmissionHandler } from "./webhook/admission/admission-handler.ts";
export type { Defaulter } from "./webhook/admission/defaulter.ts";
export {
  RefusalWithWarnings,
  type ValidationOutcome,
  type Validator,
  type Warnings,
} from "./webhook/admission/validator.ts";
export { ConversionRegistry } from "./webhook/conversion/conversion-registry.ts";
export { conversionWebhook, type ConversionWebhookOptions } from "./webhook/conversion/conversion-webhook.ts";
export type { SpokeConverter } from "./webhook/conversion/spoke-converter.ts";
export * from "./webhook/errors.ts";
export { WebhookServer, type WebhookServerOptions } from "./webhook/webhook-server.ts";
export * from "./builder/controller-builder.ts";
export { ControllerBuilderError } from "./builder/errors.ts";
export {
  createController,
  createUnmanagedController,
  type Controller,
  type ControllerOptions,
  type ControllerSurroundings,
} from "./controller/controller.ts";
export * from "./controller/errors.ts";
export { createCluster, type Cluster, type ClusterClientOptions, type ClusterOptions } from "./manager/cluster.ts";
export { createManager } from "./manager/create-manager.ts";
export * from "./manager/errors.ts";
export { HttpServer, type HttpServerOptions } from "./manager/http-server.ts";
export type { ControllerDefaults, Manager, ManagerOptions } from "./manager/manager.ts";
export type { MetricsFilter, MetricsServerOptions } from "./manager/metrics-server.ts";
export type { Runnable, RunnableFunction, RunnableGroupName } from "./manager/runnable.ts";
export { setupSignalHandler } from "./manager/signal-handler.ts";
