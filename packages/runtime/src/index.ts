/**
 * Runs Kubernetes operators: clients, caches, workqueues, controllers, the manager that starts and stops them, and webhooks.
 */
export * from "./client/client.ts";
export * from "./client/options.ts";
export * from "./client/patch.ts";
export * from "./client/watch-event.ts";
export * from "./clock/clock.ts";
export * from "./clock/fake-clock.ts";
export * from "./discovery/rest-mapper.ts";
export * from "./log/logger.ts";
export * from "./log/pino-logger.ts";
export * from "./log/recording-logger.ts";
export * from "./log/root-logger.ts";
export * from "./log/silent-logger.ts";
