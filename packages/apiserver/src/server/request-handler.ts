import { randomUUID } from "node:crypto";

import { messageOf, StatusError, usedVerbs } from "@kubescaffold/k8s";

import type { AuditedRequest } from "../audit/request-audit.ts";
import type { RequestLog } from "../audit/request-log.ts";
import { presentsToken } from "../authentication/bearer-token.ts";
import { impersonate } from "../authentication/impersonation.ts";
import type { CborLimits } from "../cbor/cbor-limits.ts";
import type { DispatchEnvironment } from "../handlers/dispatch.ts";
import { refuseForeign } from "../http/foreign-requests.ts";
import type { Handler } from "../http/in-process.ts";
import type { RequestMetrics } from "../metrics/request-metrics.ts";
import { MALFORMED, objectAnswer, PANIC, statusHeaders, warningHeaders } from "../output/write-response.ts";
import {
  type Aggregator,
  type Authenticator,
  type AuthorizationDecision,
  type AuthorizationAttributes,
  type Authorizer,
  denial,
  type RequestClassifier,
} from "../pipeline/extension-points.ts";
import type { Release } from "../release/release.ts";
import { isUnroutable, unauthorized } from "../request/failures.ts";
import {
  ADMIN,
  ANONYMOUS,
  AUTHENTICATED,
  CBOR,
  collectionTypeNames,
  type AuditTrail,
  negotiate,
  negotiateFailure,
  type OutputFormat,
  parseRequestInfo,
  queryFlag,
  type RequestContext,
  type RequestInfo,
  mediaTypeNames,
  UNAUTHENTICATED,
  type UserInfo,
} from "../request/request-context.ts";
import type { ServerRequest, ServerResponse } from "../request/server-request.ts";
import type { AuditEntry, AuditRecord } from "./api-server.ts";
import type { FaultInjector } from "./fault-injector.ts";
import type { MetaEndpoints } from "./meta-endpoints.ts";
import { type Deadlines, isLongRunning, type RequestsInFlight } from "./request-limits.ts";
import type { RequestWrites } from "./writes/request-writes.ts";

/** Dependencies of the request handler. */
export interface RequestHandlerParts {
  readonly release: Release;
  readonly environment: DispatchEnvironment;
  readonly authenticators: readonly Authenticator[];
  readonly allowAnonymous: boolean;
  readonly faults: FaultInjector;
  readonly audit: AuditLog;
  readonly writes: RequestWrites;
  /** Absent unless requests are logged. */
  readonly requestLog: RequestLog | undefined;
  readonly metaEndpoints: MetaEndpoints;
  /** Absent where no other servers are served. */
  readonly aggregator: Aggregator | undefined;
  /** Absent where requests have no priority. */
  readonly classifier: RequestClassifier | undefined;
  readonly inFlight: RequestsInFlight;
  readonly deadlines: Deadlines;
  /** Whether bodies and answers may be in CBOR. */
  readonly hasCbor: boolean;
  readonly cborLimits: CborLimits;
  readonly metrics: RequestMetrics;
  /** Receives the error of a request that was answered with 500 because the server has a defect. */
  readonly reportPanic: (error: unknown) => void;
}

/** Creates the handler of all requests: limits, authentication, faults, authorization, then the resource or the path. */
export function createRequestHandler(parts: RequestHandlerParts): Handler {
  return (request) =>
    answerTo(parts, request, async ({ warnings, auditId, headers }) => {
      if (request.hostNames !== undefined) refuseForeign(request, { readsTokens: parts.authenticators.length > 0 });
      const info = parseRequestInfo(request);
      if (info === undefined) return MALFORMED;
      return await parts.deadlines.run(info, request.query, async (deadline) => {
        const subject = { request, info, auditId };
        const user = await authenticated(parts, subject);
        if ("code" in user) return user;
        return await logged(parts, { request, info, auditId, user }, async (audit) => {
          const actor = await actingUser(parts, request, { user, audit });
          const output = outputOf(parts, request, info);
          Object.assign(headers, classOf(parts, info, actor));
          return await parts.inFlight.run(info, actor, async () =>
            handle(parts, {
              request,
              info,
              user: actor,
              auditId,
              audit,
              warnings,
              output,
              deadline,
              hasCbor: parts.hasCbor,
              cborLimits: parts.cborLimits,
              observeWebhook: parts.metrics.countWebhook,
            }),
          );
        });
      });
    });
}

