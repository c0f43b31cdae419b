import type { GroupResource } from "@kubescaffold/k8s";

import type { InProcessController, ObjectTarget, ServerContext } from "../pipeline/server-context.ts";
import type { ServedResource } from "../resources/registry.ts";
import type { ApiObject } from "../storage/api-object.ts";
import type { StoreEvent } from "../storage/object-reader.ts";
import { KeyedWorker } from "./keyed-worker.ts";

/** How a controller follows the store. */
interface StoreControllerOptions {
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
  /** Follows something other than the store while the controller runs: adds keys to work on, and returns what ends that. */
  readonly subscribe?: (add: (keys: readonly string[]) => void) => () => void;
  readonly onStop?: () => void;
}

/** Creates a controller that works keys off as the store changes, one at a time. */
export function storeController(options: StoreControllerOptions): InProcessController {
  let worker: KeyedWorker | undefined;
  let unsubscribe: readonly (() => void)[] = [];
  return {
    name: options.name,
    start: () => {
      const created: KeyedWorker = new KeyedWorker(
        options.context.clock,
        async (key) => await options.work(key, created),
        options.context.turns,
      );
      worker = created;
      const listener = (event: StoreEvent): void => {
        for (const key of options.keysOf(event)) created.add(key);
      };
      unsubscribe = (options.watches ?? [undefined]).map((resource) =>
        options.context.objects.observe(resource, listener),
      );
      const add = (keys: readonly string[]): void => {
        for (const key of keys) created.add(key);
      };
      const other = options.subscribe?.(add);
      if (other !== undefined) unsubscribe = [...unsubscribe, other];
      add(options.initialKeys());
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

/** Returns how to reach an object of a served resource, or one of its subresources. */
export function targetOf(
  resource: Pick<ServedResource, "group" | "version" | "resource">,
  object: ApiObject,
  subresource?: string,
): ObjectTarget {
  return {
    group: resource.group,
    version: resource.version,
    resource: resource.resource,
    namespace: object.metadata.namespace ?? "",
    name: object.metadata.name ?? "",
    ...(subresource === undefined ? {} : { subresource }),
  };
}

/** Lists one version of every served resource that has all of these verbs, each place of storage once. */
export function storedResources(context: ServerContext, verbs: readonly string[]): readonly ServedResource[] {
  const seen = new Set<string>();
  return context.resources.all().filter((resource) => {
    const place = `${resource.storedAs.group}/${resource.storedAs.resource}`;
    if (seen.has(place) || !verbs.every((verb) => resource.verbs.includes(verb))) return false;
    seen.add(place);
    return true;
  });
}
