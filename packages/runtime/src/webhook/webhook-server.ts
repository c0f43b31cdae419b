import { readFile } from "node:fs/promises";
import { createServer, type Server, type ServerOptions } from "node:https";
import { tmpdir } from "node:os";
import path from "node:path";
import { connect } from "node:tls";

import { type Clock, realClock, whenAborted } from "../clock/clock.ts";
import type { HealthCheck } from "../healthz/health-handler.ts";
import { type HttpHandler, nodeListener, pageNotFound } from "../http-server/http-handler.ts";
import { closeGracefully, listen } from "../http-server/listening.ts";
import type { Logger } from "../log/logger.ts";
import { log as rootLog } from "../log/root-logger.ts";
import { initializeWebhookMetrics, webhookMetrics } from "../metrics/webhook-metrics.ts";
import { CertificateWatcher } from "./certificate-watcher.ts";
import { ConversionRegistry } from "./conversion/conversion-registry.ts";
import { WebhookListenError, WebhookPathTakenError } from "./errors.ts";

const SHUTDOWN_LIMIT_MS = 60_000;
const DIAL_LIMIT_MS = 10_000;

/** How the webhook server listens; the defaults are upstream's. */
export interface WebhookServerOptions {
  /** The address to listen on; all of them when empty. */
  readonly host?: string;
  /** 9443 when absent; 0 lets the system choose; -1 starts no server. */
  readonly port?: number;
  /** The folder of the certificate: `k8s-webhook-server/serving-certs` in the system's folder for temporary files when absent. */
  readonly certDir?: string;
  /** `tls.crt` when absent. */
  readonly certName?: string;
  /** `tls.key` when absent. */
  readonly keyName?: string;
  /** A file in `certDir`; when set, callers must show a certificate that it signed. */
  readonly clientCaName?: string;
  /** Further options of TLS; `minVersion` is TLS 1.2 unless set here. */
  readonly tls?: Pick<ServerOptions, "minVersion" | "maxVersion" | "ciphers" | "ecdhCurve">;
  readonly clock?: Clock;
  readonly log?: Logger;
}

/**
 * Serves webhooks over HTTPS and takes a changed certificate into use without a restart.
 *
 * It runs on leaders and standbys alike, and answers before caches are synced, since the API server may need it for that.
 */
export class WebhookServer {
  readonly #options: WebhookServerOptions;
  readonly #log: Logger;
  readonly #handlers = new Map<string, HttpHandler>();
  #port: number | undefined;
  #tellListening: () => void = () => undefined;

  /** Resolves once requests are accepted; a server that fails to start never resolves it, its `start` rejects. */
  readonly listening: Promise<void> = new Promise((resolve) => {
    this.#tellListening = resolve;
  });

  /** The kinds whose versions are converted at `/convert`; builders add to them. */
  readonly conversions: ConversionRegistry = new ConversionRegistry();

  constructor(options: WebhookServerOptions = {}) {
    this.#options = options;
    this.#log = (options.log ?? rootLog).withName("controller-runtime.webhook");
  }

  /** The port in use, once the server has started. */
  get port(): number | undefined {
    return this.#port;
  }

  /** Webhooks are served by standbys too. */
  needLeaderElection(): boolean {
    return false;
  }

  /** Says whether a handler is registered for a path. */
  has(webhookPath: string): boolean {
    return this.#handlers.has(webhookPath);
  }

  /** Serves a handler at a path, before or after the start. Fails: {@link WebhookPathTakenError} when the path has one. */
  register(webhookPath: string, handler: HttpHandler): void {
    if (this.#handlers.has(webhookPath)) throw new WebhookPathTakenError(webhookPath);
    this.#handlers.set(webhookPath, instrumented(webhookPath, handler));
    this.#log.info("registering webhook", { path: webhookPath });
  }

  /**
   * Serves until the signal aborts, then lets open requests end.
   *
   * Fails: `WebhookCertificateError` when the certificate cannot be read, {@link WebhookListenError} when the port is taken.
   */
  async start(signal: AbortSignal): Promise<void> {
    if (this.#options.port === -1) return;
    const watcher = this.#createWatcher((pair) =>
      server.setSecureContext({ ...this.#options.tls, ...pair, ...clientCa }),
    );
    const pair = await watcher.load();
    const clientCa = await this.#clientCa();
    const server = createServer(
      { minVersion: "TLSv1.2", ...this.#options.tls, ...pair, ...clientCa },
      nodeListener((request) => this.#route(request), this.#log),
    );
    await this.#listen(server);
    watcher.start();
    await whenAborted(signal);
    watcher.stop();
    this.#log.info("shutting down webhook server");
    await closeGracefully(server, SHUTDOWN_LIMIT_MS);
  }

  /** Returns a readiness check that makes a TLS connection to the server. */
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

  #createWatcher(onChange: ConstructorParameters<typeof CertificateWatcher>[0]["onChange"]): CertificateWatcher {
    const folder = this.#certDir();
    return new CertificateWatcher({
      certPath: path.join(folder, this.#options.certName ?? "tls.crt"),
      keyPath: path.join(folder, this.#options.keyName ?? "tls.key"),
      clock: this.#options.clock ?? realClock,
      log: this.#log,
      onChange,
    });
  }

  #certDir(): string {
    return this.#options.certDir ?? path.join(tmpdir(), "k8s-webhook-server", "serving-certs");
  }

  async #clientCa(): Promise<Pick<ServerOptions, "ca" | "requestCert" | "rejectUnauthorized">> {
    const name = this.#options.clientCaName;
    if (name === undefined) return {};
    const ca = await readFile(path.join(this.#certDir(), name), "utf8");
    return { ca, requestCert: true, rejectUnauthorized: true };
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
    return handler === undefined ? pageNotFound() : await handler(request);
  }
}

// The server's own certificate need not name this address, and nothing is sent, so it is not checked.
async function dial(host: string, port: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const socket = connect({ host, port, rejectUnauthorized: false, timeout: DIAL_LIMIT_MS }, () => {
      socket.end();
      resolve();
    });
    socket.once("error", reject);
    socket.once("timeout", () => socket.destroy(new WebhookListenError({ host, port }, "no answer within 10 s")));
  });
}

/** Counts and times what a handler serves under its path. */
function instrumented(webhook: string, handler: HttpHandler): HttpHandler {
  const metrics = webhookMetrics();
  initializeWebhookMetrics(metrics, webhook);
  return async (request) => {
    const stopTimer = metrics.latency.startTimer({ webhook });
    metrics.requestsInFlight.inc({ webhook });
    let code = 500;
    try {
      const response = await handler(request);
      code = response.status;
      return response;
    } finally {
      stopTimer();
      metrics.requestsInFlight.dec({ webhook });
      metrics.requests.inc({ webhook, code: String(code) });
    }
  };
}
