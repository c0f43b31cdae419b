import { messageOf, checkNumbers } from "@kubescaffold/k8s";
import { LONGEST_TIMER_MS } from "@kubescaffold/platform/clock";

import { DownloadError } from "../failures/errors.ts";

/** Fetches a URL; by default the global `fetch`. */
export type Fetch = (url: string, init?: RequestInit) => Promise<Response>;

/** Limits of {@link download}. */
export interface DownloadLimits {
  /** The maximum size of the response in bytes. */
  readonly maxBytes: number;
  /** Milliseconds without any data after which the download fails. Default: 60000. */
  readonly idleMs?: number;
}

const MOST_REDIRECTS = 5;
const IDLE_MS = 60_000;
const OFFLINE_HINT =
  "without a network, use the embedded backend, or set KUBEBUILDER_ASSETS to a folder with the binaries";

/**
 * Downloads a URL.
 *
 * Guarantees: follows at most five redirects, and none from HTTPS to HTTP; reads at most `maxBytes`.
 * Fails: {@link DownloadError} when the server does not respond, responds with a failure, or sends more data.
 */
export async function download(url: string, fetch: Fetch, limits: DownloadLimits): Promise<Uint8Array> {
  const { maxBytes, idleMs = IDLE_MS } = limits;
  checkNumbers("the download", { idleMs }, { idleMs: "interval" });
  const watch = new AbortController();
  const reason = new DOMException(`the server sent nothing for ${String(idleMs)} ms`, "TimeoutError");
  const timer = setTimeout(() => watch.abort(reason), Math.min(idleMs, LONGEST_TIMER_MS));
  const send = (target: string): Promise<Response> => {
    timer.refresh();
    return fetch(target, { redirect: "manual", signal: watch.signal });
  };
  try {
    const response = await follow(url, send);
    return await readAll(response, url, maxBytes, () => timer.refresh());
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
      throw failure(url, `the response is ${String(response.status)} ${response.statusText}`.trimEnd());
    target = requireSecure(new URL(location, target).href, target);
  }
  throw failure(url, `it redirects more than ${String(MOST_REDIRECTS)} times`);
}

async function readAll(
  { body, headers }: Response,
  url: string,
  maxBytes: number,
  onPart: () => void,
): Promise<Uint8Array> {
  if (body === null) return new Uint8Array();
  const parts: Uint8Array[] = [];
  let length = Number(headers.get("content-length") ?? "0") > maxBytes ? Infinity : 0;
  const reader = body.getReader();
  for (;;) {
    if (length > maxBytes) {
      await reader.cancel();
      throw failure(url, `the response is longer than ${String(maxBytes)} bytes`);
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

/** Returns the target of a redirect. Fails: {@link DownloadError} when it is not encrypted and its origin is. */
export function requireSecure(url: string, from: string): string {
  const protocol = URL.canParse(url) ? new URL(url).protocol : "";
  if (protocol === "https:" || (protocol === "http:" && new URL(from).protocol === "http:")) return url;
  throw failure(url, `${from} redirects to it, and it is not encrypted`);
}

function failure(
  url: string,
  reason: string,
  options?: { readonly cause: unknown; readonly hint: string },
): DownloadError {
  return new DownloadError(`cannot download ${url}: ${reason}`, options);
}
