import process from "node:process";

import { parseServerJson, printServerJson } from "@kubescaffold/k8s";

import type { Observation, Observer } from "./observer.ts";

/** A message of a manager to the process that started it. */
export interface ObservationsMessage {
  /** Distinguishes these messages from those of other programs, such as loaders. */
  readonly source: typeof SOURCE;
  /** The observations, in order. */
  readonly observations: readonly Observation[];
  /** The number of observations before these that were dropped, since the parent read too slowly. */
  readonly dropped: number;
}

const SOURCE = "kubescaffold.dev/observer";
const VARIABLE = "KUBESCAFFOLD_OBSERVE";
const FLUSH_MS = 50;
const MOST_WAITING = 20_000;

/** Returns the message if a value is one of {@link ObservationsMessage}. */
export function readObservationsMessage(value: unknown): ObservationsMessage | undefined {
  const message = value as Partial<SentMessage> | null | undefined;
  if (message?.source !== SOURCE || typeof message.text !== "string") return undefined;
  const observations = observationsOf(message.text);
  return observations && { source: SOURCE, observations, dropped: message.dropped ?? 0 };
}

// Any code in the process of the manager can send messages.
function observationsOf(text: string): readonly Observation[] | undefined {
  try {
    const value = parseServerJson(text);
    return Array.isArray(value) ? (value as readonly Observation[]) : undefined;
  } catch {
    return undefined;
  }
}

/** A message as the channel carries it. It writes JSON itself, without integers beyond 2^53 and with some thousand levels, and fails otherwise. */
interface SentMessage extends Omit<ObservationsMessage, "observations"> {
  readonly text: string;
}

/** The part of `process` that sends messages. */
export interface ParentChannel {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly connected?: boolean;
  readonly send?: ((message: unknown, done: (error: Error | null) => void) => boolean) | undefined;
}

/**
 * Returns an observer that sends to the parent process, if that asks for it with `KUBESCAFFOLD_OBSERVE=ipc` and has opened a channel.
 *
 * Guarantees: memory is bounded if the parent does not read; the channel does not keep the process alive.
 */
export function parentObserver(channel: ParentChannel = processChannel()): Observer | undefined {
  if (channel.env[VARIABLE] !== "ipc" || channel.send === undefined) return undefined;
  let waiting: Observation[] = [];
  let dropped = 0;
  let isScheduled = false;
  let isSending = false;
  const flush = (): void => {
    isScheduled = false;
    if (channel.connected === false || isSending || waiting.length === 0) return;
    const message: SentMessage = { source: SOURCE, text: printServerJson(waiting), dropped };
    waiting = [];
    dropped = 0;
    isSending = true;
    channel.send?.(message, () => {
      isSending = false;
      schedule();
    });
  };
  const schedule = (): void => {
    if (isScheduled || waiting.length === 0) return;
    isScheduled = true;
    setTimeout(flush, FLUSH_MS).unref();
  };
  return {
    observe: (observation) => {
      if (waiting.length >= MOST_WAITING) {
        dropped += 1;
        return;
      }
      waiting.push(observation);
      schedule();
    },
  };
}

function processChannel(): ParentChannel {
  return {
    env: process.env,
    get connected() {
      return process.connected;
    },
    send:
      process.send === undefined
        ? undefined
        : (message, done) => process.send?.(message, undefined, undefined, done) ?? false,
  };
}
