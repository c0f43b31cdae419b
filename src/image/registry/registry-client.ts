import { ScaffoldError } from "@kubescaffold/k8s";

import { UnsafeResponseError } from "../../http/errors.ts";
import { type HttpAnswer, request as requestOverHttp, type Send, type Timeouts } from "../../http/request.ts";
import { RegistryUnauthorizedError, RegistryUnreachableError, RegistryUnsafeError } from "../errors.ts";
import { registryHost } from "../reference.ts";
import type { Credentials } from "./credentials.ts";
import { explainAnswer, explainNoResponse, isTransient } from "./registry-failure.ts";

/** What a client of a registry needs of its surroundings. */
export interface RegistryOptions {
  readonly registry: string;
  readonly credentials: Credentials | undefined;
  /** Speaks HTTP without TLS. This machine is always spoken to so. */
  readonly isInsecure: boolean;
  /** Sends one request and follows no redirect. */
  readonly fetch: Send;
  readonly timeouts?: Partial<Timeouts>;
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
  /** The longest answer of success. */
  readonly maxBytes?: number;
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
   * Guarantees: credentials go to the registry, and to the service of tokens that the registry itself names; no other server can ask for them.
   * Fails: the errors of registries.
   */
  readonly send: (request: RegistryRequest) => Promise<RegistryResponse>;
}

const ATTEMPTS = 5;
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 30_000;
// What registries answer with, besides blobs: the longest manifest that containerd takes is as long.
const MOST_BYTES = 4 * 1024 ** 2;
const MOST_TOKEN_BYTES = 1024 ** 2;
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
      const answer = await sendAuthorized(session, request);
      const { status, headers, bytes, url } = answer;
      if (answer.isOk || (request.accepts ?? []).includes(status)) return { status, headers, bytes, url: url.href };
      if (isLast || !STUMBLES.has(status)) throw new Answered(answer);
      await session.options.wait(waitMs(attempt, headers.get("retry-after")));
    } catch (error) {
      if (error instanceof Answered) throw explainAnswer(error.answer, request.what);
      if (error instanceof RegistryUnauthorizedError || error instanceof RegistryUnsafeError) throw error;
      if (isLast || !isTransient(error)) throw explain(error, request.what);
      await session.options.wait(waitMs(attempt, null));
    }
  }
}

// Carries an answer past what deals with answers that did not come.
class Answered {
  readonly answer: HttpAnswer;
  constructor(answer: HttpAnswer) {
    this.answer = answer;
  }
}

function explain(error: unknown, what: string): ScaffoldError {
  const isExplained = error instanceof ScaffoldError && !(error instanceof UnsafeResponseError);
  return isExplained ? error : explainNoResponse(error, what);
}

function waitMs(attempt: number, retryAfter: string | null): number {
  const asked = Number(retryAfter ?? "") * 1000;
  const own = FIRST_WAIT_MS * 2 ** (attempt - 1);
  return Math.min(Number.isFinite(asked) && asked > own ? asked : own, LONGEST_WAIT_MS);
}

async function sendAuthorized(session: Session, request: RegistryRequest): Promise<HttpAnswer> {
  const key = request.scopes.join(" ");
  const answer = await sendOnce(session, request, session.tokens.get(key));
  if (answer.status !== 401 || !isOwnAnswer(session, answer)) return answer;
  const header = answer.headers.get("www-authenticate") ?? "";
  const authorization = await authorize(session, parseChallenge(header), request);
  if (authorization === undefined || authorization === session.tokens.get(key)) return answer;
  session.tokens.set(key, authorization);
  return sendOnce(session, request, authorization);
}

// A server that the registry redirected to, or that takes uploads for it, could name its own service.
function isOwnAnswer({ options }: Session, { origins }: HttpAnswer): boolean {
  const own = addressOf(options, "");
  return origins.every((origin) => origin === own.origin);
}

