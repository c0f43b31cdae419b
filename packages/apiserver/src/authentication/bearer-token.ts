import type { ServerRequest } from "../request/server-request.ts";
import { isWebSocketRequest, webSocketProtocols } from "../request/web-socket-request.ts";

type TokenRequest = Pick<ServerRequest, "header">;

/** Returns the bearer token of a request: that of its header, or of a WebSocket's subprotocol, since browsers cannot set the header. */
export function bearerToken(request: TokenRequest): string | undefined {
  const { token } = headerToken(request) ?? socketToken(request) ?? {};
  return token;
}

/** Reports whether a request has a bearer token, valid or not. */
export function presentsToken(request: TokenRequest): boolean {
  return BEARER.test(request.header("authorization") ?? "") || socketToken(request) !== undefined;
}

const BEARER = /^bearer +\S/iu;
const HEADER_TOKEN = /^\s*bearer (\S+)\s*$/iu;

/** A token; undefined if it is malformed. */
interface PresentedToken {
  readonly token: string | undefined;
}

function headerToken(request: TokenRequest): PresentedToken | undefined {
  const match = HEADER_TOKEN.exec(request.header("authorization") ?? "");
  return match === null ? undefined : { token: match[1] };
}

const BASE64_URL = /^[\w-]+$/u;

// As kube-apiserver: one token, and another protocol, which the answer names.
function socketToken(request: TokenRequest): PresentedToken | undefined {
  if (!isWebSocketRequest(request)) return undefined;
  const { encodedTokens, protocols } = webSocketProtocols(request);
  const [encoded, ...others] = encodedTokens;
  if (encoded === undefined || (encoded === "" && others.length === 0)) return undefined;
  const isValid = others.length === 0 && protocols.length > 0 && BASE64_URL.test(encoded);
  return { token: isValid ? decoded(encoded) : undefined };
}

function decoded(encoded: string): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.from(encoded, "base64url"));
  } catch {
    return undefined;
  }
}
