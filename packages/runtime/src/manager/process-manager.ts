import { isInstance, type RestConfig } from "@kubescaffold/k8s";
import { type Clock, onAbort, realClock, sleep, whenAborted } from "@kubescaffold/platform/clock";

import type { Cache, FieldIndexer } from "../cache/cache.ts";
import type { SelfManagedCertificates } from "../certificates/self-managed-certificates.ts";
import type { Client, LiveReader } from "../client/client.ts";
import type { RestMapper } from "../discovery/rest-mapping.ts";
import type { HealthCheck } from "../healthz/health-handler.ts";
import type { HttpHandler } from "../http-server/http-handler.ts";
import { LeaderElectionLostError } from "../leader-election/errors.ts";
import { contextValues } from "../log/context-values.ts";
import type { Logger } from "../log/logger.ts";
import { log as rootLog } from "../log/root-logger.ts";
import type { MetricsRegistry } from "../metrics/registry.ts";
import type { Observer } from "../observe/observer.ts";
import type { EventRecorder } from "../recorder/event-recorder.ts";
import { WebhookServer } from "../webhook/webhook-server.ts";
import { checkWrites, type ClusterParts } from "./cluster.ts";
import {
  ManagerShutdownTimeoutError,
  ManagerStartedTwiceError,
  ManagerStopError,
  ManagerTooLateError,
} from "./errors.ts";
import type { HttpServer } from "./http-server.ts";
import { checkCampaign, type LeaderCampaign } from "./leader-campaign.ts";
import type { ControllerDefaults, Manager, ManagerOptions } from "./manager.ts";
import type { MetricsRoutes } from "./metrics-server.ts";
import { RunnableGroups } from "./runnable-groups.ts";
import type { Runnable, RunnableFunction } from "./runnable.ts";

/** The parts of a manager. */
export interface ManagerParts {
  readonly options: ManagerOptions;
  readonly cluster: ClusterParts;
  readonly registry: MetricsRegistry;
  readonly campaign: LeaderCampaign | undefined;
  readonly healthServer: HttpServer | undefined;
  readonly healthzChecks: Map<string, HealthCheck>;
  readonly readyzChecks: Map<string, HealthCheck>;
  readonly metricsServer: HttpServer | undefined;
  readonly pprofServer: HttpServer | undefined;
  readonly metricsRoutes: MetricsRoutes;
  readonly certificates: SelfManagedCertificates | undefined;
  /** Checks that this process may write to a path; throws if its lease may have expired. */
  readonly beforeWrite: (path: string) => void;
}

const GRACEFUL_SHUTDOWN_MS = 30_000;

type ManagerState = "new" | "running" | "stopping";

/** The manager of a process. */
export class ProcessManager implements Manager {
  readonly #parts: ManagerParts;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #groups: RunnableGroups;
  // Aborts on the first failure or with the signal of `start`, and stops everything.
  readonly #ending = new AbortController();
  readonly #campaignEnd = new AbortController();
  #campaign: Promise<void> = Promise.resolve();
  #failure: { readonly error: unknown } | undefined;
  #webhookServer: WebhookServer | undefined;
  #state: ManagerState = "new";
  readonly elected: Promise<void>;
  #onElected: () => void = () => undefined;

  constructor(parts: ManagerParts) {
    this.#parts = parts;
    this.#clock = parts.options.clock ?? realClock;
    this.#log = parts.options.logger ?? rootLog;
    const values = parts.options.baseContext?.() ?? contextValues();
    this.#groups = new RunnableGroups(this.#log, (error) => this.#fail(error), values);
    this.elected = new Promise((resolve) => {
      this.#onElected = resolve;
    });
    const { cluster, metricsServer, healthServer, pprofServer, certificates } = parts;
    for (const runnable of [cluster, certificates, metricsServer, healthServer, pprofServer]) {
      if (runnable !== undefined) {
        this.#groups.add(runnable);
      }
    }
  }

  get ports(): Manager["ports"] {
    const { metricsServer, healthServer, pprofServer } = this.#parts;
    return { metrics: metricsServer?.port, health: healthServer?.port, pprof: pprofServer?.port };
  }

  getConfig(): RestConfig {
    return this.#parts.cluster.getConfig();
  }

  getCache(): Cache {
    return this.#parts.cluster.getCache();
  }

  getClient(): Client {
    return this.#parts.cluster.getClient();
  }

  getApiReader(): LiveReader {
    return this.#parts.cluster.getApiReader();
  }

  getFieldIndexer(): FieldIndexer {
    return this.#parts.cluster.getFieldIndexer();
  }

  getRestMapper(): RestMapper {
    return this.#parts.cluster.getRestMapper();
  }

  getEventRecorder(name: string): EventRecorder {
    return this.#parts.cluster.getEventRecorder(name);
  }

  getLogger(): Logger {
    return this.#log;
  }

  getControllerOptions(): ControllerDefaults {
    return this.#parts.options.controller ?? {};
  }

  getMetricsRegistry(): MetricsRegistry {
    return this.#parts.registry;
  }

  getObserver(): Observer | undefined {
    return this.#parts.options.observer;
  }

  getClock(): Clock {
    return this.#clock;
  }

