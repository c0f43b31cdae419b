import type { Duplex } from "node:stream";

import { type ServerRequest, type ServerResponse } from "@kubescaffold/apiserver/cluster-api";
import type { SpdyTransport } from "@kubescaffold/k8s/spdy";

const PROTOCOL_HEADER = "X-Stream-Protocol-Version";
const ACCEPTED_HEADER = "X-Accepted-Stream-Protocol-Versions";
const SPDY = "SPDY/3.1";

/**
 * Upgrades a request to SPDY 3.1 as kubelets do, and serves the connection in the first protocol of the client that the server speaks.
 *
 * Returns the answers of kubelets, which are plain texts, to other requests: 400 without protocols, or without the headers of the upgrade, and 403 if no protocol is
 * served. Unlike theirs, the text about headers does not repeat them, since they contain credentials.
 */
export function upgradeToSpdy<Protocol extends string>(
  request: ServerRequest,
  protocols: readonly Protocol[],
  serve: (transport: SpdyTransport, protocol: Protocol) => Promise<void>,
): ServerResponse {
  const header = request.header(PROTOCOL_HEADER.toLowerCase());
  if (header === undefined) {
    const count = request.headerNames().length;
    return refusal(400, `header ${PROTOCOL_HEADER} does not exist in request with ${String(count)} headers`);
  }
  const offered = header
    .split(",")
    .map((text) => text.trim())
    .filter((text) => text !== "");
  if (offered.length === 0)
    return refusal(400, `header ${PROTOCOL_HEADER} contains [${header}], but no valid protocols`);
  const protocol = offered
    .map((each) => protocols.find((served) => served === each))
    .find((each) => each !== undefined);
  if (protocol === undefined) {
    const detail = `unable to negotiate protocol: client supports [${offered.join(" ")}], server accepts [${protocols.join(" ")}]`;
    return { ...refusal(403, detail), headers: { ...REFUSED, [ACCEPTED_HEADER]: protocols } };
  }
  // "upgrade" in `Connection` is why the request can be upgraded.
  if (request.header("upgrade")?.toLowerCase().includes(SPDY.toLowerCase()) !== true) {
    return refusal(400, "missing upgrade headers in request");
  }
  return {
    code: 101,
    contentType: "",
    body: {
      tunnel: (socket, head) => {
        socket.write(
          `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: ${SPDY}\r\n${PROTOCOL_HEADER}: ${protocol}\r\n\r\n`,
        );
        // A connection that breaks ends the streams, which is no failure.
        serve(transportOf(socket, head), protocol).catch(() => socket.destroy());
      },
    },
  };
}

const REFUSED = { "X-Content-Type-Options": "nosniff" } as const;

function refusal(code: number, detail: string): ServerResponse {
  return { code, contentType: "text/plain; charset=utf-8", headers: REFUSED, body: `unable to upgrade: ${detail}\n` };
}

// The client closes the connection when it has read the end; one that does not is cut off.
const LINGER_MS = 2000;

function transportOf(socket: Duplex, head: Buffer): SpdyTransport {
  socket.on("error", () => undefined);
  return {
    async *chunks() {
      if (head.length > 0) yield head;
      // The end of the session must not drop what is still to be sent.
      for await (const chunk of socket.iterator({ destroyOnReturn: false })) yield chunk as Buffer;
    },
    write: async (bytes) => {
      await new Promise<void>((resolve, reject) => {
        socket.write(bytes, (error) => (error ? reject(error) : resolve()));
      });
    },
    close: () => {
      socket.end();
      // Bytes that nobody reads would turn the end into a reset.
      socket.resume();
      const timer = setTimeout(() => socket.destroy(), LINGER_MS).unref();
      socket.once("close", () => clearTimeout(timer));
    },
    closed: (listener) => void socket.once("close", listener),
  };
}
