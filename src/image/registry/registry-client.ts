import { ScaffoldError } from "@kubescaffold/k8s";

import { RegistryUnauthorizedError, RegistryUnreachableError } from "../errors.ts";
import { registryHost } from "../reference.ts";
import { type Challenge, parseChallenge } from "./challenge.ts";
import type { Credentials } from "./credentials.ts";
import { explainNoResponse, explainResponse, isTransient } from "./registry-failure.ts";

/** What a client of a registry needs of its surroundings. */
export interface RegistryOptions {
  readonly registry: string;
  readonly credentials: Credentials | undefined;
  /** Speaks HTTP without TLS. This machine is always spoken to so. */
  readonly isInsecure: boolean;
  readonly fetch: typeof fetch;
  readonly wait: (ms: number) => Promise<void>;
}

/** A request, and what messages call it. */
export interface RegistryRequest {
  /** Is what follows `cannot`. */
  readonly what: string;
  readonly method?: string;
  /** Is a path below `/v2/`, or a whole address that the registry gave. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  /** Are the rights that the request needs, such as `repository:name:pull`. */
  readonly scopes: readonly string[];
  /** Are the statuses that are no failure, beside those of success. */
  readonly accepts?: readonly number[];
}

/** An answer, read to its end. */
interface RegistryResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Uint8Array;
  /** Is where the answer came from, which relative addresses start at. */
  readonly url: string;
}

/** Speaks with one registry. */
export interface RegistryClient {
  readonly registry: string;
  /**
   * Sends a request, again when the network or the registry stumbles, with a token when one is asked for.
   *
   * Fails: the errors of registries.
   */
  readonly send: (request: RegistryRequest) => Promise<RegistryResponse>;
}

const ATTEMPTS = 5;
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 30_000;
const REQUEST_TIMEOUT_MS = 300_000;
const STUMBLES = new Set([408, 425, 429, 500, 502, 503, 504]);

/** Makes a client of a registry; it keeps tokens for as long as it lives. */
export function createRegistryClient(options: RegistryOptions): RegistryClient {
  const tokens = new Map<string, string>();
  return { registry: options.registry, send: (request) => sendRepeatedly({ options, tokens }, request) };
}

interface Session {
  readonly options: RegistryOptions;
  /** Headers of authorization, by the rights that they stand for. */
  readonly tokens: Map<string, string>;
}

async function sendRepeatedly(session: Session, request: RegistryRequest): Promise<RegistryResponse> {
  for (let attempt = 1; ; attempt += 1) {
    const isLast = attempt === ATTEMPTS;
    try {
      const response = await sendAuthorized(session, request);
      const isAccepted = response.ok || (request.accepts ?? []).includes(response.status);
      if (isAccepted) {
        const bytes = new Uint8Array(await response.arrayBuffer());
        return { status: response.status, headers: response.headers, bytes, url: response.url };
      }
      if (isLast || !STUMBLES.has(response.status)) throw new Answered(response);
      await session.options.wait(waitMs(attempt, response.headers.get("retry-after")));
    } catch (error) {
      if (error instanceof Answered) throw await explainResponse(error.response, request.what);
      if (error instanceof RegistryUnauthorizedError) throw error;
      if (isLast || !isTransient(error)) throw explain(error, request.what);
      await session.options.wait(waitMs(attempt, null));
    }
  }
}

// Carries an answer past what deals with answers that did not come.
class Answered {
  readonly response: Response;
  constructor(response: Response) {
    this.response = response;
  }
}

function explain(error: unknown, what: string): ScaffoldError {
  return error instanceof ScaffoldError ? error : explainNoResponse(error, what);
}

function waitMs(attempt: number, retryAfter: string | null): number {
  const asked = Number(retryAfter ?? "") * 1000;
  const own = FIRST_WAIT_MS * 2 ** (attempt - 1);
  return Math.min(Number.isFinite(asked) && asked > own ? asked : own, LONGEST_WAIT_MS);
}

async function sendAuthorized(session: Session, request: RegistryRequest): Promise<Response> {
  const key = request.scopes.join(" ");
  const response = await sendOnce(session, request, session.tokens.get(key));
  if (response.status !== 401) return response;
  const header = response.headers.get("www-authenticate") ?? "";
  const authorization = await authorize(session, parseChallenge(header), request);
  if (authorization === undefined || authorization === session.tokens.get(key)) return response;
  await response.body?.cancel();
  session.tokens.set(key, authorization);
  return sendOnce(session, request, authorization);
}

