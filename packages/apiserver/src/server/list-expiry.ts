import type { Clock, Timer } from "@kubescaffold/platform/clock";

import type { InProcessController } from "../pipeline/server-context.ts";
import type { Store } from "../storage/store.ts";

const INTERVAL_MS = 5 * 60_000;

/** Expires lists of earlier versions, and their further pages, after five to ten minutes, as a real server that compacts etcd; watches are not affected. */
export function listExpiry(clock: Clock, store: Store): InProcessController {
  let timer: Timer | undefined;
  const expireLater = (): void => {
    const { revision } = store;
    timer = clock
      .setTimeout(() => {
        store.expireLists(revision);
        expireLater();
      }, INTERVAL_MS)
      .unref();
  };
  return {
    name: "list-expiry",
    start: expireLater,
    stop: async () => {
      timer?.cancel();
      await Promise.resolve();
    },
    idle: async () => await Promise.resolve(),
  };
}
