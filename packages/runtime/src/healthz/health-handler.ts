import { messageOf, readableError } from "@kubescaffold/k8s";

import type { Logger } from "../log/logger.ts";

/**
 * Returns if the check passes, and throws if it fails.
 *
 * controller-runtime: pkg/healthz.Checker
 */
export type HealthCheck = (request: Request) => void | Promise<void>;

/**
 * A check that always passes.
 *
 * controller-runtime: pkg/healthz.Ping
 */
export const ping: HealthCheck = () => undefined;

/** Options of {@link healthHandler}. */
export interface HealthHandlerOptions {
  /** The path of the endpoint, such as `/healthz`; `/healthz/<name>` runs one check. */
  readonly path: string;
  /** The checks by name; read on every request, so checks may be added later. */
  readonly checks: ReadonlyMap<string, HealthCheck>;
  /** The logger of failed checks. */
  readonly log: Logger;
}

/**
 * Serves checks like upstream's health endpoints: `ok`, or 500 with a line per check; reasons are logged, not returned.
 *
 * `?verbose` prints the lines on success too, `?exclude=name` skips a check, and without any check the endpoint passes.
 *
 * controller-runtime: pkg/healthz.Handler
 */
export function healthHandler(options: HealthHandlerOptions): (request: Request) => Promise<Response> {
  return async (request) => {
    const url = new URL(request.url);
    const name = url.pathname.slice(options.path.length).replace(/^\/|\/$/gu, "");
    if (name !== "") return await serveOne(options, name, request);
    return await serveAll(options, url, request);
  };
}

async function serveOne(options: HealthHandlerOptions, name: string, request: Request): Promise<Response> {
  const check = effectiveChecks(options).get(name);
  if (check === undefined) return textResponse(404, "404 page not found\n");
  const failure = await runCheck(check, request);
  return failure === undefined
    ? textResponse(200, "ok")
    : textResponse(500, `internal server error: ${failure.message}\n`);
}

async function serveAll(options: HealthHandlerOptions, url: URL, request: Request): Promise<Response> {
  const excluded = new Set(url.searchParams.getAll("exclude"));
  const lines: string[] = [];
  const failed: string[] = [];
  for (const [name, check] of [...effectiveChecks(options)].toSorted(([left], [right]) => (left < right ? -1 : 1))) {
    // The implicit check is none that a request could name, as upstream.
    if (options.checks.size > 0 && excluded.delete(name)) {
      lines.push(`[+]${name} excluded: ok`);
      continue;
    }
    const failure = await runCheck(check, request);
    if (failure !== undefined) {
      options.log.error(failure, "a health check failed", { checker: name });
      failed.push(name);
    }
    lines.push(failure === undefined ? `[+]${name} ok` : `[-]${name} failed: reason withheld`);
  }
  if (excluded.size > 0) {
    const names = [...excluded].map((name) => JSON.stringify(name)).join(",");
    lines.push(`warn: some health checks cannot be excluded: no matches for ${names}`);
    options.log.info("cannot exclude unknown health checks", { names: [...excluded] });
  }
  return aggregate(url, { lines, failed });
}

function aggregate(
  url: URL,
  result: { readonly lines: readonly string[]; readonly failed: readonly string[] },
): Response {
  const check = url.pathname.replace(/^\/|\/$/gu, "");
  const lines = result.lines.map((line) => `${line}\n`).join("");
  if (result.failed.length > 0) return textResponse(500, `${lines}${check} check failed\n`);
  return url.searchParams.has("verbose")
    ? textResponse(200, `${lines}${check} check passed\n`)
    : textResponse(200, "ok");
}

function effectiveChecks(options: HealthHandlerOptions): ReadonlyMap<string, HealthCheck> {
  return options.checks.size > 0 ? options.checks : new Map([["ping", ping]]);
}

async function runCheck(check: HealthCheck, request: Request): Promise<Error | undefined> {
  try {
    await check(request);
    return undefined;
  } catch (thrown) {
    const error = readableError(thrown);
    return error instanceof Error ? error : new Error(messageOf(error));
  }
}

function textResponse(status: number, body: string): Response {
  return new Response(body, {
    status,
    headers: { "content-type": "text/plain; charset=utf-8", "x-content-type-options": "nosniff" },
  });
}