function sendOnce(
  { options }: Session,
  { method = "GET", path, headers, body }: RegistryRequest,
  authorization: string | undefined,
): Promise<Response> {
  const own = addressOf(options, "");
  const url = addressOf(options, path);
  // An upload may go to another server, which must not see the token.
  const shows = authorization !== undefined && url.origin === own.origin;
  return options.fetch(url, {
    method,
    headers: { "user-agent": "kubescaffold", ...headers, ...(shows ? { authorization } : {}) },
    ...(body === undefined ? {} : { body: new Uint8Array(body) }),
    signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
  });
}

function addressOf({ registry, isInsecure }: RegistryOptions, path: string): URL {
  const host = registryHost(registry);
  const scheme = isInsecure || isLoopback(host) ? "http" : "https";
  return new URL(path, `${scheme}://${host}/v2/`);
}

function isLoopback(host: string): boolean {
  return /^(?:localhost|127(?:\.\d+){3}|\[::1\])(?::\d+)?$/u.test(host);
}

async function authorize(
  session: Session,
  challenge: Challenge | undefined,
  request: RegistryRequest,
): Promise<string | undefined> {
  const { credentials } = session.options;
  if (credentials?.kind === "registry-token") return `Bearer ${credentials.token}`;
  switch (challenge?.kind) {
    case "basic":
      return credentials?.kind === "password" ? basic(credentials) : undefined;
    case "bearer":
      return `Bearer ${await fetchToken(session, challenge, request)}`;
    case undefined:
      return undefined;
  }
}

function basic({ username, password }: { readonly username: string; readonly password: string }): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
}

type Bearer = Extract<Challenge, { kind: "bearer" }>;

async function fetchToken(session: Session, challenge: Bearer, request: RegistryRequest): Promise<string> {
  const realm = new URL(challenge.realm);
  const { isInsecure, registry } = session.options;
  if (realm.protocol !== "https:" && !isInsecure && !isLoopback(realm.host)) {
    throw new RegistryUnauthorizedError(
      `cannot ${request.what}: the registry ${registry} wants the password sent to ${realm.host} without encryption`,
      { hint: "use a registry that asks for it over HTTPS, or pass --insecure" },
    );
  }
  const response = await requestToken(session.options, challenge, scopesOf(challenge, request));
  if (!response.ok) throw tokenFailure(response, request.what);
  const answer = (await response.json()) as { readonly token?: string; readonly access_token?: string };
  const token = answer.token ?? answer.access_token;
  if (token !== undefined && token !== "") return token;
  throw new RegistryUnauthorizedError(`cannot ${request.what}: ${realm.host} answers without a token`, {
    hint: "check the name of the registry",
  });
}

// A service of tokens that is overloaded is asked again with the request; one that says no is believed.
function tokenFailure({ status }: Response, what: string): ScaffoldError {
  const message = `cannot ${what}: the registry's service of tokens answers ${status}`;
  if (STUMBLES.has(status)) return new RegistryUnreachableError(message, { hint: "try again later" });
  return new RegistryUnauthorizedError(message, {
    hint: "log in again, for example with `docker login`, and check the name of the image",
  });
}

function scopesOf(challenge: Bearer, request: RegistryRequest): readonly string[] {
  return [...new Set([...request.scopes, ...challenge.scopes])];
}

function requestToken(options: RegistryOptions, challenge: Bearer, scopes: readonly string[]): Promise<Response> {
  const { credentials } = options;
  const signal = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
  const service = challenge.service ?? options.registry;
  if (credentials?.kind === "identity-token") {
    const body = new URLSearchParams({
      grant_type: "refresh_token",
      refresh_token: credentials.token,
      client_id: "kubescaffold",
      service,
      scope: scopes.join(" "),
    });
    return options.fetch(challenge.realm, { method: "POST", body, signal });
  }
  const url = new URL(challenge.realm);
  if (challenge.service !== undefined) url.searchParams.set("service", challenge.service);
  for (const scope of scopes) url.searchParams.append("scope", scope);
  const headers = credentials?.kind === "password" ? { authorization: basic(credentials) } : {};
  return options.fetch(url, { headers, signal });
}
