import { LONGEST_TIMER_MS } from "@kubescaffold/platform/clock";

import { UnsafeResponseError } from "./errors.ts";

/** Sends one request and follows no redirect; `fetch` in general. */
export type Send = (url: string, init: RequestInit) => Promise<Response>;

/** A request, and the limits of its answer. */
export interface HttpRequest {
  readonly url: URL;
  readonly method?: string;
  /** Are header names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | undefined;
  /** Whether a redirect may take the body to another origin; it may not hold secrets then. */
  readonly mayMoveBody?: boolean;
  /** The longest body of an answer of success. */
  readonly maxBytes: number;
  readonly timeouts?: Partial<Timeouts> | undefined;
}

/** How long an answer may take. */
export interface Timeouts {
  /** Until the headers of an answer arrive, beside the time that the body of the request takes. */
  readonly headersMs: number;
  /** Between two parts of a body. */
  readonly idleMs: number;
}

/** An answer, read to its end. */
export interface HttpAnswer {
  readonly status: number;
  readonly isOk: boolean;
  readonly headers: Headers;
  /** Is the body; of an answer that is no success, its beginning. */
  readonly bytes: Uint8Array;
  /** Is where the answer came from. */
  readonly url: URL;
  /** Are the origins that the request was sent to, in order. */
  readonly origins: readonly string[];
}

const MOST_REDIRECTS = 5;
const LONGEST_FAILURE_BYTES = 65_536;
const TIMEOUTS: Timeouts = { headersMs: 120_000, idleMs: 60_000 };
// 64 KiB a second: whoever is slower is taken for a server that only keeps the connection busy.
const SLOWEST_BYTES_PER_MS = 65;

/**
 * Sends a request, follows its redirects, and reads the answer.
 *
 * Guarantees: at most five redirects are followed, and none from HTTPS to HTTP; the authorization goes to the first origin alone, also when a
 * redirect leads back to it; bodies have a longest length, and servers that send nothing for a while are left.
 * Fails: {@link UnsafeResponseError}, and what `send` throws.
 */
export async function request(send: Send, wanted: HttpRequest): Promise<HttpAnswer> {
  const watch = new Watch();
  try {
    const { response, url, origins } = await follow(send, wanted, watch);
    const { status, headers } = response;
    const isOk = status >= 200 && status < 300;
    const bytes = isOk ? await readAll(response, wanted, watch) : await readStart(response, wanted, watch);
    return { status, isOk, headers, bytes, url, origins };
  } finally {
    watch.stop();
  }
}

interface Followed {
  readonly response: Response;
  readonly url: URL;
  readonly origins: readonly string[];
}

interface Hop {
  readonly url: URL;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | undefined;
}

