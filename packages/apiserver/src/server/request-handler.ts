import { randomUUID } from "node:crypto";

import { impersonate, authenticate } from "../authentication/acting-user.ts";
import { dispatchResource, type DispatchEnvironment } from "../handlers/dispatch.ts";
import type { Handler } from "../http/in-process.ts";
import { jsonAnswer, statusHeaders, statusOf, warningHeaders } from "../output/write-response.ts";
import { type Authenticator, type Authorizer, denial } from "../pipeline/extension-points.ts";
import { throwNotBuilt } from "../request/failures.ts";
import {
  negotiate,
  negotiateFailure,
  type OutputFormat,
  parseRequestInfo,
  queryFlag,
  type RequestContext,
  type RequestInfo,
  type UserInfo,
} from "../request/request-context.ts";
import type { ServerRequest, ServerResponse } from "../request/server-request.ts";
import type { AuditEntry, AuditRecord } from "./api-server.ts";
import type { FaultInjector } from "./fault-injector.ts";
import type { MetaEndpoints } from "./meta-endpoints.ts";

/** Dependencies of the request handler. */
export interface RequestHandlerParts {
  readonly environment: DispatchEnvironment;
  readonly authenticators: readonly Authenticator[];
  readonly allowAnonymous: boolean;
  readonly faults: FaultInjector;
  readonly audit: AuditLog;
  readonly metaEndpoints: MetaEndpoints;
}

/** Creates the handler of all requests: authentication, faults, authorization, then the resource or the path. */
export function createRequestHandler(parts: RequestHandlerParts): Handler {
  return (request) => handleAs(parts, request, () => actingUser(parts, request));
}

async function actingUser(parts: RequestHandlerParts, request: ServerRequest): Promise<UserInfo> {
  const user = await authenticate(request, parts);
  return impersonate(request, { user, authorizer: parts.environment.authorizer });
}

/** Handles a request of the server's own, whose user is known. */
export async function handleInternal(
  parts: RequestHandlerParts,
  request: ServerRequest,
  user: UserInfo,
): Promise<ServerResponse | undefined> {
  return handleAs(parts, request, () => Promise.resolve(user));
}

async function handleAs(
  parts: RequestHandlerParts,
  request: ServerRequest,
  findUser: () => Promise<UserInfo>,
): Promise<ServerResponse | undefined> {
  const warnings: string[] = [];
  try {
    refuseUpgrade(request);
    const info = parseRequestInfo(request);
    const user = await findUser();
    if (parts.faults.planned.size > 0 && (await parts.faults.strike(info, user.name)) === "disconnect") {
      return undefined;
    }
    await authorize(parts, info, user);
    const context: RequestContext = { request, info, user, warnings, output: outputOf(request) };
    const answer = info.isResourceRequest
      ? await dispatchResource(parts.environment, context)
      : await parts.metaEndpoints.handle(context);
    return withCommonHeaders(answer, warnings);
  } catch (error) {
    return withCommonHeaders(await failureAnswer(request, error), warnings);
  }
}

function refuseUpgrade(request: ServerRequest): void {
  if (request.header("upgrade") !== undefined) {
    throwNotBuilt("watch-websocket");
  }
}

// Health is answered to everyone, as probes have no credentials.
const ALWAYS_ALLOWED = /^\/(healthz|livez|readyz)(\/|$)/;

/** Authorizer of a server without one: allows everything. */
export const alwaysAllow: Authorizer = { authorize: () => ({ allowed: true, reason: "" }) };

async function authorize(parts: RequestHandlerParts, info: RequestInfo, user: UserInfo): Promise<void> {
  if (!info.isResourceRequest && ALWAYS_ALLOWED.test(info.path)) {
    return;
  }
  const attributes = { ...info, user };
  const decision = await parts.environment.authorizer.authorize(attributes);
  parts.audit.record(info, user.name, decision.allowed);
  if (!decision.allowed) {
    throw denial(attributes, decision);
  }
}

const PRINTS_PRETTY = /^(curl|Wget|Mozilla)\//;

function outputOf(request: ServerRequest): () => OutputFormat {
  let output: OutputFormat | undefined;
  return () => {
    const isPretty = request.query.has("pretty")
      ? queryFlag(request.query, "pretty")
      : PRINTS_PRETTY.test(request.header("user-agent") ?? "");
    output ??= negotiate(request.header("accept"), { isPretty });
    return output;
  };
}

async function failureAnswer(request: ServerRequest, error: unknown): Promise<ServerResponse> {
  const status = statusOf(error);
  return jsonAnswer({
    code: status.code ?? 500,
    text: JSON.stringify(status),
    output: negotiateFailure(request.header("accept")),
    headers: statusHeaders(status),
  });
}

function withCommonHeaders(answer: ServerResponse, warnings: readonly string[]): ServerResponse {
  return {
    ...answer,
    headers: {
      "Audit-Id": randomUUID(),
      "Cache-Control": "no-cache, private",
      ...(warnings.length === 0 ? {} : { Warning: warningHeaders(warnings) }),
      ...answer.headers,
    },
  };
}

type Counted = { -readonly [Key in keyof AuditEntry]: AuditEntry[Key] };

/** Counts requests by user, verb and target. */
export class AuditLog implements AuditRecord {
  readonly #entries = new Map<string, Counted>();

  entries(user?: string): readonly AuditEntry[] {
    return [...this.#entries.entries()]
      .filter(([, entry]) => user === undefined || entry.user === user)
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .map(([, entry]) => ({ ...entry }));
  }

  clear(): void {
    this.#entries.clear();
  }

  /** Counts one request. */
  record(info: RequestInfo, user: string, isAllowed: boolean): void {
    const { verb, group, namespace, isResourceRequest } = info;
    const resource = info.subresource === "" ? info.resource : `${info.resource}/${info.subresource}`;
    const path = isResourceRequest ? "" : info.path;
    const key = [user, group, resource, verb, namespace, path].join("\0");
    let entry = this.#entries.get(key);
    if (entry === undefined) {
      entry = { user, verb, group, resource, namespace, path, allowed: 0, denied: 0 };
      this.#entries.set(key, entry);
    }
    entry[isAllowed ? "allowed" : "denied"] += 1;
  }
}
