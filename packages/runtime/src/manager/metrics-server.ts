import { readFile } from "node:fs/promises";
import type { ServerOptions } from "node:https";
import { tmpdir } from "node:os";
import path from "node:path";

import { type HttpHandler, pageNotFound } from "../http-server/http-handler.ts";
import type { Logger } from "../log/logger.ts";
import { collectProcessMetrics, type MetricsRegistry } from "../metrics/registry.ts";
import { ManagerMetricsPathError } from "./errors.ts";
import { HttpServer, parseAddress } from "./http-server.ts";
import { createSelfSignedPair } from "./self-signed-certificate.ts";

/** How metrics are served. */
export interface MetricsServerOptions {
  /** `host:port`, `:8080` unless given; `0` for no server. */
  readonly bindAddress?: string;
  /** Serves HTTPS. */
  readonly secureServing?: boolean;
  /** Lets only readers in whom the API server knows and allows to `get` the path. */
  readonly filter?: "authentication-and-authorization" | MetricsFilter;
  /** Handlers beside `/metrics`, by path. */
  readonly extraHandlers?: Readonly<Record<string, HttpHandler>>;
  /** The folder of the certificate: `k8s-metrics-server/serving-certs` in the folder for temporary files unless given. */
  readonly certDir?: string;
  /** `tls.crt` unless given. */
  readonly certName?: string;
  /** `tls.key` unless given. */
  readonly keyName?: string;
  /** What is served; the registry of the process unless given. */
  readonly registry?: MetricsRegistry;
}

/** Wraps a handler so that not everybody may call it. */
export type MetricsFilter = (handler: HttpHandler) => HttpHandler;

const METRICS_PATH = "/metrics";

/** The routes of the metrics server, which may grow while it serves. */
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

/** Creates the server of the metrics; nothing when it is switched off. */
export function createMetricsServer(parts: {
  readonly options: MetricsServerOptions;
  readonly routes: MetricsRoutes;
  readonly registry: MetricsRegistry;
  readonly filter: MetricsFilter | undefined;
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
    ...(options.secureServing === true ? { tls: async () => await servingTls(options, log) } : {}),
  });
}

async function servingTls(options: MetricsServerOptions, log: Logger): Promise<ServerOptions> {
  const folder = options.certDir ?? path.join(tmpdir(), "k8s-metrics-server", "serving-certs");
  const [cert, key] = await Promise.all(
    [options.certName ?? "tls.crt", options.keyName ?? "tls.key"].map(
      async (name) => await readFile(path.join(folder, name), "utf8").catch(() => undefined),
    ),
  );
  if (cert !== undefined && key !== undefined) {
    return { cert, key, minVersion: "TLSv1.2" };
  }
  log.info("the metrics are served with a certificate made for this process", { certDir: folder });
  return { ...(await createSelfSignedPair(["localhost"], ["127.0.0.1"])), minVersion: "TLSv1.2" };
}
