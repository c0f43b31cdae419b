import type { ResponseSink, ServerRequest, ServerResponse, StreamBody } from "../request/server-request.ts";
import { isWebSocketRequest, webSocketProtocols } from "../request/web-socket-request.ts";

/** Reports whether a watch is to be served over a WebSocket. */
export function isWatchSocket(request: ServerRequest): boolean {
  return request.canUpgrade === true && isWebSocketRequest(request);
}

/**
 * Serves a watch over a WebSocket, one event per message: text for JSON, binary for protobuf.
 *
 * Handshakes are checked as kube-apiserver does, which requires an origin and accepts at most one subprotocol.
 */
export function watchSocketAnswer(request: ServerRequest, body: StreamBody): ServerResponse {
  const { protocols } = webSocketProtocols(request);
  if ((request.header("sec-websocket-key") ?? "") === "") return refusal(400, "mismatch challenge/response");
  if (request.header("sec-websocket-version") !== "13") return refusal(400, "missing or bad WebSocket Version");
  if (!ORIGIN.test(request.header("origin") ?? "")) return refusal(403);
  if (protocols.length > 1) return refusal(400);
  return {
    code: 101,
    contentType: "",
    body: {
      protocol: protocols[0],
      open: (socket) => {
        let pendingBytes = 0;
        const sink: ResponseSink = {
          write: (message) => {
            pendingBytes += message.length;
            void socket
              .send(message)
              // The watch ends with the connection.
              .catch(() => undefined)
              .finally(() => {
                pendingBytes -= message.length;
              });
          },
          get pendingBytes() {
            return pendingBytes;
          },
          drained: async () => undefined,
          done: () => socket.close(NORMAL_CLOSURE),
        };
        body.start(sink, socket.closed);
        void ignoreMessages(socket.messages());
      },
    },
  };
}

const NORMAL_CLOSURE = 1000;

// A URL with a path or a host, or an absolute path.
const ORIGIN = /^(?:[a-z][\w+.-]*:)?\/[^\s]*$/iu;

function refusal(code: number, body: string = ""): ServerResponse {
  return { code, contentType: "", headers: { Connection: "close" }, body };
}

async function ignoreMessages(messages: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of messages);
}
