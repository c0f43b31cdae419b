import type { MessageSocket } from "@kubescaffold/apiserver/cluster-api";
import { type Clock, IdleTimer, onAbort } from "@kubescaffold/platform/clock";

// The time after which kubelets close a connection that carries nothing.
const IDLE_TIMEOUT_MS = 4 * 60 * 60 * 1000;
/** The time in which clients must open the streams that belong together, as for kubelets. */
export const CREATION_TIMEOUT_MS = 30_000;

// The code of WebSockets for an unexpected condition: clients must not take it for the end of a command.
const IDLE_CODE = 1011;

/** Returns a function that starts the timer of a SPDY connection for the time of kubelets. */
export function idleTimers(clock: Clock): (onIdle: () => void) => IdleTimer {
  return (onIdle) => new IdleTimer(clock, IDLE_TIMEOUT_MS, onIdle);
}

/** Closes a WebSocket that has neither received nor sent a message for the time of kubelets. */
export function closeWhenIdle(socket: MessageSocket, clock: Clock): MessageSocket {
  const timer = new IdleTimer(clock, IDLE_TIMEOUT_MS, () => socket.close(IDLE_CODE));
  onAbort(socket.closed, () => timer.stop());
  return {
    closed: socket.closed,
    close: (code) => socket.close(code),
    send: async (message) => {
      timer.touch();
      await socket.send(message);
    },
    async *messages() {
      for await (const message of socket.messages()) {
        timer.touch();
        yield message;
      }
    },
  };
}
