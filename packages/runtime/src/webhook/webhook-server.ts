import { createServer, type Server, type ServerOptions } from "node:https";
import { tmpdir } from "node:os";
import path from "node:path";
import { connect } from "node:tls";

import { checkNumbers } from "@kubescaffold/k8s";
import { type Clock, realClock, sleep, whenAborted } from "@kubescaffold/platform/clock";

import type { CertificateSource } from "../certificates/certificate-source.ts";
import type { HealthCheck } from "../healthz/health-handler.ts";
import { type HttpHandler, nodeListener, pageNotFound } from "../http-server/http-handler.ts";
import { announceClose, closeGracefully, listen, SERVER_LIMITS, TLS_LIMITS } from "../http-server/listening.ts";
import { contextValues, type ContextValues, withContextValues } from "../log/context-values.ts";
import type { Logger } from "../log/logger.ts";
import { log as rootLog } from "../log/root-logger.ts";
import { type MetricsRegistry, registry as processRegistry } from "../metrics/registry.ts";
import { initializeWebhookMetrics, webhookMetrics } from "../metrics/webhook-metrics.ts";
import type { Observer } from "../observe/observer.ts";
import { endWithError, inSpan } from "../tracing/spans.ts";
import { type CertificateCallback, CertificateWatcher } from "./certificate-watcher.ts";
import { ConversionRegistry } from "./conversion-registry.ts";
import { WebhookListenError, WebhookPathTakenError } from "./errors.ts";
import type { WebhookHandler, WebhookServing } from "./webhook-handler.ts";
import { observeWebhook } from "./webhook-observation.ts";
import { endWebhookSpan, startWebhookSpan } from "./webhook-span.ts";

const SHUTDOWN_LIMIT_MS = 60_000;
// As long as it takes until the API server knows that the endpoint has gone.
const POD_SHUTDOWN_DELAY_MS = 1000;
const DIAL_LIMIT_MS = 10_000;
const REQUIRE_CLIENT_CERTIFICATE = { requestCert: true, rejectUnauthorized: true };

/**
 * Options of a {@link WebhookServer}.
 *
 * controller-runtime: pkg/webhook.Options
 */
export interface WebhookServerOptions {
  /** The address to listen on. Default: empty, all addresses. */
  readonly host?: string;
  /** The port to listen on; with 0 the system chooses one, -1 starts no server. Default: 9443. */
  readonly port?: number;
  /** The folder of the certificate. Default: `k8s-webhook-server/serving-certs` in the system's temporary folder. */
  readonly certDir?: string;
  /** The file name of the certificate. Default: `tls.crt`. */
  readonly certName?: string;
  /** The file name of the private key. Default: `tls.key`. */
  readonly keyName?: string;
  /** The file name of a CA in `certDir` that must have signed the client's certificate; read again when it changes. Default: clients need no certificate. */
  readonly clientCaName?: string;
  /** Receives the certificate and its key when the server starts, and each new one. Default: none. */
  readonly onCertificate?: CertificateCallback;
  /** Additional TLS options. Default: `minVersion` is TLS 1.2. */
  readonly tls?: Pick<ServerOptions, "minVersion" | "maxVersion" | "ciphers" | "ecdhCurve">;
  /**
   * How long the server continues to serve after it was stopped, in milliseconds. The API server sends requests to a Pod that is about to end, and reuses idle connections to it, until it
   * knows that the endpoint has gone. Default: 1000 in a Pod, 0 elsewhere.
   */
  readonly shutdownDelayMs?: number;
  /** The clock of certificate checks and of the delay. Default: `realClock` of `@kubescaffold/platform/clock`. */
  readonly clock?: Clock;
  /** The logger. Default: {@link log}. */
  readonly log?: Logger;
  /** The registry of the metrics. Default: the manager's registry; without a manager, the registry of the process. */
  readonly registry?: MetricsRegistry;
}

/**
 * Serves webhooks over HTTPS and reloads a changed certificate without a restart.
 *
 * It runs on leaders and standbys, and before caches have synced, since the API server may call it for that.
 *
 * controller-runtime: pkg/webhook.Server
 */
