import { parseLosslessJson } from "@kubescaffold/k8s";

/** One line of a watch. */
export interface WatchEvent {
  readonly type: string;
  readonly object: unknown;
}

/** A watch that is open. */
export interface WatchStream {
  readonly status: number;
  /** Returns the next events, as many as asked for, or fewer when the server closes the stream or stays silent too long. */
  readonly take: (count: number) => Promise<readonly WatchEvent[]>;
  /** Returns all events up to the end of the stream, and whether the server closed it. */
  readonly drain: () => Promise<{ readonly events: readonly WatchEvent[]; readonly isClosed: boolean }>;
  readonly close: () => Promise<void>;
}

const SILENCE_MS = 10_000;

/** Reads the newline-delimited events of a response. */
export function watchStreamOf(response: Response): WatchStream {
  const reader = (
    response.body ?? new ReadableStream<Uint8Array>({ start: (controller) => controller.close() })
  ).getReader();
  const decoder = new TextDecoder();
  const pending: WatchEvent[] = [];
  let text = "";
  let isClosed = false;
  let read: ReturnType<typeof reader.read> | undefined;

  const more = async (): Promise<boolean> => {
    if (isClosed) return false;
    read ??= reader.read();
    const chunk = await Promise.race([read, silence()]);
    if (chunk === undefined) return false;
    read = undefined;
    if (chunk.done) {
      isClosed = true;
      return false;
    }
    text += decoder.decode(chunk.value, { stream: true });
    const lines = text.split("\n");
    text = lines.pop() ?? "";
    pending.push(...lines.filter((line) => line !== "").map((line) => parseLosslessJson(line) as WatchEvent));
    return true;
  };
  const take = async (count: number): Promise<readonly WatchEvent[]> => {
    while (pending.length < count && (await more()));
    return pending.splice(0, count);
  };
  return {
    status: response.status,
    take,
    drain: async () => ({ events: await take(Number.POSITIVE_INFINITY), isClosed }),
    close: async () => {
      await reader.cancel().catch(() => undefined);
    },
  };
}

async function silence(): Promise<undefined> {
  return new Promise((resolve) => {
    setTimeout(resolve, SILENCE_MS, undefined).unref();
  });
}
