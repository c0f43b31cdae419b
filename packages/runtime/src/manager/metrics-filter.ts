import { TokenReview } from "@kubescaffold/k8s/authentication/v1";
import { SubjectAccessReview } from "@kubescaffold/k8s/authorization/v1";
import type { Clock } from "@kubescaffold/platform/clock";

import type { Client } from "../client/client.ts";
import type { HttpHandler } from "../http-server/http-handler.ts";
import type { Logger } from "../log/logger.ts";
import type { MetricsFilter, MetricsServerOptions } from "./metrics-server.ts";

/** The dependencies of a filter. */
export interface MetricsFilterParts {
  /** Creates reviews on the server. */
  readonly client: Client;
  /** The clock of cached reviews. */
  readonly clock: Clock;
  /** The logger. */
  readonly log: Logger;
}

/**
 * Returns the filter of the options; undefined without one.
 *
 * controller-runtime: pkg/metrics/filters.WithAuthenticationAndAuthorization
 */
export function metricsFilterOf(
  filter: MetricsServerOptions["filter"],
  parts: MetricsFilterParts,
): MetricsFilter | undefined {
  return filter === "authentication-and-authorization" ? reviewingFilter(parts) : filter;
}

const REVIEW_TIMEOUT_MS = 10_000;
const AUTHENTICATED_MS = 60_000;
const ALLOWED_MS = 300_000;
const DENIED_MS = 30_000;

interface ReviewedUser {
  readonly username?: string;
  readonly uid?: string;
  readonly groups?: string[];
  readonly extra?: Record<string, string[]>;
}

// Authenticates the token and authorizes the path as a non-resource URL with the API server.
function reviewingFilter({ client, clock, log }: MetricsFilterParts): MetricsFilter {
  const users = new ExpiringMap<ReviewedUser | undefined>(clock);
  const verdicts = new ExpiringMap<boolean>(clock);
  const authenticate = async (token: string): Promise<ReviewedUser | undefined> =>
    await users.get(token, async () => ({ value: await reviewToken(client, token), keptMs: AUTHENTICATED_MS }));
  const authorize = async (user: ReviewedUser, attributes: { readonly path: string; readonly verb: string }) =>
    await verdicts.get(JSON.stringify([user, attributes]), async () => {
      const value = await reviewAccess(client, user, attributes);
      return { value, keptMs: value ? ALLOWED_MS : DENIED_MS };
    });
  return (handler: HttpHandler) => async (request) => {
    const token = /^Bearer +(\S+)$/iu.exec(request.headers.get("authorization") ?? "")?.[1];
    try {
      const user = token === undefined ? undefined : await authenticate(token);
      if (user === undefined) {
        return refusal(401, "Unauthorized");
      }
      const attributes = { path: new URL(request.url).pathname, verb: request.method.toLowerCase() };
      return (await authorize(user, attributes)) ? await handler(request) : refusal(403, "Forbidden");
    } catch (error) {
      log.error(error, "cannot authenticate or authorize a metrics request");
      return refusal(500, "Authentication or authorization failed");
    }
  };
}

async function reviewToken(client: Client, token: string): Promise<ReviewedUser | undefined> {
  const review = await client.create(TokenReview.create({ metadata: {}, spec: { token } }), inTime());
  return review.status?.authenticated === true ? (review.status.user ?? {}) : undefined;
}

async function reviewAccess(
  client: Client,
  user: ReviewedUser,
  attributes: { readonly path: string; readonly verb: string },
): Promise<boolean> {
  const { username, ...rest } = user;
  const spec = { ...rest, ...(username === undefined ? {} : { user: username }), nonResourceAttributes: attributes };
  const review = await client.create(SubjectAccessReview.create({ metadata: {}, spec }), inTime());
  return review.status?.allowed === true;
}

function inTime(): { readonly signal: AbortSignal } {
  return { signal: AbortSignal.timeout(REVIEW_TIMEOUT_MS) };
}

function refusal(status: number, text: string): Response {
  return new Response(`${text}\n`, { status, headers: { "content-type": "text/plain; charset=utf-8" } });
}

const MAX_ENTRIES = 1024;

// Caches results for a limited time; failures are not cached.
class ExpiringMap<V> {
  readonly #clock: Clock;
  readonly #entries = new Map<string, { readonly value: V; readonly until: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  async get(key: string, find: () => Promise<{ readonly value: V; readonly keptMs: number }>): Promise<V> {
    const now = this.#clock.monotonic();
    const known = this.#entries.get(key);
    if (known !== undefined && known.until > now) {
      return known.value;
    }
    const { value, keptMs } = await find();
    if (this.#entries.size >= MAX_ENTRIES) {
      this.#entries.clear();
    }
    this.#entries.set(key, { value, until: now + keptMs });
    return value;
  }
}
