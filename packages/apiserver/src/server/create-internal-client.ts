import { StatusError, apiVersionOf, parseServerJson, printServerJson } from "@kubescaffold/k8s";
import type { Status } from "@kubescaffold/k8s/meta/v1";

import { DisconnectedError } from "../http/errors.ts";
import type { Handler } from "../http/in-process.ts";
import type { InternalClient, ObjectTarget, ServerContext } from "../pipeline/server-context.ts";
import { wholeText } from "../request/joined-text.ts";
import type { ServerRequest } from "../request/server-request.ts";
import type { ApiObject } from "../storage/api-object.ts";

/** Creates a client whose calls go through the pipeline without a socket. */
export function createInternalClient(handler: Handler, userAgent?: string): InternalClient {
  const call = (target: ObjectTarget, request: Call): Promise<ApiObject> =>
    send(handler, target, { ...request, userAgent });
  return {
    get: (target) => call(target, { method: "GET" }),
    create: (target, object) => call(target, { method: "POST", body: object }),
    update: (target, object) => call(target, { method: "PUT", body: object }),
    patch: (target, patch) => call(target, { method: "PATCH", ...patch }),
    delete: (target, options) => call(target, { method: "DELETE", body: options }),
    deleteCollection: (target, options) => call(target, { method: "DELETE", body: options }),
  };
}

/** Returns a client whose calls wait for their share of the event loop. */
export function sharingClient(client: InternalClient, turns: ServerContext["turns"]): InternalClient {
  const shared = async (call: () => Promise<ApiObject>): Promise<ApiObject> => {
    await turns.step();
    return await call();
  };
  return {
    get: (target) => shared(() => client.get(target)),
    create: (target, object) => shared(() => client.create(target, object)),
    update: (target, object) => shared(() => client.update(target, object)),
    patch: (target, patch) => shared(() => client.patch(target, patch)),
    delete: (target, options) => shared(() => client.delete(target, options)),
    deleteCollection: (target, options) => shared(() => client.deleteCollection(target, options)),
  };
}

interface Call {
  readonly method: string;
  readonly body?: unknown;
  readonly contentType?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly userAgent?: string | undefined;
}

async function send(handler: Handler, target: ObjectTarget, call: Call): Promise<ApiObject> {
  const answer = await handler(toRequest(target, call));
  const text = answer === undefined ? undefined : wholeText(answer.body);
  if (answer === undefined || text === undefined) {
    throw new DisconnectedError();
  }
  if (answer.code >= 400) {
    throw new StatusError(toStatus(answer.code, text));
  }
  return parseServerJson(text) as ApiObject;
}

function toStatus(code: number, body: string): Status {
  return body.startsWith("{")
    ? (JSON.parse(body) as Status)
    : {
        kind: "Status",
        apiVersion: "v1",
        metadata: {},
        status: "Failure",
        ...(code === 404 ? { reason: "NotFound" } : {}),
        message: body.trim(),
        code,
      };
}

function toRequest(target: ObjectTarget, { method, body, contentType, query, userAgent }: Call): ServerRequest {
  const text = body === undefined ? "" : printServerJson(body);
  const headers: Readonly<Record<string, string>> = {
    accept: "application/json",
    "content-type": contentType ?? "application/json",
    ...(userAgent === undefined ? {} : { "user-agent": userAgent }),
  };
  return {
    method,
    path: pathOf(target),
    query: new URLSearchParams(query),
    header: (name) => headers[name],
    headerValues: (name) => (headers[name] === undefined ? [] : [headers[name]]),
    headerNames: () => Object.keys(headers),
    body: () => Promise.resolve(text),
    bytes: () => Promise.resolve(Buffer.from(text, "utf8")),
    signal: NEVER_ABORTED,
    isAborted: () => false,
  };
}

const NEVER_ABORTED: AbortSignal = new AbortController().signal;

function pathOf(target: ObjectTarget): string {
  const prefix = target.group === "" ? "/api" : "/apis";
  const parts = [
    prefix,
    apiVersionOf(target),
    ...(target.namespace === "" || target.resource === "namespaces"
      ? []
      : ["namespaces", encodeURIComponent(target.namespace)]),
    target.resource,
    ...(target.name === "" ? [] : [encodeURIComponent(target.name)]),
    ...(target.subresource === undefined ? [] : [target.subresource]),
  ];
  return parts.join("/");
}
