/**
 * Runs Kubernetes operators: clients, caches, workqueues, controllers, the manager that starts and stops them, and webhooks.
 */
export * from "./client/cached-client.ts";
export * from "./client/call-query.ts";
export * from "./client/client.ts";
export * from "./client/create-client.ts";
export * from "./client/dry-run-client.ts";
export * from "./client/errors.ts";
export * from "./client/field-clients.ts";
export * from "./client/intercepted-client.ts";
export * from "./client/namespaced-client.ts";
export * from "./client/options.ts";
export * from "./client/patch.ts";
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
export * from "./log/logger.ts";
export * from "./log/pino-logger.ts";
export * from "./log/recording-logger.ts";
export * from "./log/root-logger.ts";
export * from "./log/silent-logger.ts";
export * from "./rest/errors.ts";
export * from "./rest/rest-client.ts";
export * from "./rest/warnings.ts";
