import type { GroupResource } from "@kubescaffold/k8s";

import type { InProcessController } from "../pipeline/in-process-controller.ts";
import type { ServerContext } from "../pipeline/server-context.ts";
import type { StoreEvent } from "../storage/object-reader.ts";
import { KeyedWorker } from "./keyed-worker.ts";

/** How a controller follows the store. */
export interface StoreControllerOptions {
  readonly name: string;
  readonly context: ServerContext;
  /** The resources whose changes matter; all of them when absent. */
  readonly watches?: readonly GroupResource[];
  /** Returns the keys to work on after a change. */
  readonly keysOf: (event: StoreEvent) => readonly string[];
  /** Returns the keys to work on at the start. */
  readonly initialKeys: () => readonly string[];
  /** Brings the object of a key to where it should be; what it throws is tried again later. */
  readonly work: (key: string, worker: KeyedWorker) => Promise<void>;
  readonly onStop?: () => void;
}

/** Makes a controller that works keys off as the store changes, one at a time. */
export function storeController(options: StoreControllerOptions): InProcessController {
  let worker: KeyedWorker | undefined;
  let unsubscribe: readonly (() => void)[] = [];
  return {
    name: options.name,
    start: () => {
      const created: KeyedWorker = new KeyedWorker(
        options.context.clock,
        async (key) => await options.work(key, created),
      );
      worker = created;
      const listener = (event: StoreEvent): void => {
        for (const key of options.keysOf(event)) created.add(key);
      };
      unsubscribe = (options.watches ?? [undefined]).map((resource) =>
        options.context.objects.observe(resource, listener),
      );
      for (const key of options.initialKeys()) created.add(key);
    },
    stop: async () => {
      for (const end of unsubscribe) end();
      unsubscribe = [];
      await worker?.stop();
      worker = undefined;
      options.onStop?.();
    },
    idle: async () => {
      await worker?.idle();
    },
  };
}
