import { type Clock, realClock, sleep } from "@kubescaffold/platform/clock";
import { workqueue } from "@kubescaffold/runtime";

/** DnsEntry is a record at the DNS API. */
export interface DnsEntry {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly values: readonly string[];
  readonly ttlSeconds: number;
  /** The UID of the object that the record was created for; a record that a person created has none. */
  readonly owner?: string;
}

/** NewEntry is a record without the ID, which the API assigns. */
export type NewEntry = Omit<DnsEntry, "id">;

/** Credentials are the address and the token of the DNS API. */
export interface Credentials {
  readonly url: string;
  readonly token: string;
}

/** DnsApiError is thrown if the API does not answer, or rejects a call. */
export class DnsApiError extends Error {
  /** The HTTP status; undefined if there was no response. */
  readonly status: number | undefined;
  /** The delay that the API has asked for. */
  readonly retryAfterMs: number | undefined;

  constructor(
    message: string,
    options: ErrorOptions & { readonly status?: number; readonly retryAfterMs?: number } = {},
  ) {
    super(message, options);
    this.status = options.status;
    this.retryAfterMs = options.retryAfterMs;
  }
}

const TIMEOUT_MS = 10_000;

/** CallLimits limit the calls of one process to one API. */
export interface CallLimits {
  readonly callsPerSecond: number;
  readonly burst: number;
  readonly clock?: Clock;
}

/** DnsApiPool hands out clients; those with the same address share a rate limit, whatever their tokens. */
export class DnsApiPool {
  readonly #limits: CallLimits;
  readonly #limiters = new Map<string, workqueue.RateLimiter<string>>();

  constructor(limits: CallLimits) {
    this.#limits = limits;
  }

  /** Returns a client whose calls end when the signal aborts. */
  connect(credentials: Credentials, signal: AbortSignal): DnsApi {
    const { callsPerSecond: qps, burst, clock = realClock } = this.#limits;
    const { url } = credentials;
    const limiter = this.#limiters.get(url) ?? workqueue.bucketRateLimiter<string>({ qps, burst, clock });
    this.#limiters.set(url, limiter);
    return new DnsApi(credentials, { signal, turn: () => turnOf(limiter.when(url), { clock, signal }) });
  }
}

// Each call takes a token, and waits for one if there is none.
async function turnOf(
  delayMs: number,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<void> {
  signal.throwIfAborted();
  if (delayMs > 0) await sleep(clock, delayMs, signal);
}

/** DnsApi is a client of the HTTP API of a DNS provider. */
export class DnsApi {
  readonly #credentials: Credentials;
  readonly #signal: AbortSignal;
  readonly #turn: () => Promise<void>;

  constructor(
    credentials: Credentials,
    { signal, turn }: { readonly signal: AbortSignal; readonly turn: () => Promise<void> },
  ) {
    this.#credentials = credentials;
    this.#signal = signal;
    this.#turn = turn;
  }

  /** Finds the record with a name and type; undefined if there is none. */
  async find(zone: string, { name, type }: Pick<DnsEntry, "name" | "type">): Promise<DnsEntry | undefined> {
    const query = new URLSearchParams({ name, type }).toString();
    const { records } = (await this.#call("GET", `${recordsOf(zone)}?${query}`)) as { readonly records: DnsEntry[] };
    return records[0];
  }

  /** Creates a record. */
  async create(zone: string, entry: NewEntry): Promise<DnsEntry> {
    return (await this.#call("POST", recordsOf(zone), entry)) as DnsEntry;
  }

  /** Replaces a record. */
  async update(zone: string, id: string, entry: NewEntry): Promise<DnsEntry> {
    return (await this.#call("PUT", `${recordsOf(zone)}/${encodeURIComponent(id)}`, entry)) as DnsEntry;
  }

  /** Deletes a record; succeeds if it does not exist. */
  async delete(zone: string, id: string): Promise<void> {
    await this.#call("DELETE", `${recordsOf(zone)}/${encodeURIComponent(id)}`).catch((error: unknown) => {
      if (!(error instanceof DnsApiError) || error.status !== 404) throw error;
    });
  }

  async #call(method: string, path: string, body?: NewEntry): Promise<unknown> {
    await this.#turn();
    const { url, token } = this.#credentials;
    try {
      const response = await fetch(new URL(path, url), {
        method,
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: AbortSignal.any([this.#signal, AbortSignal.timeout(TIMEOUT_MS)]),
      });
      const text = await response.text();
      if (!response.ok) throw rejection(response, text);
      return text === "" ? undefined : JSON.parse(text);
    } catch (error) {
      if (error instanceof DnsApiError) throw error;
      this.#signal.throwIfAborted();
      throw new DnsApiError(`cannot call the DNS API: ${reasonOf(error)}`, { cause: error });
    }
  }
}

function recordsOf(zone: string): string {
  return `/zones/${encodeURIComponent(zone)}/records`;
}

function rejection({ status, headers }: Response, text: string): DnsApiError {
  const seconds = Number(headers.get("retry-after") ?? Number.NaN);
  return new DnsApiError(`the DNS API answered ${String(status)}: ${text.trim()}`, {
    status,
    ...(Number.isFinite(seconds) ? { retryAfterMs: seconds * 1000 } : {}),
  });
}

// The error of fetch only says that it failed; its cause has the reason.
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}