  getWebhookServer(): WebhookServer {
    if (this.#webhookServer === undefined) {
      const { webhookServer, webhook } = this.#parts.options;
      this.#webhookServer = webhookServer ?? new WebhookServer({ clock: this.#clock, log: this.#log, ...webhook });
      this.#webhookServer.useRegistry(this.#parts.registry);
      this.#webhookServer.useObserver(this.#parts.options.observer);
      if (this.#parts.certificates !== undefined) this.#webhookServer.useCertificates(this.#parts.certificates.source);
      this.add(this.#webhookServer);
    }
    return this.#webhookServer;
  }

  add(runnable: Runnable | RunnableFunction): void {
    if (this.#state === "stopping") {
      throw new ManagerTooLateError("a runnable", "is stopping");
    }
    checkWrites(runnable, this.#parts.beforeWrite);
    this.#groups.add(typeof runnable === "function" ? { start: runnable } : runnable);
  }

  addHealthzCheck(name: string, check: HealthCheck): void {
    this.#addCheck(this.#parts.healthzChecks, name, check);
  }

  addReadyzCheck(name: string, check: HealthCheck): void {
    this.#addCheck(this.#parts.readyzChecks, name, check);
  }

  addMetricsServerExtraHandler(path: string, handler: HttpHandler): void {
    this.#parts.metricsRoutes.add(path, handler);
  }

  async start(signal: AbortSignal): Promise<void> {
    if (this.#state !== "new") {
      throw new ManagerStartedTwiceError();
    }
    this.#state = "running";
    try {
      checkCampaign(this.#parts.options);
    } catch (error) {
      await this.#parts.healthServer?.close();
      throw error;
    }
    const forgetSignal = onAbort(signal, () => this.#ending.abort());
    void this.#startAll().catch((error: unknown) => this.#fail(error));
    await whenAborted(this.#ending.signal);
    forgetSignal();
    await this.#endRun();
  }

  #addCheck(checks: Map<string, HealthCheck>, name: string, check: HealthCheck): void {
    if (this.#state !== "new") {
      throw new ManagerTooLateError(`the check ${name}`, this.#state === "running" ? "has started" : "is stopping");
    }
    checks.set(name, check);
  }

  // The first failure ends the run; later ones are consequences of the stop and only logged.
  #fail(error: unknown): void {
    if (this.#failure === undefined && !this.#ending.signal.aborted) {
      this.#failure = { error };
      this.#ending.abort();
    } else {
      this.#log.error(error, "a runnable failed while the manager was stopping");
    }
  }

  async #startAll(): Promise<void> {
    await this.#groups.startAllButLeaderElection(() => this.#ending.signal.aborted);
    if (this.#ending.signal.aborted) {
      return;
    }
    if (this.#parts.campaign === undefined) {
      await this.#startLeading();
    } else {
      this.#campaign = this.#parts
        .campaign(this.#campaignEnd.signal, {
          onStartedLeading: () => void this.#startLeading().catch((error: unknown) => this.#fail(error)),
          onStoppedLeading: () => this.#stopLeading(),
        })
        .catch((error: unknown) => this.#fail(error));
    }
  }

  async #startLeading(): Promise<void> {
    await this.#groups.startLeaderElection();
    this.#onElected();
  }

  // A manager that lost its lease must exit without waiting for reconcilers: another process may be the leader already.
  #stopLeading(): void {
    if (!this.#campaignEnd.signal.aborted) {
      this.#fail(new LeaderElectionLostError());
    }
  }

  async #endRun(): Promise<void> {
    this.#state = "stopping";
    this.#log.info("stopping and waiting for runnables");
    const isLost = isInstance(this.#failure?.error, LeaderElectionLostError);
    const stopFailure = isLost ? await this.#stopAtOnce() : await this.#stopWithin(this.#gracefulShutdownMs());
    await this.#parts.cluster.close();
    // The health server listens before the start, so it may never have been started.
    await this.#parts.healthServer?.close();
    if (this.#failure !== undefined && stopFailure !== undefined) {
      throw new ManagerStopError(this.#failure.error, stopFailure);
    }
    if (this.#failure !== undefined) {
      throw this.#failure.error;
    }
    if (stopFailure !== undefined) {
      throw stopFailure;
    }
  }

  // Another process may be the leader already: nothing is waited for, and no event is written.
  async #stopAtOnce(): Promise<undefined> {
    void this.#groups.stop();
    this.#groups.abandon();
    await this.#endCampaign();
  }

  async #stopWithin(limitMs: number): Promise<unknown> {
    const stopped = this.#groups.stop();
    const timer = new AbortController();
    const isInTime =
      limitMs !== 0 && (await Promise.race([stopped.then(() => true), this.#limit(limitMs, timer.signal)]));
    timer.abort();
    const failure =
      isInTime || limitMs === 0 ? undefined : new ManagerShutdownTimeoutError(limitMs, this.#groups.stragglers);
    if (!isInTime) {
      this.#groups.abandon();
    }
    await this.#endCampaign();
    await this.#parts.cluster.stopEvents();
    return failure;
  }

  async #limit(limitMs: number, signal: AbortSignal): Promise<boolean> {
    if (limitMs < 0) {
      return await new Promise(() => undefined);
    }
    await sleep(this.#clock, limitMs, signal).catch(() => undefined);
    return false;
  }

  // The lease is released last, when no runnable is active any more.
  async #endCampaign(): Promise<void> {
    this.#campaignEnd.abort();
    await this.#campaign;
  }

  #gracefulShutdownMs(): number {
    return this.#parts.options.gracefulShutdownTimeoutMs ?? GRACEFUL_SHUTDOWN_MS;
  }
}