export class WebhookServer {
  readonly #options: WebhookServerOptions;
  readonly #log: Logger;
  readonly #handlers = new Map<string, HttpHandler>();
  #registry: MetricsRegistry;
  #observer: Observer | undefined;
  #source: CertificateSource | undefined;
  #isStarted = false;
  #values: ContextValues = contextValues();
  #port: number | undefined;
  #tellListening: () => void = () => undefined;

  /** Resolves when the server accepts requests; never resolves if the server fails to start, then `start` rejects. */
  readonly listening: Promise<void> = new Promise((resolve) => {
    this.#tellListening = resolve;
  });

  /** The kinds whose versions are converted at `/convert`; builders add to them. */
  readonly conversions: ConversionRegistry = new ConversionRegistry();

  constructor(options: WebhookServerOptions = {}) {
    checkNumbers("the webhook server", options, { port: "port", shutdownDelayMs: "duration" });
    this.#options = options;
    this.#registry = options.registry ?? processRegistry;
    this.#log = (options.log ?? rootLog).withName("controller-runtime.webhook");
  }

  /** The port in use, after the start. */
  get port(): number | undefined {
    return this.#port;
  }

  /** Returns false: standbys serve webhooks, too. */
  needLeaderElection(): boolean {
    return false;
  }

  /** Counts in a manager's registry from now on, unless the server has its own. */
  useRegistry(registry: MetricsRegistry): void {
    this.#registry = this.#options.registry ?? registry;
  }

  /** Sends the calls from now on to an observer. */
  useObserver(observer: Observer | undefined): void {
    this.#observer = observer;
  }

  /** Serves the certificate of a source instead of files. The start waits for it. */
  useCertificates(source: CertificateSource): void {
    this.#source = source;
  }

  /** Reports whether a handler is registered for a path. */
  has(webhookPath: string): boolean {
    return this.#handlers.has(webhookPath);
  }

