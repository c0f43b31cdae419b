import { randomUUID } from "node:crypto";

import { impersonate } from "../authentication/impersonation.ts";
import { dispatchResource, type DispatchEnvironment } from "../handlers/dispatch.ts";
import type { Handler } from "../http/in-process.ts";
import { jsonAnswer, statusHeaders, statusOf, warningHeaders } from "../output/write-response.ts";
import { authenticate } from "../pipeline/authenticate.ts";
import type { Authenticator } from "../pipeline/authenticator.ts";
import { denial } from "../pipeline/denial.ts";
import { negotiate, negotiateFailure, type OutputFormat } from "../request/accept.ts";
import { parseRequestInfo, queryFlag } from "../request/parse-request-info.ts";
import type { RequestContext } from "../request/request-context.ts";
import type { RequestInfo } from "../request/request-info.ts";
import type { ServerRequest, ServerResponse } from "../request/server-request.ts";
import { throwNotBuilt } from "../request/unsupported.ts";
import type { UserInfo } from "../request/user-info.ts";
import type { AuditLog } from "./audit-log.ts";
import type { FaultInjector } from "./fault-injector.ts";
import type { MetaEndpoints } from "./meta-endpoints.ts";

/** What all requests are handled with. */
export interface RequestHandlerParts {
  readonly environment: DispatchEnvironment;
  readonly authenticators: readonly Authenticator[];
  readonly allowAnonymous: boolean;
  readonly faults: FaultInjector;
  readonly audit: AuditLog;
  readonly metaEndpoints: MetaEndpoints;
}

/** Makes the handler of all requests: authentication, faults, authorization, then the resource or the path. */
export function createRequestHandler(parts: RequestHandlerParts): Handler {
  return (request) => handleAs(parts, { request, authenticate: () => actingUser(parts, request) });
}

async function actingUser(parts: RequestHandlerParts, request: ServerRequest): Promise<UserInfo> {
  const user = await authenticate(request, parts);
  return impersonate(request, { user, authorizer: parts.environment.authorizer });
}

/** Handles a request of the server's own, whose user is known. */
export async function handleInternal(
  parts: RequestHandlerParts,
  { request, user }: { readonly request: ServerRequest; readonly user: UserInfo },
): Promise<ServerResponse | undefined> {
  return handleAs(parts, { request, authenticate: () => Promise.resolve(user) });
}

interface Incoming {
  readonly request: ServerRequest;
  authenticate(): Promise<UserInfo>;
}

async function handleAs(parts: RequestHandlerParts, incoming: Incoming): Promise<ServerResponse | undefined> {
  const { request } = incoming;
  const warnings: string[] = [];
  try {
    refuseUpgrade(request);
    const info = parseRequestInfo(request);
    const user = await incoming.authenticate();
    if ((await parts.faults.strike(info, user.name)) === "disconnect") {
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

async function authorize(parts: RequestHandlerParts, info: RequestInfo, user: UserInfo): Promise<void> {
  if (!info.isResourceRequest && ALWAYS_ALLOWED.test(info.path)) {
    return;
  }
  const attributes = { ...info, user };
  const decision = await parts.environment.authorizer.authorize(attributes);
  parts.audit.record({ info, user: user.name, isAllowed: decision.allowed });
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