// Streams are not counted, unlike watches.
function classOf(
  { classifier }: RequestHandlerParts,
  info: RequestInfo,
  user: UserInfo,
): Readonly<Record<string, string>> {
  const isCounted = info.verb === "watch" || !isLongRunning(info);
  return isCounted ? (classifier?.headersFor(info, user) ?? {}) : {};
}

// Returns the response to a request that cannot be authenticated, if it is logged. Fails: with 401.
async function authenticated(
  parts: RequestHandlerParts,
  subject: Omit<AuditedRequest, "user">,
): Promise<UserInfo | ServerResponse> {
  try {
    return await authenticate(parts, subject.request);
  } catch (error) {
    if (parts.requestLog === undefined || !(error instanceof StatusError)) throw error;
    const response = await failureAnswer(subject.request, error);
    await (await parts.requestLog.auditor()).refuse({ ...subject, user: undefined }, response);
    return response;
  }
}

async function logged(
  parts: RequestHandlerParts,
  subject: AuditedRequest,
  work: (audit: AuditTrail | undefined) => Promise<ServerResponse | undefined>,
): Promise<ServerResponse | undefined> {
  if (parts.requestLog === undefined) return await work(undefined);
  const audit = (await parts.requestLog.auditor()).auditOf(subject);
  if (audit === undefined) return await work(undefined);
  if ((await audit.begin()) === false) return audit.lost();
  const answerOf = async (error: unknown): Promise<ServerResponse> => {
    if (error instanceof StatusError) return await failureAnswer(subject.request, error);
    await audit.panic(messageOf(error));
    throw error;
  };
  const answer = await work(audit).catch(answerOf);
  return answer === undefined ? undefined : await audit.finish(answer, isLongRunning(subject.info));
}

async function actingUser(
  parts: RequestHandlerParts,
  request: ServerRequest,
  { user, audit }: { readonly user: UserInfo; readonly audit: AuditTrail | undefined },
): Promise<UserInfo> {
  const isPlain = !request.headerNames().some((name) => name.startsWith("impersonate-"));
  if (isPlain) return user;
  const impersonated = await impersonate(request, { ...parts.environment, release: parts.release, user });
  if (impersonated !== user) audit?.noteImpersonated(impersonated);
  return impersonated;
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
  return answerTo(parts, request, async ({ warnings, auditId }) => {
    const info = parseRequestInfo(request);
    if (info === undefined) return MALFORMED;
    const output = outputOf(parts, request, info);
    return await logged(parts, { request, info, user, auditId }, async (audit) =>
      handle(parts, {
        request,
        info,
        user,
        auditId,
        audit,
        warnings,
        output,
        deadline: UNLIMITED,
        hasCbor: parts.hasCbor,
        cborLimits: parts.cborLimits,
        observeWebhook: parts.metrics.countWebhook,
      }),
    );
  });
}

const UNLIMITED = { isOver: false } as const;

// What every answer has in its headers.
interface CommonHeaders extends Pick<RequestContext, "auditId" | "warnings"> {
  readonly headers: Record<string, string>;
}

async function answerTo(
  parts: RequestHandlerParts,
  request: ServerRequest,
  find: (common: CommonHeaders) => Promise<ServerResponse | undefined>,
): Promise<ServerResponse | undefined> {
  const common: CommonHeaders = { auditId: request.header("audit-id") || randomUUID(), warnings: [], headers: {} };
  try {
    const answer = await find(common);
    return answer === undefined ? undefined : withCommonHeaders(answer, common);
  } catch (error) {
    if (error instanceof StatusError) return withCommonHeaders(await failureAnswer(request, error), common);
    parts.reportPanic(error);
    return withCommonHeaders(PANIC, common);
  }
}