  /** Serves a handler at a path, before or after the start. Fails: {@link WebhookPathTakenError} when the path has a handler. */
  register(webhookPath: string, handler: WebhookHandler): void {
    if (this.#handlers.has(webhookPath)) throw new WebhookPathTakenError(webhookPath);
    this.#handlers.set(
      webhookPath,
      instrumented(webhookPath, handler, () => this.#serving(webhookPath)),
    );
    if (this.#isStarted) initializeWebhookMetrics(webhookMetrics(this.#registry), webhookPath);
    this.#log.info("registering webhook", { path: webhookPath });
  }

  /**
   * Serves until the signal aborts and the delay has passed, then lets open requests complete.
   *
   * Fails: `WebhookCertificateError` when the certificate cannot be read, `WebhookClientCaError` when the CA of clients cannot, {@link WebhookListenError} when the port is in use.
   */
  async start(signal: AbortSignal): Promise<void> {
    this.#isStarted = true;
    this.#values = contextValues();
    for (const webhookPath of this.#handlers.keys()) {
      initializeWebhookMetrics(webhookMetrics(this.#registry), webhookPath);
    }
    if (this.#options.port === -1) return;
    const watcher = this.#createWatcher();
    // Subscribed before the server listens, so that the source knows of a server that serves nothing yet.
    const unsubscribe = this.#source?.subscribe(async () => {
      await this.listening;
      await watcher.refresh();
    });
    await this.#source?.whenAvailable(signal);
    const pair = await watcher.load();
    const settings = { ...TLS_LIMITS, ...this.#options.tls };
    const clients = this.#options.clientCaName === undefined ? {} : REQUIRE_CLIENT_CERTIFICATE;
    const server = createServer(
      { ...SERVER_LIMITS, ...settings, ...clients, ...pair },
      nodeListener((request) => this.#route(request), this.#log),
    );
    await this.#listen(server);
    watcher.registerCallback((changed) => server.setSecureContext({ ...settings, ...changed }));
    if (this.#options.onCertificate !== undefined) watcher.registerCallback(this.#options.onCertificate);
    watcher.start();
    await whenAborted(signal);
    unsubscribe?.();
    watcher.stop();
    this.#log.info("shutting down webhook server");
    announceClose(server);
    await this.#shutdownDelay();
    await closeGracefully(server, SHUTDOWN_LIMIT_MS);
  }

  async #shutdownDelay(): Promise<void> {
    const { KUBERNETES_SERVICE_HOST: apiServer } = process.env;
    const defaultMs = apiServer === undefined ? 0 : POD_SHUTDOWN_DELAY_MS;
    const { shutdownDelayMs = defaultMs, clock = realClock } = this.#options;
    if (shutdownDelayMs > 0) await sleep(clock, shutdownDelayMs);
  }

  /** Returns a readiness check that opens a TLS connection to the server. */
  startedChecker(): HealthCheck {
    return async () => {
      const port = this.#port;
      if (port === undefined)
        throw new WebhookListenError({ host: "", port: this.#options.port ?? 9443 }, "the server has not started");
      await dial(
        this.#options.host === undefined || this.#options.host === "" ? "127.0.0.1" : this.#options.host,
        port,
      );
    };
  }

  #serving(webhookPath: string): WebhookServing {
    const observer = this.#observer;
    return observer === undefined
      ? { registry: this.#registry }
      : { registry: this.#registry, observe: observeWebhook(observer, webhookPath, this.#options.clock ?? realClock) };
  }

  #createWatcher(): CertificateWatcher {
    const folder = this.#certDir();
    const { clientCaName } = this.#options;
    const source = this.#source;
    return new CertificateWatcher({
      certPath: path.join(folder, this.#options.certName ?? "tls.crt"),
      keyPath: path.join(folder, this.#options.keyName ?? "tls.key"),
      ...(clientCaName === undefined ? {} : { clientCaPath: path.join(folder, clientCaName) }),
      ...(source === undefined ? {} : { pair: () => source.current }),
      clock: this.#options.clock ?? realClock,
      log: this.#log,
      registry: this.#registry,
    });
  }

  #certDir(): string {
    return this.#options.certDir ?? path.join(tmpdir(), "k8s-webhook-server", "serving-certs");
  }

  async #listen(server: Server): Promise<void> {
    const address = { host: this.#options.host ?? "", port: this.#options.port ?? 9443 };
    try {
      this.#port = await listen(server, address);
    } catch (error) {
      throw new WebhookListenError(address, error);
    }
    this.#tellListening();
    this.#log.info("serving webhook server", { host: address.host, port: this.#port });
  }

  async #route(request: Request): Promise<Response> {
    const handler = this.#handlers.get(new URL(request.url).pathname);
    if (handler === undefined) return pageNotFound();
    return await withContextValues(this.#values, () => handler(request));
  }
}

// The certificate need not contain this address, and nothing is sent, so it is not verified.
async function dial(host: string, port: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const socket = connect({ host, port, rejectUnauthorized: false, timeout: DIAL_LIMIT_MS }, () => {
      socket.end();
      resolve();
    });
    socket.once("error", reject);
    socket.once("timeout", () => socket.destroy(new WebhookListenError({ host, port }, "no response within 10 s")));
  });
}

/** Counts and times the requests of a handler under its path. */
function instrumented(webhook: string, handler: WebhookHandler, servingOf: () => WebhookServing): HttpHandler {
  return async (request) => {
    const serving = servingOf();
    const metrics = webhookMetrics(serving.registry);
    const startedAt = realClock.monotonic();
    metrics.requestsInFlight.inc({ webhook });
    const span = startWebhookSpan(webhook, request);
    let code = 500;
    try {
      const response = await inSpan(span, () => handler(request, serving));
      code = response.status;
      endWebhookSpan(span, code);
      return response;
    } catch (error) {
      if (span !== undefined) endWithError(span, error);
      throw error;
    } finally {
      metrics.latency.with({ webhook }).observe((realClock.monotonic() - startedAt) / 1000);
      metrics.requestsInFlight.dec({ webhook });
      metrics.requests.inc({ webhook, code: String(code) });
    }
  };
}
