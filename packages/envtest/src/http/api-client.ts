import { StatusError, type RestConfig } from "@kubescaffold/k8s";
import type { KubernetesObject, Status } from "@kubescaffold/k8s/meta/v1";

import { transportOf } from "./transport.ts";

/** One call to an API server. */
export interface ApiCall {
  readonly method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Absolute path with its query. */
  readonly path: string;
  readonly body?: unknown;
  readonly contentType?: string;
}

/** The little of a client that an environment needs for itself: it knows paths, not kinds. */
export interface ApiClient {
  /** Sends a call and returns the answer's JSON. Fails: {@link StatusError} for every answer of 400 and above. */
  readonly call: (call: ApiCall) => Promise<unknown>;
  /** Sends a call and returns the answer's JSON as an object of a kind. */
  readonly object: (call: ApiCall) => Promise<KubernetesObject>;
  /** Returns the answer's text when it is below 400, else undefined; a server that cannot be reached counts as undefined too. */
  readonly probe: (path: string) => Promise<string | undefined>;
}

/** Creates a client for a config. */
export function createApiClient(config: RestConfig): ApiClient {
  const transport = transportOf(config);
  const call = async (apiCall: ApiCall): Promise<unknown> => {
    const response = await transport(requestOf(apiCall));
    const text = await response.text();
    if (response.status >= 400) throw new StatusError(statusOf(response.status, text));
    return text === "" ? undefined : JSON.parse(text);
  };
  return {
    call,
    object: async (apiCall) => (await call(apiCall)) as KubernetesObject,
    probe: async (path) => {
      try {
        const response = await transport(new Request(`http://server.invalid${path}`));
        const text = await response.text();
        return response.status < 400 ? text : undefined;
      } catch {
        return undefined;
      }
    },
  };
}

function requestOf({ method = "GET", path, body, contentType = "application/json" }: ApiCall): Request {
  const headers = body === undefined ? { accept: "application/json" } : { accept: "application/json", "content-type": contentType };
  return new Request(`http://server.invalid${path}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

function statusOf(code: number, text: string): Status {
  const parsed = parseJson(text) as Partial<Status> | undefined;
  if (parsed?.kind === "Status") return parsed as Status;
  return { kind: "Status", apiVersion: "v1", metadata: {}, status: "Failure", message: text.trim(), code };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
