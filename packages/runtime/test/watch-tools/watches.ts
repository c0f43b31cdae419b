import type { Status } from "@kubescaffold/k8s/meta/v1";
import type { FakeClock } from "@kubescaffold/platform/clock";

import type { WatchEvent } from "../../src/client/client.ts";
import type { WatchOptions } from "../../src/client/options.ts";
import { Widget } from "../support/fake-server.ts";

/** The events of one watch; the watch ends after them, or fails with the error. */
export type Script = readonly (WatchEvent | Error)[];

/** A watcher whose watches follow scripts; after the last script, watches stay open. */
export function scripted(scripts: readonly Script[], clock?: FakeClock) {
  const requests: WatchOptions[] = [];
  const openedAt: number[] = [];
  return {
    requests,
    openedAt,
    async *watch(options: WatchOptions): AsyncGenerator<WatchEvent, void, undefined> {
      const script = scripts[requests.length];
      requests.push(options);
      openedAt.push(clock?.monotonic() ?? 0);
      for (const event of script ?? []) {
        if (event instanceof Error) throw event;
        yield event;
      }
      if (script === undefined) {
        await new Promise<void>((_, reject) => {
          options.signal?.addEventListener("abort", () => reject(options.signal?.reason as Error));
        });
      }
    },
  };
}

export function widget(name: string, resourceVersion: string): Widget {
  return Widget.create({ metadata: { name, namespace: "default", resourceVersion }, spec: { size: 1 } });
}

export function event(type: "ADDED" | "MODIFIED" | "DELETED" | "BOOKMARK", resourceVersion: string): WatchEvent {
  return { type, object: widget("a", resourceVersion) };
}

export function errorEvent(code: number, more: Partial<Status> = {}): WatchEvent {
  return {
    type: "ERROR",
    object: { apiVersion: "v1", kind: "Status", metadata: {}, status: "Failure", code, ...more },
  };
}
