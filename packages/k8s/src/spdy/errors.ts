import { ScaffoldError } from "../failures/errors.ts";

/**
 * Thrown when the peer of a SPDY connection, which carries exec, attach, and port forwarding, violates the protocol, or breaks or closes the connection.
 *
 * Fix: Check proxies between here and the API server, and the logs of the server and the node; then reconnect.
 */
export class SpdyError extends ScaffoldError {
  readonly code = "STREAM_SPDY";

  constructor(detail: string, options: { readonly cause?: unknown } = {}) {
    super(`the SPDY connection failed: ${detail}`, {
      hint: "check proxies between here and the API server, and the logs of the server and the node; then reconnect",
      ...options,
    });
  }
}
