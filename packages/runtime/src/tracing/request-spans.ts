import type { Attributes } from "@opentelemetry/api";

import { exceptionOf } from "./exceptions.ts";
import { readPath, type RequestPath } from "./request-path.ts";
import { endAsFailed, type OpenSpan, startChildSpan } from "./spans.ts";

/** An attempt to send a request. */
export interface SentRequest {
  /** The URL of the server. */
  readonly server: string;
  /** The HTTP method. */
  readonly method: string;
  /** The path and query below the server's address. */
  readonly path: string;
  /** The number of earlier attempts. */
  readonly earlierAttempts: number;
}

/**
 * Starts the span of an attempt to send a request; undefined without an SDK.
 *
 * Guarantees: values of query parameters that a program chooses, such as selectors and commands, are `REDACTED`, and so are
 * credentials in the server's URL and paths behind `proxy`; headers and bodies are left out.
 */
export function startRequestSpan(request: SentRequest): OpenSpan | undefined {
  return startChildSpan(() => {
    const [path = "", query] = request.path.split("?", 2);
    const target = readPath(path);
    const template = target?.template;
    return {
      name: template === undefined ? request.method : `${request.method} ${template}`,
      kind: "client",
      attributes: {
        "http.request.method": request.method,
        ...serverAttributes(request, path, query),
        ...(template === undefined ? {} : { "url.template": template }),
        ...(target === undefined ? {} : targetAttributes(target)),
        ...(request.earlierAttempts > 0 ? { "http.request.resend_count": request.earlierAttempts } : {}),
      },
    };
  });
}

/** Ends the span of a request with the status of its response; statuses from 400 on are failures. */
export function endWithStatus(open: OpenSpan | undefined, status: number): void {
  if (open === undefined) return;
  open.span.setAttribute("http.response.status_code", status);
  if (status >= 400) endAsFailed(open, String(status));
  else open.span.end();
}

/** Ends the span of a request without a response. */
export function endWithoutResponse(open: OpenSpan | undefined, error: unknown): void {
  if (open !== undefined) endAsFailed(open, exceptionOf(error).type);
}

function serverAttributes({ server }: SentRequest, path: string, query: string | undefined): Attributes {
  if (!URL.canParse(server)) return {};
  const { protocol, host, hostname, port, pathname } = new URL(server);
  const base = `${protocol}//${host}${pathname.replace(/(?<!\/)\/+$/u, "")}`;
  return {
    "server.address": hostname.replace(/^\[(?<address>.*)\]$/u, "$<address>"),
    "server.port": port === "" ? (protocol === "http:" ? 80 : 443) : Number(port),
    "url.full": `${base}${readPath(path)?.safePath ?? path}${query === undefined ? "" : `?${safeQuery(query)}`}`,
  };
}

// Parameters whose values the API defines, so that they cannot contain data of a program.
const SAFE_PARAMETERS: ReadonlySet<string> = new Set([
  "allowWatchBookmarks",
  "dryRun",
  "fieldManager",
  "fieldValidation",
  "follow",
  "force",
  "gracePeriodSeconds",
  "limit",
  "orphanDependents",
  "propagationPolicy",
  "resourceVersion",
  "resourceVersionMatch",
  "sendInitialEvents",
  "stderr",
  "stdin",
  "stdout",
  "tailLines",
  "timeout",
  "timeoutSeconds",
  "timestamps",
  "tty",
  "watch",
]);

function safeQuery(query: string): string {
  return [...new URLSearchParams(query)]
    .map(
      ([name, value]) =>
        `${encodeURIComponent(name)}=${SAFE_PARAMETERS.has(name) ? encodeURIComponent(value) : "REDACTED"}`,
    )
    .join("&");
}

function targetAttributes({ resource, namespace, name }: RequestPath): Attributes {
  return {
    "kubescaffold.resource": resource,
    ...(namespace === undefined ? {} : { "k8s.namespace.name": namespace }),
    ...(name === undefined ? {} : { "kubescaffold.object.name": name }),
  };
}
