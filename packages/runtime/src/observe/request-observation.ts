import { isRecord, StatusError } from "@kubescaffold/k8s";

import type { Clock } from "../clock/clock.ts";
import { callReconcileId } from "../log/call-scope.ts";
import { readPath } from "../tracing/request-path.ts";
import type { Observer } from "./observer.ts";

/** The parts of a request that are observed. */
export interface ObservedRequest {
  readonly method: string;
  readonly path: string;
  readonly query?: Readonly<Record<string, string | undefined>>;
}

/** The observer of a client's requests, and the clock of its times. */
export interface RequestObserver {
  readonly observer: Observer;
  readonly clock: Clock;
}

/** Sends a request, and observes how it ended if there is an observer; `bodyOf` returns the body of a response. */
// oxlint-disable-next-line typescript/promise-function-async -- one promise less for each request
export function observeRequest<T>(
  observer: RequestObserver | undefined,
  request: ObservedRequest,
  send: () => Promise<T>,
  bodyOf?: (answer: T) => unknown,
): Promise<T> {
  return observer === undefined ? send() : sendObserved(observer, request, send, bodyOf);
}

async function sendObserved<T>(
  { observer, clock }: RequestObserver,
  request: ObservedRequest,
  send: () => Promise<T>,
  bodyOf: ((answer: T) => unknown) | undefined,
): Promise<T> {
  const reconcileId = callReconcileId();
  const target = request.method === "GET" && reconcileId === undefined ? undefined : readPath(request.path);
  if (target === undefined) return await send();
  const at = clock.now();
  const startedAt = clock.monotonic();
  const { template: _template, safePath: _safePath, resource: _resource, namespace = "", name = "", ...parts } = target;
  const end = (status: number, body: unknown): void => {
    const isCollection = name === "" && request.method !== "POST";
    const written = metadataOf(isCollection ? undefined : body);
    observer.observe({
      kind: "request",
      at,
      durationMs: clock.monotonic() - startedAt,
      ...(reconcileId === undefined ? {} : { reconcileId }),
      verb: verbOf(request.method, name),
      group: parts.group,
      version: parts.version,
      resource: parts.plural,
      subresource: parts.subresource ?? "",
      namespace: decodeURIComponent(namespace),
      name: name === "" && request.method === "POST" ? written.name : decodeURIComponent(name),
      isDryRun: (request.query?.["dryRun"] ?? "") !== "",
      status,
      ...(written.resourceVersion === "" ? {} : { resourceVersion: written.resourceVersion }),
    });
  };
  try {
    const answer = await send();
    end(request.method === "POST" ? 201 : 200, bodyOf?.(answer));
    return answer;
  } catch (error) {
    end(error instanceof StatusError ? (error.status.code ?? 0) : 0, undefined);
    throw error;
  }
}

function verbOf(method: string, name: string): string {
  switch (method) {
    case "GET":
      return name === "" ? "list" : "get";
    case "POST":
      return "create";
    case "PUT":
      return "update";
    case "PATCH":
      return "patch";
    default:
      return name === "" ? "deletecollection" : "delete";
  }
}

function metadataOf(body: unknown): { readonly name: string; readonly resourceVersion: string } {
  const metadata = isRecord(body) && isRecord(body["metadata"]) ? body["metadata"] : {};
  const { name, resourceVersion } = metadata;
  return {
    name: typeof name === "string" ? name : "",
    resourceVersion: typeof resourceVersion === "string" ? resourceVersion : "",
  };
}