async function handle(parts: RequestHandlerParts, context: RequestContext): Promise<ServerResponse | undefined> {
  const { info, user } = context;
  if (parts.faults.planned.size > 0 && (await parts.faults.strike(info, user.name)) === "disconnect") return undefined;
  await authorize(parts, context);
  const delegated = parts.aggregator?.serve(context, async (local) => await parts.metaEndpoints.handle(local));
  if (delegated !== undefined) return await delegated;
  if (!info.isResourceRequest) return await handlePath(parts, context);
  // A server is ready before the handlers of resources are loaded, which are a tenth of its code.
  handlers ??= await import("../handlers/dispatch.ts");
  const { dispatchResource } = handlers;
  const dispatch = async (): Promise<ServerResponse> => {
    const answer = dispatchResource(parts.environment, context);
    return await (parts.hasCbor ? answer.catch(async (error: unknown) => await failureInCbor(context, error)) : answer);
  };
  const work = async (): Promise<ServerResponse> => await counted(parts, context, dispatch);
  return READS.has(info.verb) ? await work() : await parts.writes.handle(context, work);
}

// Of paths that are not about resources, only those of health are counted.
async function handlePath(parts: RequestHandlerParts, context: RequestContext): Promise<ServerResponse> {
  if (!ALWAYS_ALLOWED.test(context.info.path)) return await parts.metaEndpoints.handle(context);
  const { request, info } = context;
  return await parts.metrics.count({ request, info, type: undefined }, async () => parts.metaEndpoints.handle(context));
}

// What no route takes is not counted.
async function counted(
  parts: RequestHandlerParts,
  context: RequestContext,
  work: () => Promise<ServerResponse>,
): Promise<ServerResponse> {
  const type = parts.environment.registry.find(context.info);
  const { request, info } = context;
  return type === undefined ? await work() : await parts.metrics.count({ request, info, type }, work);
}

// Only the handlers of resources answer failures in CBOR: what refuses requests before does not know it.
async function failureInCbor({ request }: RequestContext, error: unknown): Promise<ServerResponse> {
  if (!(error instanceof StatusError) || isUnroutable(error.status)) throw error;
  return await failureAnswer(request, error, { hasCbor: true });
}

let handlers: typeof import("../handlers/dispatch.ts") | undefined;

const READS: ReadonlySet<string> = new Set(["get", "list", "watch"]);

// Health is answered to everyone, as probes have no credentials.
const ALWAYS_ALLOWED = /^\/(?:healthz|livez|readyz)$/u;

/** Authorizer of a server without one: allows everything. */
export const alwaysAllow: Authorizer = { authorize: () => ({ allowed: true, reason: "" }) };

async function authorize(parts: RequestHandlerParts, { request, info, user, audit }: RequestContext): Promise<void> {
  if (!info.isResourceRequest && ALWAYS_ALLOWED.test(info.path)) {
    noteDecision(audit, { allowed: true, reason: "" });
    return;
  }
  const fieldSelector = SELECTING.has(info.verb) ? request.query.get("fieldSelector") : null;
  const attributes = { user, ...info, ...(fieldSelector === null ? {} : { fieldSelector }) };
  const decision = await parts.environment.authorizer.authorize(attributes);
  parts.audit.record(attributes, decision.allowed, request.query.get("sendInitialEvents"));
  noteDecision(audit, decision);
  if (!decision.allowed) {
    throw denial(attributes, decision);
  }
}

const SELECTING: ReadonlySet<string> = new Set(["list", "watch", "deletecollection"]);

function noteDecision(audit: AuditTrail | undefined, { allowed, reason }: AuthorizationDecision): void {
  audit?.annotate("authorization.k8s.io/decision", allowed ? "allow" : "forbid");
  audit?.annotate("authorization.k8s.io/reason", reason);
}

const DISCOVERY = /^\/apis?(?:\/|$)/;
const PRINTS_PRETTY = /^(curl|Wget|Mozilla)\//;

function outputOf(parts: RequestHandlerParts, request: ServerRequest, info: RequestInfo): () => OutputFormat {
  const { environment } = parts;
  let output: OutputFormat | undefined;
  return () => {
    if (output !== undefined) return output;
    const isPretty = request.query.has("pretty")
      ? queryFlag(request.query, "pretty")
      : PRINTS_PRETTY.test(request.header("user-agent") ?? "");
    const hasProtobuf = info.isResourceRequest
      ? environment.registry.find(info)?.isCustom !== true
      : DISCOVERY.test(info.path);
    // What is not stored has no columns.
    const hasTable = info.verb !== "create" || environment.virtualResources.find(info) === undefined;
    const representations = representationsOf(parts, info);
    const hasCbor = parts.hasCbor && (info.isResourceRequest || representations?.includes(CBOR) === true);
    output = negotiate(request.header("accept"), { isPretty, hasProtobuf, hasCbor, hasTable, representations });
    return output;
  };
}

