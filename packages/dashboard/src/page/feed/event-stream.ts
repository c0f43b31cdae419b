import type { DashboardMessage } from "./protocol.ts";

/** The connection to the process that serves the page. */
export interface Connection {
  readonly kind: "connecting" | "open" | "lost";
  /** Whether the process refused the session: its address has to be opened again. */
  readonly isRefused: boolean;
}

/** What a stream reports. */
export interface StreamListener {
  readonly onMessages: (messages: readonly DashboardMessage[]) => void;
  readonly onConnection: (connection: Connection) => void;
}

const RETRY_MS = { first: 500, factor: 1.7, longest: 5000 } as const;

/**
 * Keeps a stream of messages open until the signal aborts: a lost connection is opened again, with growing delays.
 *
 * `EventSource` reconnects by itself only while the process answers, so that every failure opens a new one here.
 */
export function openEventStream(url: string, listener: StreamListener, signal: AbortSignal): void {
  let delay: number = RETRY_MS.first;
  let source: EventSource | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const connect = (): void => {
    source = new EventSource(url);
    source.addEventListener("open", () => {
      delay = RETRY_MS.first;
      listener.onConnection({ kind: "open", isRefused: false });
    });
    source.addEventListener("message", ({ data }: MessageEvent<string>) => {
      listener.onMessages(JSON.parse(data) as readonly DashboardMessage[]);
    });
    source.addEventListener("error", () => {
      source?.close();
      timer = setTimeout(connect, delay);
      delay = Math.min(delay * RETRY_MS.factor, RETRY_MS.longest);
      listener.onConnection({ kind: "lost", isRefused: false });
      void isRefused(url, signal).then((refused) => {
        if (refused && !signal.aborted) listener.onConnection({ kind: "lost", isRefused: true });
      });
    });
  };
  signal.addEventListener("abort", () => {
    source?.close();
    clearTimeout(timer);
  });
  connect();
}

// An EventSource does not say why it failed: a session that the process does not know needs another message than a process that is gone.
async function isRefused(url: string, signal: AbortSignal): Promise<boolean> {
  const probe = new AbortController();
  try {
    const response = await fetch(url, { signal: AbortSignal.any([signal, probe.signal]) });
    return response.status === 401 || response.status === 403;
  } catch {
    return false;
  } finally {
    probe.abort();
  }
}