function sendOnce(
  { options }: Session,
  { method = "GET", path, headers, body, what, maxBytes = MOST_BYTES }: RegistryRequest,
  authorization: string | undefined,
): Promise<HttpAnswer> {
  const own = addressOf(options, "");
  const url = addressOf(options, path);
  if (own.protocol === "https:" && url.protocol !== "https:") {
    throw new RegistryUnsafeError(`cannot ${what}: the registry redirects to ${url.origin} without encryption`, {
      hint: "use a registry with HTTPS only",
    });
  }
  // An upload may go to another server, which must not see the token.
  const shows = authorization !== undefined && url.origin === own.origin;
  return requestOverHttp(options.fetch, {
    url,
    method,
    headers: { "user-agent": "kubescaffold", ...headers, ...(shows ? { authorization } : {}) },
    body,
    mayMoveBody: true,
    maxBytes,
    timeouts: options.timeouts,
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
  const realm = realmOf(session, challenge, request);
  const answer = await requestToken(session.options, challenge, realm, scopesOf(challenge, request));
  if (!answer.isOk) throw tokenFailure(answer.status, request.what);
  const token = tokenIn(answer.bytes);
  if (token !== undefined) return token;
  throw new RegistryUnauthorizedError(`cannot ${request.what}: ${realm.host} responded without a token`, {
    hint: "check the name of the registry",
  });
}

// As with Docker and containerd, the registry may name any host, since many registries share a service of tokens.
function realmOf({ options }: Session, { realm }: Bearer, { what }: RegistryRequest): URL {
  const url = new URL(realm);
  const own = addressOf(options, "");
  const isPlain = url.username === "" && url.password === "";
  if (isPlain && (url.protocol === "https:" || (url.protocol === "http:" && own.protocol === "http:"))) return url;
  throw new RegistryUnauthorizedError(
    `cannot ${what}: the registry ${options.registry} requests the password for ${url.host} without encryption`,
    { hint: "use a registry with HTTPS, or pass --insecure" },
  );
}

function tokenIn(bytes: Uint8Array): string | undefined {
  try {
    const { token, access_token: other } = JSON.parse(Buffer.from(bytes).toString("utf8")) as {
      readonly token?: unknown;
      readonly access_token?: unknown;
    };
    return [token, other].find((each) => typeof each === "string" && /^[\x21-\x7e]+$/u.test(each)) as
      | string
      | undefined;
  } catch {
    return undefined;
  }
}

// A service of tokens that is overloaded is asked again with the request; one that says no is believed.
function tokenFailure(status: number, what: string): ScaffoldError {
  const message = `cannot ${what}: the registry's token service responded with ${status}`;
  if (STUMBLES.has(status)) return new RegistryUnreachableError(message, { hint: "try again later" });
  return new RegistryUnauthorizedError(message, {
    hint: "log in again, for example with `docker login`, and check the name of the image",
  });
}

function scopesOf(challenge: Bearer, request: RegistryRequest): readonly string[] {
  return [...new Set([...request.scopes, ...challenge.scopes])];
}

function requestToken(
  options: RegistryOptions,
  challenge: Bearer,
  realm: URL,
  scopes: readonly string[],
): Promise<HttpAnswer> {
  const { credentials, timeouts } = options;
  const limits = { maxBytes: MOST_TOKEN_BYTES, timeouts };
  const service = challenge.service ?? options.registry;
  if (credentials?.kind === "identity-token") {
    const form = new URLSearchParams({
      grant_type: "refresh_token",
      refresh_token: credentials.token,
      client_id: "kubescaffold",
      service,
      scope: scopes.join(" "),
    });
    return requestOverHttp(options.fetch, {
      ...limits,
      url: realm,
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded;charset=UTF-8" },
      body: Buffer.from(form.toString()),
    });
  }
  const url = new URL(realm);
  if (challenge.service !== undefined) url.searchParams.set("service", challenge.service);
  for (const scope of scopes) url.searchParams.append("scope", scope);
  const headers = credentials?.kind === "password" ? { authorization: basic(credentials) } : {};
  return requestOverHttp(options.fetch, { ...limits, url, headers });
}

/** What a registry wants to know of a user, and where a token is to be had. */
type Challenge =
  | { readonly kind: "basic" }
  | { readonly kind: "bearer"; readonly realm: string; readonly service?: string; readonly scopes: readonly string[] };

/** Reads the header WWW-Authenticate, or returns nothing when it asks for neither password nor token. */
export function parseChallenge(header: string): Challenge | undefined {
  const [, scheme = "", rest = ""] = /^\s*(\w+)(?!\w)(.*)$/su.exec(header) ?? [];
  if (/^basic$/iu.test(scheme)) return { kind: "basic" };
  if (!/^bearer$/iu.test(scheme)) return undefined;
  const parameters = new Map(
    [...rest.matchAll(/(?<![\w-])([\w-]+)=(?:"((?:\\.|[^"\\])*)"|([^\s,]+))/gu)].map(([, name = "", quoted, plain]) => [
      name.toLowerCase(),
      (quoted ?? plain ?? "").replaceAll(/\\(.)/gu, "$1"),
    ]),
  );
  const realm = parameters.get("realm");
  if (realm === undefined || !URL.canParse(realm)) return undefined;
  const service = parameters.get("service");
  const scopes = (parameters.get("scope") ?? "").split(" ").filter(Boolean);
  return { kind: "bearer", realm, ...(service === undefined ? {} : { service }), scopes };
}
