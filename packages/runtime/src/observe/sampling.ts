import { type Clock, onAbort, type Timer } from "@kubescaffold/platform/clock";

import type { Observation, Observer } from "./observer.ts";

const INTERVAL_MS = 1000;

/** Sends a sample now, and each second in which it differs from the one before, until the signal aborts. */
export function startSampling<S extends Observation>(
  observer: Observer,
  read: () => Omit<S, "at">,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): void {
  let last = "";
  let timer: Timer | undefined;
  const sample = (): void => {
    const state = read();
    const printed = JSON.stringify(state);
    if (printed !== last) observer.observe({ ...state, at: clock.now() } as S);
    last = printed;
    timer = clock.setTimeout(sample, INTERVAL_MS).unref();
  };
  if (signal.aborted) return;
  onAbort(signal, () => timer?.cancel());
  sample();
}
