import { checkNumbers } from "@kubescaffold/k8s";
import type { RestConfig } from "@kubescaffold/k8s";
import type { Lease } from "@kubescaffold/k8s/coordination/v1";
import { realClock } from "@kubescaffold/platform/clock";

import { CertificateNamespaceError } from "../certificates/errors.ts";
import type { SelfManagedCertificates, SelfManagedParts } from "../certificates/self-managed-certificates.ts";
import { inClusterNamespace } from "../config/get-config.ts";
import { type HealthCheck, healthHandler } from "../healthz/health-handler.ts";
import { type HttpHandler, pageNotFound } from "../http-server/http-handler.ts";
import type { Logger } from "../log/logger.ts";
import { log as rootLog } from "../log/root-logger.ts";
import { registry as processRegistry } from "../metrics/registry.ts";
import { guardedObserver } from "../observe/guarded-observer.ts";
import { parentObserver } from "../observe/parent-process.ts";
import type { StorageMigrator, StorageMigratorParts } from "../storage-migration/storage-migrator.ts";
import { createClusterParts } from "./cluster.ts";
import { HttpServer, parseAddress } from "./http-server.ts";
import { createCampaign, createLeaseGuard } from "./leader-campaign.ts";
import { checkControllerNumbers, type Manager, type ManagerOptions } from "./manager.ts";
import { metricsFilterOf } from "./metrics-filter.ts";
import { createMetricsServer, MetricsRoutes } from "./metrics-server.ts";
import { createPprofServer } from "./pprof-server.ts";
import { ProcessManager } from "./process-manager.ts";

/**
 * Creates a manager; the health endpoints listen when it resolves, everything else starts with `start`.
 *
 * Fails: `ManagerListenError` when the health port is in use, `LeaderElectionIdMissingError`, `LeaderElectionNamespaceError`, `CertificateNamespaceError`.
 *
 * controller-runtime: pkg/manager.New
 */
export async function createManager(config: RestConfig, given: ManagerOptions = {}): Promise<Manager> {
  checkManagerNumbers(given);
  const observer = guardedObserver(given.observer) ?? parentObserver();
  const options: ManagerOptions = observer === undefined ? given : { ...given, observer };
  const { clock = realClock, logger: log = rootLog } = options;
  const registry = options.metrics?.registry ?? processRegistry;
  const guard = createLeaseGuard(options, clock);
  const beforeWrite = (path: string): void => guard.check(path);
  const cluster = createClusterParts({ ...config }, { ...options, clock, logger: log, registry, beforeWrite });
  const onEvent = (lease: Lease, note: string): void => {
    const event = { type: "Normal", reason: "LeaderElection", action: "LeaderElection", note } as const;
    cluster.getEventRecorder("leader-election").event(lease, event);
  };
  const campaign = await createCampaign({ config, options, clock, log, registry, guard, onEvent });
  const healthzChecks = new Map<string, HealthCheck>();
  const readyzChecks = new Map<string, HealthCheck>();
  const healthServer = createHealthServer({
    bindAddress: options.healthProbeBindAddress ?? "",
    livenessEndpointName: options.livenessEndpointName ?? "/healthz",
    readinessEndpointName: options.readinessEndpointName ?? "/readyz",
    healthzChecks,
    readyzChecks,
    log,
  });
  const certificates = await createCertificates(options, { client: cluster.live, clock, log, registry });
  if (certificates !== undefined) readyzChecks.set("certificates", certificates.check);
  const metricsRoutes = new MetricsRoutes(registry);
  for (const [path, handler] of Object.entries(options.metrics?.extraHandlers ?? {})) {
    metricsRoutes.add(path, handler);
  }
  const filter = metricsFilterOf(options.metrics?.filter, { client: cluster.live, clock, log });
  const metricsServer = createMetricsServer({
    options: options.metrics ?? {},
    routes: metricsRoutes,
    registry,
    filter,
    certificates: certificates?.source,
    clock,
    log,
  });
  const pprofServer = createPprofServer({ bindAddress: options.pprofBindAddress ?? "", clock, log });
  const migrator = await createMigrator(options, { client: cluster.live, clock, log, registry });
  await healthServer?.listen();
  const manager = new ProcessManager({
    options: { ...options, clock, logger: log },
    cluster,
    registry,
    campaign,
    healthServer,
    healthzChecks,
    readyzChecks,
    metricsServer,
    metricsRoutes,
    pprofServer,
    certificates,
    beforeWrite,
  });
  if (migrator !== undefined) manager.add(migrator);
  return manager;
}

async function createMigrator(
  { storageMigration: settings }: ManagerOptions,
  parts: Omit<StorageMigratorParts, "settings" | "namespace">,
): Promise<StorageMigrator | undefined> {
  if (settings === undefined) return undefined;
  const namespace = settings.namespace ?? (await inClusterNamespace());
  const { StorageMigrator } = await import("../storage-migration/storage-migrator.ts");
  return new StorageMigrator({ ...parts, settings, namespace });
}

async function createCertificates(
  { certificates }: ManagerOptions,
  parts: Omit<SelfManagedParts, "settings" | "namespace">,
): Promise<SelfManagedCertificates | undefined> {
  if (certificates === undefined) return undefined;
  const namespace = certificates.namespace ?? (await inClusterNamespace());
  if (namespace === undefined) throw new CertificateNamespaceError(certificates.secretName);
  // Most managers get their certificates as files, and need not wait until this is loaded.
  const { SelfManagedCertificates } = await import("../certificates/self-managed-certificates.ts");
  return new SelfManagedCertificates({ ...parts, settings: certificates, namespace });
}

/** Creates the server of the health endpoints; undefined when it is disabled. */
function createHealthServer(options: {
  readonly bindAddress: string;
  readonly livenessEndpointName: string;
  readonly readinessEndpointName: string;
  readonly healthzChecks: ReadonlyMap<string, HealthCheck>;
  readonly readyzChecks: ReadonlyMap<string, HealthCheck>;
  readonly log: Logger;
}): HttpServer | undefined {
  const address = parseAddress(options.bindAddress);
  if (address === undefined) {
    return undefined;
  }
  const endpoints = [
    endpoint(options.livenessEndpointName, options.healthzChecks, options.log),
    endpoint(options.readinessEndpointName, options.readyzChecks, options.log),
  ];
  return new HttpServer({
    name: "health probe",
    address,
    log: options.log,
    handler: async (request) => {
      const { pathname } = new URL(request.url);
      const found = endpoints.find(({ path }) => pathname === path || pathname.startsWith(`${path}/`));
      return found === undefined ? pageNotFound() : await found.serve(request);
    },
  });
}

function endpoint(
  name: string,
  checks: ReadonlyMap<string, HealthCheck>,
  log: Logger,
): { readonly path: string; readonly serve: HttpHandler } {
  const path = name.startsWith("/") ? name : `/${name}`;
  return { path, serve: healthHandler({ path, checks, log }) };
}

function checkManagerNumbers(options: ManagerOptions): void {
  checkNumbers("the manager", options, {
    gracefulShutdownTimeoutMs: "number",
    leaseDurationMs: "finite",
    renewDeadlineMs: "finite",
    retryPeriodMs: "finite",
  });
  checkControllerNumbers("the controllers of the manager", options.controller ?? {});
  checkNumbers("the cache of the manager", options.cache ?? {}, { syncPeriodMs: "duration" });
}
