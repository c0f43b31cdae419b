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
      body.start(new EndingSink(sink, end), signal);
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

// Calls back before the response ends, so that a client that has read all of it finds it ended. A class, since each object literal with a
// getter has a hidden class of its own in V8.
class EndingSink implements ResponseSink {
  readonly #sink: ResponseSink;
  readonly #end: () => void;

  constructor(sink: ResponseSink, end: () => void) {
    this.#sink = sink;
    this.#end = end;
  }

  write(chunk: string | Uint8Array): void {
    this.#sink.write(chunk);
  }

  get pendingBytes(): number {
    return this.#sink.pendingBytes;
  }

  async drained(): Promise<void> {
    await this.#sink.drained();
  }

  done(): void {
    this.#end();
    this.#sink.done();
  }
}
