import { JoinedText } from "./joined-text.ts";
import type {
  MessageSocket,
  ResponseSink,
  ServerResponse,
  StreamBody,
  TunnelBody,
  UpgradeBody,
} from "./server-request.ts";

/** A body that is sent while it is made, or a connection. */
type StreamedBody = StreamBody | UpgradeBody | TunnelBody;

/** Reports whether a response goes on after its headers. */
export function isStreamed(body: ServerResponse["body"]): body is StreamedBody {
  return typeof body !== "string" && !(body instanceof JoinedText) && !(body instanceof Uint8Array);
}

/** Returns a body that calls back once: when it is written, or when the client has gone away. */
export function withEnd(body: StreamedBody, onEnd: () => void): StreamedBody {
  if ("open" in body) {
    const open = (socket: MessageSocket): void => {
      socket.closed.addEventListener("abort", onEnd, { once: true });
      body.open(socket);
    };
    return { ...body, open };
  }
  if ("tunnel" in body) {
    return {
      tunnel: (socket, head) => {
        socket.once("close", onEnd);
        body.tunnel(socket, head);
      },
    };
  }
  return {
    start: (sink, signal) => {
      const end = once(onEnd);
      signal.addEventListener("abort", end, { once: true });
      body.start(endingSink(sink, end), signal);
    },
  };
}

function once(call: () => void): () => void {
  let isCalled = false;
  return () => {
    if (!isCalled) call();
    isCalled = true;
  };
}

// Who has read all of a response finds it ended.
function endingSink(sink: ResponseSink, end: () => void): ResponseSink {
  return {
    write: (chunk) => sink.write(chunk),
    get pendingBytes() {
      return sink.pendingBytes;
    },
    drained: async () => await sink.drained(),
    done: () => {
      end();
      sink.done();
    },
  };
}
