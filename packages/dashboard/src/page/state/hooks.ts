import { createContext } from "preact";
import { useContext, useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";

import type { Capability } from "../feed/protocol.ts";
import type { State } from "./model.ts";
import type { Store } from "./store.ts";

/** The store of the page. */
export const StoreContext = createContext<Store | undefined>(undefined);

/** Returns the store. Throws outside of the page. */
function useStore(): Store {
  const store = useContext(StoreContext);
  if (store === undefined) throw new Error("there is no store");
  return store;
}

/** Returns a part of the state, and renders again when it changes. The selector has to return what the state contains, not something new. */
export function useSelect<T>(select: (state: State) => T): T {
  const store = useStore();
  const [, setVersion] = useState(0);
  const selected = select(store.state);
  const last = useRef(selected);
  useLayoutEffect(() => {
    last.current = selected;
  });
  useEffect(() => {
    const check = (): void => {
      if (!Object.is(last.current, select(store.state))) setVersion((version) => version + 1);
    };
    // What changed since it was rendered.
    check();
    return store.subscribe(check);
  }, [store]);
  return selected;
}

/** Like {@link useSelect}, but follows changes only every so often. For values from which much is derived. */
export function useSlowSelect<T>(select: (state: State) => T, intervalOf: (value: T) => number): T {
  const store = useStore();
  const [value, setValue] = useState(() => select(store.state));
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let shown = value;
    let shownAt = 0;
    const show = (): void => {
      timer = undefined;
      shown = select(store.state);
      shownAt = Date.now();
      setValue(() => shown);
    };
    const check = (): void => {
      if (timer !== undefined || Object.is(shown, select(store.state))) return;
      const wait = shownAt + intervalOf(select(store.state)) - Date.now();
      if (wait <= 0) show();
      else timer = setTimeout(show, wait);
    };
    const unsubscribe = store.subscribe(check);
    check();
    return () => {
      unsubscribe();
      clearTimeout(timer);
    };
  }, [store]);
  return value;
}

/** Reports whether the process can do something. */
export function useCapability(capability: Capability): boolean {
  return useSelect((state) => state.hello)?.capabilities.includes(capability) ?? false;
}

/** Returns the time, and renders again at each interval. All callers of an interval share a timer. */
export function useNow(intervalMs = 1000): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => onTick(intervalMs, () => setNow(Date.now())), [intervalMs]);
  return now;
}

const ticks = new Map<
  number,
  { readonly listeners: Set<() => void>; readonly timer: ReturnType<typeof setInterval> }
>();

function onTick(intervalMs: number, listener: () => void): () => void {
  let tick = ticks.get(intervalMs);
  if (tick === undefined) {
    const listeners = new Set<() => void>();
    const timer = setInterval(() => {
      for (const each of listeners) each();
    }, intervalMs);
    tick = { listeners, timer };
    ticks.set(intervalMs, tick);
  }
  const { listeners, timer } = tick;
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    ticks.delete(intervalMs);
  };
}

/** The state of a request. */
export type Loaded<T> =
  | { readonly kind: "loading" }
  | { readonly kind: "loaded"; readonly value: T }
  | { readonly kind: "failed"; readonly message: string };

/** Sends a request when the key changes, and keeps the last value while the next one loads, unless the subject changed. */
export function useRequest<T>(
  subject: string,
  version: string,
  request: (signal: AbortSignal) => Promise<T>,
): Loaded<T> {
  const [state, setState] = useState<{ readonly subject: string; readonly result: Loaded<T> }>({
    subject: "",
    result: { kind: "loading" },
  });
  useEffect(() => {
    const controller = new AbortController();
    request(controller.signal).then(
      (value) => {
        if (!controller.signal.aborted) setState({ subject, result: { kind: "loaded", value } });
      },
      (error: unknown) => {
        if (controller.signal.aborted) return;
        const message = error instanceof Error ? error.message : String(error);
        setState({ subject, result: { kind: "failed", message } });
      },
    );
    return () => controller.abort();
  }, [subject, version]);
  return useMemo(() => (state.subject === subject ? state.result : { kind: "loading" }), [state, subject]);
}
