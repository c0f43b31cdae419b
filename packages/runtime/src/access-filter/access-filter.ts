import { createHash } from "node:crypto";

import { TokenReview, type UserInfo } from "@kubescaffold/k8s/authentication/v1";
import { SubjectAccessReview } from "@kubescaffold/k8s/authorization/v1";

import type { Writer } from "../client/client.ts";
import { sleep, type Clock } from "../clock/clock.ts";
import type { HttpHandler } from "../http-server/http-handler.ts";
import type { Logger } from "../log/logger.ts";
import { ExpiringMap } from "./expiring-map.ts";

// The times are upstream's.
const TOKEN_LIFETIME_MS = 60_000;
const ALLOWED_LIFETIME_MS = 5 * 60_000;
const DENIED_LIFETIME_MS = 30_000;
const RETRY_DELAYS_MS = [500, 750, 1125, 1687];
const CACHED_ANSWERS = 4096;

/** What the filter asks the API server with. */
export interface AccessFilterOptions {
  /** Must be allowed to create `tokenreviews` and `subjectaccessreviews`. */
  readonly client: Pick<Writer, "create">;
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * Lets only those requests pass whose bearer token the API server knows and whose user may do what they ask: `get` on `/metrics`, as roles say it in `nonResourceURLs`.
 *
 * Answers are kept: who a token is for a minute, what is allowed for five, what is not for half a minute.
 * Without a known token the answer is 401, without permission 403, and 500 when the API server cannot be asked.
 */
export function createAccessFilter(options: AccessFilterOptions): (handler: HttpHandler) => HttpHandler {
  const filter: Filter = {
    ...options,
    users: new ExpiringMap(options.clock, CACHED_ANSWERS),
    decisions: new ExpiringMap(options.clock, CACHED_ANSWERS),
  };
  return (handler) => async (request) => (await refusal(filter, request)) ?? (await handler(request));
}

interface Filter extends AccessFilterOptions {
  /** By the hash of the token; null for one that nobody has. */
  readonly users: ExpiringMap<UserInfo | null>;
  readonly decisions: ExpiringMap<boolean>;
}

async function refusal(filter: Filter, request: Request): Promise<Response | undefined> {
  const token = /^bearer +(\S+)$/iu.exec(request.headers.get("authorization") ?? "")?.[1];
  if (token === undefined) return text(401, "Unauthorized");
  try {
    const user = await userOf(filter, token, request.signal);
    if (user === null) return text(401, "Unauthorized");
    const isAllowed = await mayRequest(filter, user, request);
    return isAllowed ? undefined : text(403, `Authorization denied for user ${user.username ?? ""}`);
  } catch (error) {
    filter.log.error(error, "the API server could not be asked who may read this", {
      path: new URL(request.url).pathname,
    });
    return text(500, "Authentication failed");
  }
}

async function userOf(filter: Filter, token: string, signal: AbortSignal): Promise<UserInfo | null> {
  const key = createHash("sha256").update(token).digest("base64");
  const known = filter.users.get(key);
  if (known !== undefined) return known;
  const { status } = await withRetries(
    filter,
    signal,
    async () => await filter.client.create(TokenReview.create({ metadata: {}, spec: { token } }), { signal }),
  );
  const user = status?.authenticated === true ? (status.user ?? {}) : null;
  filter.users.set(key, user, TOKEN_LIFETIME_MS);
  return user;
}

async function mayRequest(filter: Filter, user: UserInfo, request: Request): Promise<boolean> {
  const nonResourceAttributes = { path: new URL(request.url).pathname, verb: request.method.toLowerCase() };
  const key = JSON.stringify([user, nonResourceAttributes]);
  const known = filter.decisions.get(key);
  if (known !== undefined) return known;
  const spec = {
    nonResourceAttributes,
    user: user.username ?? "",
    groups: user.groups ?? [],
    ...(user.uid === undefined ? {} : { uid: user.uid }),
    ...(user.extra === undefined ? {} : { extra: user.extra }),
  };
  const { status } = await withRetries(
    filter,
    request.signal,
    async () =>
      await filter.client.create(SubjectAccessReview.create({ metadata: {}, spec }), { signal: request.signal }),
  );
  const isAllowed = status?.allowed === true;
  filter.decisions.set(key, isAllowed, isAllowed ? ALLOWED_LIFETIME_MS : DENIED_LIFETIME_MS);
  return isAllowed;
}

async function withRetries<T>(filter: Filter, signal: AbortSignal, call: () => Promise<T>): Promise<T> {
  for (const delayMs of RETRY_DELAYS_MS) {
    try {
      return await call();
    } catch (error) {
      filter.log.v(1).info("asking the API server again", { error: String(error) });
      await sleep(filter.clock, delayMs, signal);
    }
  }
  return await call();
}

function text(status: number, body: string): Response {
  return new Response(`${body}\n`, { status, headers: { "content-type": "text/plain; charset=utf-8" } });
}
