import { deniedVerbIn, isTrueParameter, StatusError, usedVerbs } from "@kubescaffold/k8s";
import { isRecord } from "@kubescaffold/platform";
import type { Clock } from "@kubescaffold/platform/clock";

import { callReconcileId } from "../log/call-scope.ts";
import { readPath } from "../tracing/request-path.ts";
import { fromCallSite } from "./call-site.ts";
import type { Observer } from "./observer.ts";

/** The parts of a request that are observed. */
export interface ObservedRequest {
  readonly method: string;
  readonly path: string;
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly opensWebSocket?: boolean;
}

/** The parts of a response that are observed. */
export interface ObservedAnswer {
  readonly status: number;
  readonly body: unknown;
  readonly isUnchanged?: boolean;
}

/** The observer of a client's requests, and the clock of its times. */
export interface RequestObserver {
  readonly observer: Observer;
  readonly clock: Clock;
}

/** Sends a request; if it fails, the error has the stack of the call. Observes how it ended if there is an observer; `read` returns the parts of a response, by default a successful one without a body. */
// oxlint-disable-next-line typescript/promise-function-async -- one promise less for each request
export function observeRequest<T>(
  observer: RequestObserver | undefined,
  request: ObservedRequest,
  send: () => Promise<T>,
  read?: (answer: T) => ObservedAnswer,
): Promise<T> {
  return fromCallSite(observer === undefined ? send : () => sendObserved(observer, request, send, read));
}

async function sendObserved<T>(
  { observer, clock }: RequestObserver,
  request: ObservedRequest,
  send: () => Promise<T>,
  read: ((answer: T) => ObservedAnswer) | undefined,
): Promise<T> {
  const reconcileId = callReconcileId();
  const target = readPath(request.path);
  if (target === undefined) return await send();
  const at = clock.now();
  const startedAt = clock.monotonic();
  const { template: _template, safePath: _safePath, resource: _resource, namespace = "", name = "", ...parts } = target;
  const verb = verbOf(request, name);
  const end = ({ status, body, isUnchanged }: ObservedAnswer, deniedVerb?: string): void => {
    const isCollection = name === "" && request.method !== "POST";
    const written = metadataOf(isCollection ? undefined : body);
    observer.observe({
      kind: "request",
      at,
      durationMs: clock.monotonic() - startedAt,
      ...(reconcileId === undefined ? {} : { reconcileId }),
      verb,
      usedVerbs: usedVerbs({
        verb,
        subresource: parts.subresource,
        sendInitialEvents: request.query?.["sendInitialEvents"],
        isCreated: status === 201,
        opensWebSocket: request.opensWebSocket,
      }),
      ...(deniedVerb === undefined ? {} : { deniedVerb }),
      group: parts.group,
      version: parts.version,
      resource: parts.plural,
      subresource: parts.subresource ?? "",
      namespace: decodeURIComponent(namespace),
      name: name === "" && request.method === "POST" ? written.name : decodeURIComponent(name),
      isDryRun: (request.query?.["dryRun"] ?? "") !== "",
      status,
      ...(written.resourceVersion === "" ? {} : { resourceVersion: written.resourceVersion }),
      ...(isUnchanged === true ? { isUnchanged } : {}),
    });
  };
  try {
    const answer = await send();
    end(read?.(answer) ?? { status: SUCCESSES[request.method] ?? 200, body: undefined });
    return answer;
  } catch (error) {
    const { code = 0, message = "" } = error instanceof StatusError ? error.status : {};
    end({ status: code, body: undefined }, code === 403 ? deniedVerbIn(message) : undefined);
    throw error;
  }
}

const SUCCESSES: Readonly<Record<string, number>> = { POST: 201 };

function verbOf({ method, query }: ObservedRequest, name: string): string {
  switch (method) {
    case "GET":
      return name !== "" ? "get" : isTrueParameter(query?.["watch"]) ? "watch" : "list";
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
