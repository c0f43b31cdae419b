import type { Clock } from "@kubescaffold/platform/clock";

import { callLogger } from "../log/call-scope.ts";
import type { Logger } from "../log/logger.ts";
import { log as rootLog } from "../log/root-logger.ts";
import type { Sender, WireHeaders, WireRequest, WireResponse } from "./wire.ts";

/**
 * A detail of requests that a client logs; `curl-command` replaces `url`.
 *
 * client-go: transport.DebugLevel
 */
export type RequestLogDetail =
  | "url"
  | "url-timing"
  | "curl-command"
  | "request-headers"
  | "response-status"
  | "response-headers";

const DETAILS_BY_VERBOSITY: readonly (readonly RequestLogDetail[])[] = [
  ["url-timing", "response-status"],
  ["url", "request-headers", "response-status"],
  ["url", "request-headers", "response-status", "response-headers"],
  ["curl-command", "url-timing", "response-status", "response-headers"],
];

/**
 * Returns the details that kubectl and other Go clients log at a verbosity (`-v`): none below 6, more at 7, 8, and 9.
 *
 * client-go: transport.DebugWrappers
 */
export function requestLogDetails(verbosity: number): readonly RequestLogDetail[] {
  return verbosity < 6 ? [] : (DETAILS_BY_VERBOSITY[Math.min(9, Math.floor(verbosity)) - 6] ?? []);
}

/** The requests that a client logs. */
export interface RequestLog {
  readonly server: string;
  readonly details: ReadonlySet<RequestLogDetail>;
  readonly log: Logger;
  readonly now: () => number;
}

/** Returns the log of a client's options; undefined without details. */
export function createRequestLog(
  server: string,
  { requestLog = [], log = rootLog }: { readonly requestLog?: readonly RequestLogDetail[]; readonly log?: Logger },
  clock: Clock,
): RequestLog | undefined {
  return requestLog.length === 0
    ? undefined
    : { server, details: new Set(requestLog), log, now: () => clock.monotonic() };
}

/**
 * Sends a request, and logs it and its response.
 *
 * Guarantees: credentials in headers are replaced with `<masked>`; bodies are not logged.
 */
export async function sendLogged(
  sender: Sender,
  request: WireRequest,
  { server, details, log: ownLog, now }: RequestLog,
): Promise<WireResponse> {
  const log = (callLogger() ?? ownLog).withName("rest");
  const url = `${server}${request.path}`;
  const target = { verb: request.method, url };
  logRequest(log, { request, url, details });
  const startedAt = now();
  const isTimed = details.has("url-timing");
  try {
    const response = await sender.send(request);
    const fields = {
      ...(isTimed ? { ...target, milliseconds: Math.round(now() - startedAt) } : {}),
      ...(details.has("response-status") ? { status: response.status, ...fairness(response) } : {}),
      ...(details.has("response-headers") ? { headers: masked(response.headers()) } : {}),
    };
    if (Object.keys(fields).length > 0) log.info("response", fields);
    return response;
  } catch (error) {
    if (isTimed || details.has("response-status")) {
      log.info("no response", { ...target, milliseconds: Math.round(now() - startedAt), error });
    }
    throw error;
  }
}

function logRequest(
  log: Logger,
  {
    request,
    url,
    details,
  }: { readonly request: WireRequest; readonly url: string; readonly details: ReadonlySet<RequestLogDetail> },
): void {
  const fields = {
    ...(details.has("url") && !details.has("curl-command") ? { verb: request.method, url } : {}),
    ...(details.has("curl-command") ? { curlCommand: curlCommand(request, url) } : {}),
    ...(details.has("request-headers") ? { headers: masked(request.headers) } : {}),
  };
  if (Object.keys(fields).length > 0) log.info("request", fields);
}

// The flow schema and the priority level that the server's priority and fairness chose for the request.
function fairness(response: WireResponse): { readonly flowSchema?: string; readonly priorityLevel?: string } {
  const flowSchema = response.header("x-kubernetes-pf-flowschema-uid");
  const priorityLevel = response.header("x-kubernetes-pf-prioritylevel-uid");
  return {
    ...(flowSchema === undefined ? {} : { flowSchema }),
    ...(priorityLevel === undefined ? {} : { priorityLevel }),
  };
}

const SECRET_HEADERS: ReadonlySet<string> = new Set(["authorization", "proxy-authorization", "cookie", "set-cookie"]);
const SCHEMES: ReadonlySet<string> = new Set(["bearer", "basic", "negotiate"]);

function masked(headers: WireHeaders): Record<string, string | readonly string[]> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      typeof value === "string" ? maskValue(name, value) : value.map((each) => maskValue(name, each)),
    ]),
  );
}

function maskValue(name: string, value: string): string {
  if (!SECRET_HEADERS.has(name.toLowerCase())) return value;
  const scheme = value.split(" ", 1)[0] ?? "";
  return SCHEMES.has(scheme.toLowerCase()) ? `${scheme} <masked>` : "<masked>";
}

function curlCommand({ method, headers }: WireRequest, url: string): string {
  const options = Object.entries(masked(headers)).flatMap(([name, value]) =>
    (typeof value === "string" ? [value] : value).map((each) => ` -H ${quoted(`${name}: ${each}`)}`),
  );
  return `curl -v -X${method}${options.join("")} ${quoted(url)}`;
}

// A single quote ends the quoted text, so it is written outside of it.
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
