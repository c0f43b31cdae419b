import { DownloadError, messageOf } from "../errors.ts";

/** Fetches over the network; the web's own by default. */
export type Fetch = (url: string, init?: RequestInit) => Promise<Response>;

/** What a download may take. */
export interface DownloadLimits {
  readonly maxBytes: number;
  /** Between two parts of the answer, its headers among them; a minute by default. */
  readonly idleMs?: number;
}

const MOST_REDIRECTS = 5;
const IDLE_MS = 60_000;
const OFFLINE_HINT =
  "without a network use the embedded backend, or set KUBEBUILDER_ASSETS to a folder with the binaries";

/**
 * Downloads what is at an address.
 *
 * Guarantees: at most five redirects are followed, and none from HTTPS to HTTP; no more than `maxBytes` are read.
 * Fails: {@link DownloadError} when the server does not answer, with a failure, or with more.
 */
export async function download(url: string, fetch: Fetch, limits: DownloadLimits): Promise<Uint8Array> {
  const { maxBytes, idleMs = IDLE_MS } = limits;
  const watch = new AbortController();
  const reason = new DOMException(`the server sent nothing for ${String(idleMs)} ms`, "TimeoutError");
  const timer = setTimeout(() => watch.abort(reason), idleMs);
  const send = (target: string): Promise<Response> => {
    timer.refresh();
    return fetch(target, { redirect: "manual", signal: watch.signal });
  };
  try {
    const response = await follow(url, send);
    return await readAll(response, { url, maxBytes, onPart: () => timer.refresh() });
  } catch (cause) {
    if (cause instanceof DownloadError) throw cause;
    throw failure(url, messageOf(cause), { cause, hint: OFFLINE_HINT });
  } finally {
    clearTimeout(timer);
  }
}

async function follow(url: string, send: (target: string) => Promise<Response>): Promise<Response> {
  let target = url;
  for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects += 1) {
    const response = await send(target);
    const location = REDIRECTS.has(response.status) ? response.headers.get("location") : null;
    if (location === null && response.ok) return response;
    await response.body?.cancel();
    if (location === null)
      throw failure(url, `the answer is ${String(response.status)} ${response.statusText}`.trimEnd());
    target = requireSecure(new URL(location, target).href, target);
  }
  throw failure(url, `it redirects more than ${String(MOST_REDIRECTS)} times`);
}

interface Reading {
  readonly url: string;
  readonly maxBytes: number;
  readonly onPart: () => void;
}

async function readAll({ body, headers }: Response, { url, maxBytes, onPart }: Reading): Promise<Uint8Array> {
  if (body === null) return new Uint8Array();
  const parts: Uint8Array[] = [];
  let length = Number(headers.get("content-length") ?? "0") > maxBytes ? Infinity : 0;
  const reader = body.getReader();
  for (;;) {
    if (length > maxBytes) {
      await reader.cancel();
      throw failure(url, `the answer is longer than ${String(maxBytes)} bytes`);
    }
    const { done, value } = await reader.read();
    if (done) break;
    onPart();
    parts.push(value);
    length += value.byteLength;
  }
  return Buffer.concat(parts);
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Returns an address that another one leads to. Fails: {@link DownloadError} when it has no encryption and the other one has. */
export function requireSecure(url: string, from: string): string {
  const protocol = URL.canParse(url) ? new URL(url).protocol : "";
  if (protocol === "https:" || (protocol === "http:" && new URL(from).protocol === "http:")) return url;
  throw failure(url, `${from} leads to it, and it is no address with encryption`);
}

function failure(
  url: string,
  reason: string,
  options?: { readonly cause: unknown; readonly hint: string },
): DownloadError {
  return new DownloadError(`cannot download ${url}: ${reason}`, options);
}
