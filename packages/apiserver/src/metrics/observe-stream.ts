import type { MessageSocket, ResponseSink, ServerResponse } from "../request/server-request.ts";

/** A body that is sent while it is made. */
export type Streamed = Extract<ServerResponse["body"], { start: unknown } | { open: unknown }>;

/** Returns a body that calls back once when its stream has ended. */
export function observed(body: Streamed, onEnd: () => void): Streamed {
  let isOver = false;
  const end = (): void => {
    if (!isOver) onEnd();
    isOver = true;
  };
  if ("open" in body) {
    return { ...body, open: (socket: MessageSocket) => openUntilClosed(socket, end, () => body.open(socket)) };
  }
  return {
    start: (sink, signal) => {
      signal.addEventListener("abort", end, { once: true });
      body.start(endingSink(sink, end), signal);
    },
  };
}

function openUntilClosed(socket: MessageSocket, end: () => void, open: () => void): void {
  socket.closed.addEventListener("abort", end, { once: true });
  open();
}

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
