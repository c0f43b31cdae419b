import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import type { Clock } from "@kubescaffold/platform/clock";

import type { CertificateSource } from "../certificates/certificate-source.ts";
import { createSelfSignedPair } from "../certificates/self-signed-certificate.ts";
import { type HttpHandler, pageNotFound } from "../http-server/http-handler.ts";
import { TLS_LIMITS } from "../http-server/listening.ts";
import type { Logger } from "../log/logger.ts";
import { collectProcessMetrics, type MetricsRegistry } from "../metrics/registry.ts";
import { type CertificateCallback, CertificateWatcher } from "../webhook/certificate-watcher.ts";
import { ManagerMetricsPathError } from "./errors.ts";
import { HttpServer, parseAddress, type TlsSource } from "./http-server.ts";

/**
 * Settings of the metrics server.
 *
 * controller-runtime: pkg/metrics/server.Options
 */
export interface MetricsServerOptions {
  /** The `host:port` to listen on; `0` disables the server. Default: `:8080`. */
  readonly bindAddress?: string;
  /** Serves HTTPS. Default: false. */
  readonly secureServing?: boolean;
  /** Authenticates and authorizes clients with the API server, or wraps the handlers with a custom filter. Default: no filter. */
  readonly filter?: "authentication-and-authorization" | MetricsFilter;
  /** Additional handlers by path. */
  readonly extraHandlers?: Readonly<Record<string, HttpHandler>>;
  /** The folder of the certificate. Default: `k8s-metrics-server/serving-certs` in the system's temporary folder. */
  readonly certDir?: string;
  /** The file name of the certificate. Default: `tls.crt`. */
  readonly certName?: string;
  /** The file name of the private key. Default: `tls.key`. */
  readonly keyName?: string;
  /** Receives the certificate of the files and its key when the server starts, and each new one. Default: none. */
  readonly onCertificate?: CertificateCallback;
  /** The served registry. Default: the registry of the process. */
  readonly registry?: MetricsRegistry;
}

/**
 * Wraps a handler to restrict access.
 *
 * controller-runtime: pkg/metrics/server.Filter
 */
export type MetricsFilter = (handler: HttpHandler) => HttpHandler;

const METRICS_PATH = "/metrics";

/** The routes of the metrics server; routes may be added while it serves. */
export class MetricsRoutes {
  readonly #handlers = new Map<string, HttpHandler>();

  constructor(registry: MetricsRegistry) {
    this.#handlers.set(METRICS_PATH, async () => {
      return new Response(await registry.metrics(), { headers: { "content-type": registry.contentType } });
    });
  }

  add(routePath: string, handler: HttpHandler): void {
    if (this.#handlers.has(routePath)) {
      throw new ManagerMetricsPathError(routePath);
    }
    this.#handlers.set(routePath, handler);
  }

  async serve(request: Request): Promise<Response> {
    const handler = this.#handlers.get(new URL(request.url).pathname);
    return handler === undefined ? pageNotFound() : await handler(request);
  }
}

/** Creates the metrics server; undefined when it is disabled. */
export function createMetricsServer(parts: {
  readonly options: MetricsServerOptions;
  readonly routes: MetricsRoutes;
  readonly registry: MetricsRegistry;
  readonly filter: MetricsFilter | undefined;
  readonly certificates: CertificateSource | undefined;
  readonly clock: Clock;
  readonly log: Logger;
}): HttpServer | undefined {
  const { options, routes, registry, filter, log } = parts;
  const address = parseAddress(options.bindAddress ?? ":8080");
  if (address === undefined) {
    return undefined;
  }
  collectProcessMetrics(registry);
  const serve: HttpHandler = async (request) => await routes.serve(request);
  return new HttpServer({
    name: "metrics",
    address,
    handler: filter === undefined ? serve : filter(serve),
    log,
    ...(options.secureServing === true ? { tls: tlsOf(parts) } : {}),
  });
}

function tlsOf(parts: Parameters<typeof createMetricsServer>[0]): TlsSource {
  const { certificates, options } = parts;
  return certificates === undefined || options.certDir !== undefined ? tlsSource(parts) : managedTls(certificates);
}

// Metrics are needed most when something hinders the certificate, so they are served from the start.
function managedTls(source: CertificateSource): TlsSource {
  return {
    load: async () => ({
      ...TLS_LIMITS,
      ...(source.current ?? (await createSelfSignedPair(["localhost"], ["127.0.0.1"]))),
    }),
    watch: (onChange) => ({ stop: source.subscribe((pair) => onChange({ ...TLS_LIMITS, ...pair })) }),
  };
}

// As upstream: files that are there when the server starts are watched, and only without them the certificate is its own.
function tlsSource(parts: {
  readonly options: MetricsServerOptions;
  readonly registry: MetricsRegistry;
  readonly clock: Clock;
  readonly log: Logger;
}): TlsSource {
  const { options, registry, clock, log } = parts;
  const folder = options.certDir ?? path.join(tmpdir(), "k8s-metrics-server", "serving-certs");
  const certPath = path.join(folder, options.certName ?? "tls.crt");
  const keyPath = path.join(folder, options.keyName ?? "tls.key");
  const watcher = new CertificateWatcher({
    certPath,
    keyPath,
    clock,
    log,
    registry,
  });
  let isWatched = false;
  return {
    load: async () => {
      isWatched = existsSync(certPath) && existsSync(keyPath);
      if (isWatched) return { ...TLS_LIMITS, ...(await watcher.load()) };
      log.info("serving metrics with a self-signed certificate", { certDir: folder });
      return { ...TLS_LIMITS, ...(await createSelfSignedPair(["localhost"], ["127.0.0.1"])) };
    },
    watch: (onChange) => {
      watcher.registerCallback((pair) => onChange({ ...TLS_LIMITS, ...pair }));
      if (options.onCertificate !== undefined) watcher.registerCallback(options.onCertificate);
      if (isWatched) watcher.start();
      return { stop: () => watcher.stop() };
    },
  };
}
