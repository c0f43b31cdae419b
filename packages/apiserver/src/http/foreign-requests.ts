import { isIP } from "node:net";

import { foreignOrigin, misdirected } from "../request/failures.ts";
import type { ServerRequest } from "../request/server-request.ts";

const BEARER = /^\s*bearer \S/iu;

/**
 * Refuses what a page in a browser on the same machine may send without its user's knowledge: requests under a name of the page's own that
 * resolves to this machine (DNS rebinding), and requests from other origins.
 *
 * Requests with a bearer token pass where the server has authenticators: no page knows a token.
 *
 * Fails: with 421 for an unknown host, with 403 for a foreign origin.
 */
export function refuseForeign(request: ServerRequest, { readsTokens }: { readonly readsTokens: boolean }): void {
  const { hostNames } = request;
  if (hostNames === undefined) return;
  const isKnownByToken =
    readsTokens && request.clientCertificate === undefined && BEARER.test(request.header("authorization") ?? "");
  if (isKnownByToken) return;
  const host = request.header("host") ?? "";
  if (!isOwnHost(host, hostNames)) {
    throw misdirected(
      `the request is for the host ${JSON.stringify(host)}, which is not a name of this server: use localhost, an IP address, or a name in the option hostNames`,
    );
  }
  const origin = request.header("origin");
  const isCrossSite =
    request.header("sec-fetch-site") === "cross-site" && request.header("sec-fetch-mode") !== "navigate";
  if (isCrossSite || (origin !== undefined && !isOwnOrigin(origin, host))) {
    throw foreignOrigin(
      `a page of ${origin === undefined ? "another site" : `the origin ${JSON.stringify(origin)}`} may not send requests to this server without a bearer token`,
    );
  }
}

// No DNS name is an IP address, so a web page cannot control one. Only browsers matter, and they send a host.
function isOwnHost(host: string, hostNames: ReadonlySet<string>): boolean {
  const name = hostNameOf(host);
  return name === "" || isIP(name) !== 0 || isLoopbackName(name) || hostNames.has(name);
}

function isOwnOrigin(origin: string, host: string): boolean {
  if (!URL.canParse(origin)) return false;
  const url = new URL(origin);
  const name = hostNameOf(url.host);
  return url.host === host.toLowerCase() || isLoopbackName(name) || name === "::1" || /^127\.[\d.]+$/u.test(name);
}

function isLoopbackName(name: string): boolean {
  return name === "localhost" || name.endsWith(".localhost");
}

/** Returns the name of a `Host` header: in lower case, without the port, the brackets of IPv6, and a dot at the end. */
function hostNameOf(host: string): string {
  const [, address] = /^\[(.*)\](?::\d*)?$/u.exec(host) ?? [];
  return address ?? host.toLowerCase().replace(/:\d*$/u, "").replace(/\.$/u, "");
}