// As upstream, routes decide about built-in resources and most documents, and handlers about custom resources and groups.
function representationsOf(parts: RequestHandlerParts, info: RequestInfo): readonly string[] | undefined {
  if (!info.isResourceRequest) {
    if (info.path === "/version") return ["application/json"];
    if (/^\/api\/*$/u.test(info.path)) return mediaTypeNames({ hasCbor: false });
    const discovery = DISCOVERY_OF_VERSION.exec(info.path);
    if (discovery === null) return undefined;
    const group = discovery.groups?.["group"];
    return group === undefined || parts.environment.registry.hasBuiltInGroup(group) ? mediaTypeNames(parts) : undefined;
  }
  if (parts.environment.registry.find(info)?.isCustom !== false) return undefined;
  return info.verb === "list" || info.verb === "watch" ? collectionTypeNames(parts) : mediaTypeNames(parts);
}

const DISCOVERY_OF_VERSION = /^\/api\/.|^\/apis\/(?<group>[^/]+)\/./;

async function failureAnswer(
  request: ServerRequest,
  { status }: StatusError,
  served: Pick<RequestContext, "hasCbor"> = { hasCbor: false },
): Promise<ServerResponse> {
  return objectAnswer({
    code: status.code ?? 500,
    object: status,
    output: negotiateFailure(request.header("accept"), served),
    headers: statusHeaders(status),
  });
}

function withCommonHeaders(answer: ServerResponse, { auditId, warnings, headers }: CommonHeaders): ServerResponse {
  const { headers: own, ...others } = answer;
  return {
    headers: {
      "Audit-Id": auditId,
      "Cache-Control": "no-cache, private",
      ...headers,
      ...(warnings.length === 0 ? {} : { Warning: warningHeaders(warnings) }),
      ...own,
    },
    ...others,
  };
}

type Counted = { -readonly [Key in keyof AuditEntry]: AuditEntry[Key] };

/** Counts requests by user, verb and target. */
export class AuditLog implements AuditRecord {
  readonly #entries = new Map<string, Counted>();
  #last: Counted | undefined;

  entries(user?: string): readonly AuditEntry[] {
    return [...this.#entries.entries()]
      .filter(([, entry]) => user === undefined || entry.user === user)
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .map(([, entry]) => ({ ...entry }));
  }

  clear(): void {
    this.#entries.clear();
    this.#last = undefined;
  }

  /** Counts one decision: denials of the verb that was denied, and what was allowed of each verb that is used. */
  record(attributes: AuthorizationAttributes, isAllowed: boolean, sendInitialEvents: string | null = null): void {
    const { verb } = attributes;
    for (const used of isAllowed ? usedVerbs({ verb, sendInitialEvents }) : [verb]) {
      this.#count(attributes, used, isAllowed);
    }
  }

  #count(attributes: AuthorizationAttributes, verb: string, isAllowed: boolean): void {
    const { group, namespace, subresource } = attributes;
    const user = attributes.user.name;
    const resource = subresource === "" ? attributes.resource : `${attributes.resource}/${subresource}`;
    const path = attributes.isResourceRequest ? "" : attributes.path;
    const target = { user, verb, group, resource, namespace, path };
    // Most requests are like the one before them, and the key of another takes time.
    const entry = this.#last !== undefined && isLike(this.#last, target) ? this.#last : this.#entryOf(target);
    entry[isAllowed ? "allowed" : "denied"] += 1;
    this.#last = entry;
  }

  #entryOf(target: AuditTarget): Counted {
    const { user, verb, group, resource, namespace, path } = target;
    const key = `${user}\0${group}\0${resource}\0${verb}\0${namespace}\0${path}`;
    let entry = this.#entries.get(key);
    if (entry === undefined) {
      entry = { ...target, allowed: 0, denied: 0 };
      this.#entries.set(key, entry);
    }
    return entry;
  }
}

type AuditTarget = Omit<AuditEntry, "allowed" | "denied">;

function isLike(entry: AuditTarget, { user, verb, group, resource, namespace, path }: AuditTarget): boolean {
  return (
    entry.namespace === namespace &&
    entry.resource === resource &&
    entry.verb === verb &&
    entry.user === user &&
    entry.group === group &&
    entry.path === path
  );
}
