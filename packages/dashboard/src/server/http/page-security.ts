import { randomBytes, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";

/** The headers of all responses: the page loads nothing from elsewhere, is in no frame, and is not cached. */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; frame-ancestors 'none'; form-action 'none'",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "cache-control": "no-store",
};

/** Reports whether the `Host` header names the loopback address with the port; names that others control do not. */
export function isOwnHost(host: string | undefined, port: number): boolean {
  return host === `127.0.0.1:${String(port)}` || host === `localhost:${String(port)}`;
}

/** Reports whether a browser says that another site made the request. Typed addresses have the site `none`. */
export function isCrossSite(headers: IncomingHttpHeaders): boolean {
  const site = headers["sec-fetch-site"];
  return site !== undefined && site !== "same-origin" && site !== "none";
}

/** Reports whether the page itself made a POST: by its origin, and by headers that a form of another site cannot send. */
export function isOwnPost(headers: IncomingHttpHeaders, port: number): boolean {
  const { host, origin } = headers;
  return (
    origin === `http://${host ?? ""}` &&
    isOwnHost(host, port) &&
    headers["x-kubescaffold-dashboard"] === "1" &&
    /^application\/json(?:;|$)/u.test(headers["content-type"] ?? "")
  );
}

const MOST_TOKENS = 20;
const MOST_SESSIONS = 20;

/** The path of a page, its one-time tokens, and the sessions that they were exchanged for. */
export class PageSessions {
  /**
   * The path that all requests start with. Nobody can guess it, since browsers send a cookie to all ports of a host: servers of other users on the same machine
   * would receive it under a path that they know.
   */
  readonly path: string = `/${randomBytes(16).toString("base64url")}/`;
  readonly #cookieName: string;
  #tokens: string[] = [];
  #sessions: string[] = [];

  // Cookies of a host are kept for all its ports.
  constructor(port: number) {
    this.#cookieName = `kubescaffold-dashboard-${String(port)}`;
  }

  /** Returns a token that is valid once. */
  newToken(): string {
    const token = secret();
    this.#tokens = [...this.#tokens, token].slice(-MOST_TOKENS);
    return token;
  }

  /** Ends a token and returns the cookie of a new session; undefined for a token that is not valid. */
  exchange(token: string): string | undefined {
    const found = this.#tokens.find((each) => isEqual(each, token));
    if (found === undefined) return undefined;
    this.#tokens = this.#tokens.filter((each) => each !== found);
    const session = secret();
    this.#sessions = [...this.#sessions, session].slice(-MOST_SESSIONS);
    return `${this.#cookieName}=${session}; Path=${this.path}; HttpOnly; SameSite=Strict`;
  }

  /** Returns what follows the path of the page, with a slash; undefined for other paths. */
  routeOf(pathname: string): string | undefined {
    const { length } = this.path;
    return isEqual(this.path, pathname.slice(0, length)) ? pathname.slice(length - 1) : undefined;
  }

  /** Reports whether the `Cookie` header has a session. */
  isKnown(cookies: string | undefined): boolean {
    const values = (cookies ?? "")
      .split(";")
      .map((cookie) => cookie.trim())
      .filter((cookie) => cookie.startsWith(`${this.#cookieName}=`))
      .map((cookie) => cookie.slice(this.#cookieName.length + 1));
    return values.some((value) => this.#sessions.some((session) => isEqual(session, value)));
  }
}

function secret(): string {
  return randomBytes(32).toString("base64url");
}

function isEqual(expected: string, given: string): boolean {
  const [left, right] = [Buffer.from(expected), Buffer.from(given)];
  return left.byteLength === right.byteLength && timingSafeEqual(left, right);
}
