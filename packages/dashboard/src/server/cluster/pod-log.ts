import { isForbidden, isNotFound } from "@kubescaffold/k8s";
import { type Clock, sleep } from "@kubescaffold/platform/clock";
import { podLogs, type RestClient } from "@kubescaffold/runtime";

/** The log of a container. */
export interface FollowedLog {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
}

/** What becomes of the lines of a log. */
export interface LogReceiver {
  /** Receives a line with the time at which the container wrote it. */
  readonly line: (text: string, at: number) => void;
  /** Receives why the log cannot be read, and undefined once it can. */
  readonly failed: (error: unknown) => void;
}

const FIRST_LINES = 500;
const RETRY_MS = 2000;

/** Follows the log of a container from its last lines on, also after its restarts, until the signal aborts or the Pod is gone. */
export async function followLog(
  rest: RestClient,
  { namespace, pod, container }: FollowedLog,
  { receiver, clock, signal }: { readonly receiver: LogReceiver; readonly clock: Clock; readonly signal: AbortSignal },
): Promise<void> {
  const position = new LogPosition();
  while (!signal.aborted) {
    try {
      const sinceTime = position.resume();
      const since = sinceTime === "" ? { tailLines: FIRST_LINES } : { sinceTime };
      const logs = podLogs(
        rest,
        { namespace, name: pod },
        { container, follow: true, timestamps: true, signal, ...since },
      );
      for await (const line of logs.lines()) {
        receiver.failed(undefined);
        const entry = position.read(line);
        if (entry !== undefined) receiver.line(shortened(entry.text), entry.at);
      }
    } catch (error) {
      if (signal.aborted || isNotFound(error)) return;
      // Before the container starts, its log is a bad request.
      if (isForbidden(error)) receiver.failed(error);
    }
    await sleep(clock, RETRY_MS, signal).catch(() => undefined);
  }
}

const LONGEST_SHOWN = 16_384;

// A part of a text keeps all of it in memory, and its copy does not.
function shortened(text: string): string {
  return text.length <= LONGEST_SHOWN ? text : `${Buffer.from(text.slice(0, LONGEST_SHOWN)).toString("utf8")}…`;
}

const TIMESTAMPED = /^(?<second>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?<fraction>\.\d+)?(?<zone>Z|[+-]\d\d:\d\d) ?/u;

/** Remembers up to where a log was read. A server only knows seconds, so that it repeats the lines of the last one. */
export class LogPosition {
  #since = "";
  #seen = new Set<string>();
  #repeated = new Set<string>();

  /** Returns the time in seconds from which the log is read on, whose lines follow again; empty before the first line. */
  resume(): string {
    this.#repeated = new Set(this.#seen);
    return this.#since;
  }

  /** Splits a line with a timestamp; undefined for one that was read before. */
  read(line: string): { readonly text: string; readonly at: number } | undefined {
    const match = TIMESTAMPED.exec(line);
    if (match === null) return { text: line, at: Date.parse(this.#since) || 0 };
    const { second = "", fraction = "", zone = "" } = match.groups ?? {};
    const time = `${second}${zone}`;
    if (time !== this.#since) {
      this.#since = time;
      this.#seen = new Set();
    }
    if (this.#repeated.has(line)) {
      this.#seen.add(line);
      return undefined;
    }
    this.#seen.add(line);
    return { text: line.slice(match[0].length), at: Date.parse(`${second}${fraction.slice(0, 4)}${zone}`) };
  }
}
