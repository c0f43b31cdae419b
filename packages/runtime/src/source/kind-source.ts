import { gvkToString } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

import type { Cache } from "../cache/cache.ts";
import { CacheSyncError } from "../cache/errors.ts";
import type { HandlerRegistration, Informer } from "../cache/informer.ts";
import type { KindRef } from "../client/client.ts";
import { onAbort } from "../clock/abort.ts";
import { sleep } from "../clock/clock.ts";
import type { Request } from "../reconcile/reconcile.ts";
import { filteredHandler } from "./filtered-handler.ts";
import type { HandledBy, Source, SourceContext } from "./source.ts";

/** A kind, the cache that watches it, and what handles its events. */
export interface KindSourceOptions<T extends KubernetesObject, R = Request> extends HandledBy<T, R> {
  readonly cache: Cache;
  readonly kind: KindRef<T>;
  /** Watches the metadata alone. */
  readonly metadataOnly?: boolean;
}

/** Creates a source of the changes of a kind's objects; a kind that is not installed yet is looked for every 10 seconds. */
export function kind<T extends KubernetesObject, R = Request>(options: KindSourceOptions<T, R>): Source<R> {
  return new KindSource(options);
}

const RETRY_MS = 10_000;

interface Attached {
  readonly informer: Informer;
  readonly registration: HandlerRegistration;
}

class KindSource<T extends KubernetesObject, R> implements Source<R> {
  readonly #options: KindSourceOptions<T, R>;
  #attached: Promise<Attached | undefined> = Promise.resolve(undefined);
  #lastError: unknown;

  constructor(options: KindSourceOptions<T, R>) {
    this.#options = options;
  }

  describe(): string {
    return `kind source ${gvkToString(this.#options.kind)}`;
  }

  start(context: SourceContext<R>): void {
    this.#attached = this.#attach(context);
  }

  async waitForSync(signal: AbortSignal): Promise<void> {
    const attached = await Promise.race([this.#attached, whenAborted(signal)]);
    if (attached === undefined) {
      throw new CacheSyncError(this.#options.kind, this.#lastError);
    }
    await attached.informer.waitForSync(signal);
    if (!(await this.#options.cache.waitForCacheSync(signal))) {
      throw new CacheSyncError(this.#options.kind);
    }
    await attached.registration.waitForSync(signal);
  }

  async #attach(context: SourceContext<R>): Promise<Attached | undefined> {
    const informer = await this.#findInformer(context);
    if (informer === undefined || context.signal.aborted) {
      return undefined;
    }
    const registration = informer.addEventHandler(filteredHandler(this.#options, context));
    onAbort(context.signal, () => registration.remove());
    return { informer: informer as unknown as Informer, registration };
  }

  async #findInformer(context: SourceContext<R>): Promise<Informer<T> | undefined> {
    const { cache, kind, metadataOnly = false } = this.#options;
    while (!context.signal.aborted) {
      try {
        return await cache.getInformer(kind, { blockUntilSynced: false, metadataOnly, signal: context.signal });
      } catch (error) {
        this.#report(error, context);
      }
      await sleep(context.clock, RETRY_MS, context.signal).catch(() => undefined);
    }
    return undefined;
  }

  #report(error: unknown, context: SourceContext<R>): void {
    const fields = { kind: gvkToString(this.#options.kind) };
    if (this.#lastError === undefined) {
      context.log.error(
        error,
        "cannot watch the kind; if it is a custom resource, its CRD may not be installed",
        fields,
      );
    } else {
      context.log.debug("still cannot watch the kind", { ...fields, error: String(error) });
    }
    this.#lastError = error;
  }
}

async function whenAborted(signal: AbortSignal): Promise<undefined> {
  return await new Promise((resolve) => {
    onAbort(signal, () => resolve(undefined));
  });
}