async function follow(send: Send, wanted: HttpRequest, watch: Watch): Promise<Followed> {
  const { headersMs } = { ...TIMEOUTS, ...wanted.timeouts };
  const { url, method = "GET", headers = {}, body } = wanted;
  let hop: Hop = { url, method, headers, body };
  const origins = [url.origin];
  for (let redirects = 0; ; redirects += 1) {
    watch.expect("headers", headersMs + (hop.body?.byteLength ?? 0) / SLOWEST_BYTES_PER_MS);
    const response = await send(hop.url.href, {
      method: hop.method,
      headers: hop.headers,
      redirect: "manual",
      signal: watch.signal,
      ...(hop.body === undefined ? {} : { body: new Uint8Array(hop.body) }),
    });
    const location = REDIRECTS.has(response.status) ? response.headers.get("location") : null;
    if (location === null) return { response, url: hop.url, origins };
    await response.body?.cancel();
    if (redirects === MOST_REDIRECTS) {
      throw new UnsafeResponseError(`${hop.url.host} redirects more than ${String(MOST_REDIRECTS)} times`, {
        hint: "specify the final URL of the redirects",
      });
    }
    hop = nextHop(hop, location, response.status, wanted.mayMoveBody === true);
    origins.push(hop.url.origin);
  }
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

function nextHop({ url, method, headers, body }: Hop, location: string, status: number, mayMoveBody: boolean): Hop {
  const target = targetOf(url, location);
  const isForeign = target.origin !== url.origin;
  const dropsBody = status === 303 ? method !== "HEAD" : status < 303 && method === "POST";
  const kept = Object.entries(headers).filter(
    ([name]) => !(isForeign && name === "authorization") && !(dropsBody && name.startsWith("content-")),
  );
  const next = { url: target, headers: Object.fromEntries(kept) };
  if (dropsBody) return { ...next, method: "GET", body: undefined };
  if (body === undefined || !isForeign || mayMoveBody) return { ...next, method, body };
  throw new UnsafeResponseError(`${url.host} redirects the request body to ${target.host}`, {
    hint: "check the URL",
  });
}

function targetOf(from: URL, location: string): URL {
  const target = URL.canParse(location, from.href) ? new URL(location, from) : undefined;
  const isHttp = target?.protocol === "https:" || target?.protocol === "http:";
  if (target === undefined || !isHttp || target.username !== "" || target.password !== "") {
    throw new UnsafeResponseError(`${from.host} redirects to a URL that is not HTTP or HTTPS`, {
      hint: "check the URL",
    });
  }
  if (from.protocol === "https:" && target.protocol === "http:") {
    throw new UnsafeResponseError(`${from.host} redirects to ${target.host} without encryption`, {
      hint: "use a URL that redirects only to HTTPS",
    });
  }
  return target;
}

async function readAll(response: Response, { maxBytes, timeouts }: HttpRequest, watch: Watch): Promise<Uint8Array> {
  const stated = Number(response.headers.get("content-length") ?? "0");
  // An answer to HEAD states the length of a body that does not follow.
  if (response.body !== null && stated > maxBytes) {
    await response.body.cancel();
    throw tooLong(maxBytes);
  }
  const { bytes, isWhole } = await readUpTo(response, maxBytes, timeouts, watch);
  if (isWhole) return bytes;
  throw tooLong(maxBytes);
}

function tooLong(maxBytes: number): UnsafeResponseError {
  return new UnsafeResponseError(`the response exceeds ${String(maxBytes)} bytes`, { hint: "check the URL" });
}

async function readStart(response: Response, { timeouts }: HttpRequest, watch: Watch): Promise<Uint8Array> {
  return (await readUpTo(response, LONGEST_FAILURE_BYTES, timeouts, watch)).bytes;
}

async function readUpTo(
  response: Response,
  maxBytes: number,
  timeouts: Partial<Timeouts> | undefined,
  watch: Watch,
): Promise<{ readonly bytes: Uint8Array; readonly isWhole: boolean }> {
  const { idleMs } = { ...TIMEOUTS, ...timeouts };
  if (response.body === null) return { bytes: new Uint8Array(), isWhole: true };
  const reader = response.body.getReader();
  const parts: Uint8Array[] = [];
  let length = 0;
  const deadline = performance.now() + idleMs + maxBytes / SLOWEST_BYTES_PER_MS;
  for (;;) {
    watch.expect("body", Math.min(idleMs, deadline - performance.now()));
    const { done, value } = await reader.read();
    if (done) break;
    parts.push(value);
    length += value.byteLength;
    if (length <= maxBytes) continue;
    await reader.cancel();
    return { bytes: Buffer.concat(parts).subarray(0, maxBytes), isWhole: false };
  }
  return { bytes: new Uint8Array(Buffer.concat(parts)), isWhole: true };
}

// Aborts a request when what is expected of the server does not come in time.
class Watch {
  readonly #controller = new AbortController();
  #timer: NodeJS.Timeout | undefined;

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  expect(what: "headers" | "body", withinMs: number): void {
    this.stop();
    const ms = Math.max(0, Math.round(withinMs));
    const reason = new DOMException(`the server sent no ${what} for ${String(ms)} ms`, "TimeoutError");
    this.#timer = setTimeout(() => this.#controller.abort(reason), Math.min(ms, LONGEST_TIMER_MS));
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}
