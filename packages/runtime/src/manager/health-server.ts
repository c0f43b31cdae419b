import { healthHandler, type HealthCheck } from "../healthz/health-handler.ts";
import type { HttpHandler } from "../http-server/http-handler.ts";
import type { Logger } from "../log/logger.ts";
import { parseAddress } from "./address.ts";
import { HttpServer } from "./http-server.ts";

/** What the health server serves, and where. */
export interface HealthServerOptions {
  readonly bindAddress: string;
  readonly livenessEndpointName: string;
  readonly readinessEndpointName: string;
  readonly healthzChecks: ReadonlyMap<string, HealthCheck>;
  readonly readyzChecks: ReadonlyMap<string, HealthCheck>;
  readonly log: Logger;
}

/** Creates the server of the health endpoints; nothing when it is switched off. */
export function createHealthServer(options: HealthServerOptions): HttpServer | undefined {
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
      return found === undefined ? new Response("404 page not found\n", { status: 404 }) : await found.serve(request);
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
