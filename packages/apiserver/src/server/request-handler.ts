import { randomUUID } from "node:crypto";

import { StatusError } from "@kubescaffold/k8s";

import { presentsToken } from "../authentication/bearer-token.ts";
import { impersonate } from "../authentication/impersonation.ts";
import { dispatchResource, type DispatchEnvironment } from "../handlers/dispatch.ts";
import { refuseForeign } from "../http/foreign-requests.ts";
import type { Handler } from "../http/in-process.ts";
import { MALFORMED, objectAnswer, PANIC, statusHeaders, warningHeaders } from "../output/write-response.ts";
import { type Authenticator, type Authorizer, denial } from "../pipeline/extension-points.ts";
import { unauthorized } from "../request/failures.ts";
import {
  ADMIN,
  ANONYMOUS,
  AUTHENTICATED,
  negotiate,
  negotiateFailure,
  type OutputFormat,
  parseRequestInfo,
  queryFlag,
  type RequestContext,
  type RequestInfo,
  UNAUTHENTICATED,
  type UserInfo,
  MEDIA_TYPE_NAMES,
  PROTOBUF,
} from "../request/request-context.ts";
import type { ServerRequest, ServerResponse } from "../request/server-request.ts";
import type { AuditEntry, AuditRecord } from "./api-server.ts";
import type { FaultInjector } from "./fault-injector.ts";
import type { MetaEndpoints } from "./meta-endpoints.ts";
import type { ObjectHistory } from "./object-history.ts";
import type { Deadlines, RequestsInFlight } from "./request-limits.ts";

/** Dependencies of the request handler. */
export interface RequestHandlerParts {
  readonly environment: DispatchEnvironment;
  readonly authenticators: readonly Authenticator[];
  readonly allowAnonymous: boolean;
  readonly faults: FaultInjector;
  readonly audit: AuditLog;
  /** Undefined unless it is recorded. */
  readonly history: ObjectHistory | undefined;
  readonly metaEndpoints: MetaEndpoints;
  readonly inFlight: RequestsInFlight;
  readonly deadlines: Deadlines;
  /** Receives the error of a request that was answered with 500 because the server has a defect. */
  readonly reportPanic: (error: unknown) => void;
}

/** Creates the handler of all requests: limits, authentication, faults, authorization, then the resource or the path. */
export function createRequestHandler(parts: RequestHandlerParts): Handler {
  return (request) =>
    answerTo(parts, request, async (warnings) => {
      if (request.hostNames !== undefined) refuseForeign(request, { readsTokens: parts.authenticators.length > 0 });
      const info = parseRequestInfo(request);
      if (info === undefined) return MALFORMED;
      return await parts.deadlines.run(info, request.query, async (deadline) => {
        const user = await actingUser(parts, request);
        return await parts.inFlight.run(info, user, async () =>
          handle(parts, { request, info, user, warnings, output: outputOf(parts, request, info), deadline }),
        );
      });
    });
}

async function actingUser(parts: RequestHandlerParts, request: ServerRequest): Promise<UserInfo> {
  const user = await authenticate(parts, request);
  const isPlain = !request.headerNames().some((name) => name.startsWith("impersonate-"));
  return isPlain ? user : impersonate(request, { user, authorizer: parts.environment.authorizer });
}

// Fails with 401.
async function authenticate(parts: RequestHandlerParts, request: ServerRequest): Promise<UserInfo> {
  const { authenticators, allowAnonymous } = parts;
  if (authenticators.length === 0) {
    return ADMIN;
  }
  for (const authenticator of authenticators) {
    const result = await authenticator.authenticate(request);
    if (result.kind === "user") {
      return withGroup(result.user);
    }
    if (result.kind === "refused") {
      throw unauthorized();
    }
  }
  // A token that nobody knows is wrong, not absent; schemes that nobody reads are no credentials.
  if (!allowAnonymous || presentsToken(request)) {
    throw unauthorized();
  }
  return ANONYMOUS;
}

