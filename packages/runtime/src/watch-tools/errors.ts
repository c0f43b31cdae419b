import { ScaffoldError } from "@kubescaffold/k8s";

import type { WatchEvent } from "../client/client.ts";

/**
 * Thrown when a watch ended before all conditions were met.
 *
 * Fix: Check `lastEvent`: an `ERROR` with code 410 means that the resourceVersion has expired. `untilWithSync` recovers from that.
 *
 * client-go: tools/watch.ErrWatchClosed
 */
export class WatchClosedError extends ScaffoldError {
  readonly code = "CLIENT_WATCH_CLOSED";
  /** The last event before the end; undefined without events. */
  readonly lastEvent: WatchEvent | undefined;

  constructor(lastEvent: WatchEvent | undefined) {
    const detail = lastEvent?.type === "ERROR" ? `: ${lastEvent.object.message ?? "it reported an error"}` : "";
    super(`the watch ended before all conditions were met${detail}`, {
      hint: "use untilWithSync, which lists again when the resourceVersion has expired",
    });
    this.lastEvent = lastEvent;
  }
}

/**
 * Thrown when a watch that resumes was created without a resourceVersion, or with `"0"`.
 *
 * Fix: Pass the resourceVersion of a list or of an object.
 */
export class UnsupportedResourceVersionError extends ScaffoldError {
  readonly code = "CLIENT_RESOURCE_VERSION_UNSUPPORTED";

  constructor(resourceVersion: string) {
    super(`cannot start a watch that resumes at resourceVersion ${JSON.stringify(resourceVersion)}`, {
      hint: "pass the resourceVersion of a list or of an object",
    });
  }
}
