/** The WebSocket subprotocols of exec and attach, the preferred first; version 5 can close standard input. */
export const REMOTE_COMMAND_PROTOCOLS = ["v5.channel.k8s.io", "v4.channel.k8s.io"] as const;

/** The WebSocket subprotocol of port forwarding: a tunnel of SPDY 3.1. */
export const PORT_FORWARD_PROTOCOL = "SPDY/3.1+portforward.k8s.io";

/**
 * The headers of the SPDY streams of port forwarding. Each connection is a pair of streams with the same request ID: on `error` the server reports
 * a failure as text, `data` carries the bytes.
 */
export const PORT_FORWARD_HEADERS = { type: "streamtype", port: "port", requestId: "requestid" } as const;

/** A subprotocol of exec and attach. */
export type RemoteCommandProtocol = (typeof REMOTE_COMMAND_PROTOCOLS)[number];

/**
 * The channels of exec and attach: the first byte of each message.
 *
 * `error` carries the result as a `Status`, `resize` the size of the terminal as JSON, and `close` the number of a channel that the client has ended.
 */
export const CHANNELS = { stdin: 0, stdout: 1, stderr: 2, error: 3, resize: 4, close: 255 } as const;

/** The size of a terminal in characters. */
export interface TerminalSize {
  /** Columns. */
  readonly width: number;
  /** Rows. */
  readonly height: number;
}

/** Encodes the size of a terminal for the channel `resize`. */
export function encodeTerminalSize({ width, height }: TerminalSize): string {
  return JSON.stringify({ Width: width, Height: height });
}

/** Decodes the size of a terminal; returns undefined for anything else. */
export function decodeTerminalSize(text: string): TerminalSize | undefined {
  try {
    const { Width: width, Height: height } = JSON.parse(text) as {
      readonly Width?: unknown;
      readonly Height?: unknown;
    };
    return isSize(width) && isSize(height) ? { width, height } : undefined;
  } catch {
    return undefined;
  }
}

// 16 bits, as in Go.
function isSize(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= 0xff_ff;
}