function withGroup(user: UserInfo): UserInfo {
  return user.groups.includes(AUTHENTICATED) || user.groups.includes(UNAUTHENTICATED)
    ? user
    : { ...user, groups: [...user.groups, AUTHENTICATED] };
}

/** Handles an internal request of the server as a given user; no limits apply. */
export async function handleInternal(
  parts: RequestHandlerParts,
  request: ServerRequest,
  user: UserInfo,
): Promise<ServerResponse | undefined> {
  return answerTo(parts, request, async (warnings) => {
    const info = parseRequestInfo(request);
    return info === undefined
      ? MALFORMED
      : handle(parts, { request, info, user, warnings, output: outputOf(parts, request, info), deadline: UNLIMITED });
  });
}

const UNLIMITED = { isOver: false } as const;

async function answerTo(
  parts: RequestHandlerParts,
  request: ServerRequest,
  find: (warnings: string[]) => Promise<ServerResponse | undefined>,
): Promise<ServerResponse | undefined> {
  const warnings: string[] = [];
  try {
    const answer = await find(warnings);
    return answer === undefined ? undefined : withCommonHeaders(answer, warnings);
  } catch (error) {
    if (error instanceof StatusError) return withCommonHeaders(await failureAnswer(request, error), warnings);
    parts.reportPanic(error);
    return withCommonHeaders(PANIC, warnings);
  }
}

async function handle(parts: RequestHandlerParts, context: RequestContext): Promise<ServerResponse | undefined> {
  const { info, user } = context;
  if (parts.faults.planned.size > 0 && (await parts.faults.strike(info, user.name)) === "disconnect") return undefined;
  await authorize(parts, info, user);
  if (!info.isResourceRequest) return await parts.metaEndpoints.handle(context);
  const dispatch = async (): Promise<ServerResponse> => await dispatchResource(parts.environment, context);
  return parts.history === undefined || READS.has(info.verb)
    ? await dispatch()
    : await parts.history.attribute(context, dispatch);
}

const READS: ReadonlySet<string> = new Set(["get", "list", "watch"]);

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

const DISCOVERY = /^\/apis?(?:\/|$)/;
const PRINTS_PRETTY = /^(curl|Wget|Mozilla)\//;

function outputOf({ environment }: RequestHandlerParts, request: ServerRequest, info: RequestInfo): () => OutputFormat {
  let output: OutputFormat | undefined;
  return () => {
    const isPretty = request.query.has("pretty")
      ? queryFlag(request.query, "pretty")
      : PRINTS_PRETTY.test(request.header("user-agent") ?? "");
    const hasProtobuf = info.isResourceRequest
      ? environment.registry.find(info)?.isCustom !== true
      : DISCOVERY.test(info.path);
    // What is not stored has no columns.
    const hasTable = info.verb !== "create" || environment.virtualResources.find(info) === undefined;
    const representations = representationsOf(environment, info);
    output ??= negotiate(request.header("accept"), { isPretty, hasProtobuf, hasTable, representations });
    return output;
  };
}

// As upstream, routes decide about built-in resources and most documents, and handlers about custom resources and groups.
function representationsOf(
  { registry }: RequestHandlerParts["environment"],
  info: RequestInfo,
): readonly string[] | undefined {
  if (!info.isResourceRequest) {
    if (info.path === "/version") return ["application/json"];
    return DISCOVERY_OF_VERSION.test(info.path) ? MEDIA_TYPE_NAMES : undefined;
  }
  if (registry.find(info)?.isCustom !== false) return undefined;
  return info.verb === "list" || info.verb === "watch" ? COLLECTION_TYPES : MEDIA_TYPE_NAMES;
}

const DISCOVERY_OF_VERSION = /^\/api\/.|^\/apis\/[^/]+\/./;
const COLLECTION_TYPES = [...MEDIA_TYPE_NAMES, "application/json;stream=watch", `${PROTOBUF};stream=watch`];

async function failureAnswer(request: ServerRequest, { status }: StatusError): Promise<ServerResponse> {
  return objectAnswer({
    code: status.code ?? 500,
    object: status,
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
