import type { ServerRequest } from "./server-request.ts";

/** Prefix of the subprotocol that carries a bearer token, encoded in base64url. */
const TOKEN_PROTOCOL_PREFIX = "base64url.bearer.authorization.k8s.io.";

/** Reports whether a request asks to become a WebSocket. */
export function isWebSocketRequest({ header }: Pick<ServerRequest, "header">): boolean {
  return (
    header("upgrade")?.toLowerCase() === "websocket" && (header("connection") ?? "").toLowerCase().includes("upgrade")
  );
}

/** Returns the subprotocols that a client offers, and apart from them the encoded tokens. */
export function webSocketProtocols({ header }: Pick<ServerRequest, "header">): {
  readonly protocols: readonly string[];
  readonly encodedTokens: readonly string[];
} {
  const offered = (header("sec-websocket-protocol") ?? "")
    .split(",")
    .map((text) => text.trim())
    .filter((text) => text !== "");
  const isToken = (protocol: string): boolean => protocol.startsWith(TOKEN_PROTOCOL_PREFIX);
  return {
    protocols: offered.filter((each) => !isToken(each)),
    encodedTokens: offered.filter(isToken).map((each) => each.slice(TOKEN_PROTOCOL_PREFIX.length)),
  };
}
