import { setTimeout as delay } from "node:timers/promises";

import { type ApiServer, NotQuietError, type QuietOptions, WriteCycleError } from "@kubescaffold/apiserver";
import { messageOf } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

import type { MissingState } from "../oracles/oracles.ts";
import { missingDeletion, missingReadiness } from "../oracles/readiness.ts";
import type { RehearseOptions } from "./rehearse-options.ts";

/** An operator that has come to rest, or has not. */
interface Settled {
  /** Why there is no rest; undefined at rest. */
  readonly unrest: string | undefined;
  /** What the objects of the user lack. */
  readonly missing: readonly MissingState[];
}

/** What a wait for rest depends on. */
export interface SettleParts {
  readonly server: ApiServer;
  readonly options: RehearseOptions;
  /** The watches that must be open. */
  readonly watches: NonNullable<QuietOptions["watches"]>;
  /** Returns the objects of the user. */
  readonly objects: () => readonly { readonly name: string; readonly object: KubernetesObject }[];
  /** Whether the objects have been deleted, and must vanish. Default: they must become ready. */
  readonly isDeletion?: boolean;
}

const DEFAULT_QUIET_MS = 500;
/** How long an operator has to reach a state by default, in milliseconds. */
export const DEFAULT_SETTLE_MS = 20_000;
const POLL_MS = 100;

/** Waits until the operator is at rest, and the objects of the user are ready or gone, or the time of `settleMs` is over. */
export async function settle(parts: SettleParts): Promise<Settled> {
  const { server, watches } = parts;
  const { quietMs = DEFAULT_QUIET_MS, settleMs = DEFAULT_SETTLE_MS } = parts.options;
  const deadline = performance.now() + settleMs;
  for (;;) {
    const timeoutMs = Math.max(deadline - performance.now(), quietMs * 4);
    try {
      await server.quiet({ ms: quietMs, timeoutMs, watches });
    } catch (error) {
      if (!(error instanceof WriteCycleError) && !(error instanceof NotQuietError)) throw error;
      return { unrest: messageOf(error), missing: missingOf(parts) };
    }
    const missing = missingOf(parts);
    if (missing.length === 0 || performance.now() > deadline) return { unrest: undefined, missing };
    await delay(POLL_MS);
  }
}

function missingOf({ objects, options, isDeletion = false }: SettleParts): readonly MissingState[] {
  return objects().flatMap(({ name, object }) => {
    if (!isDeletion)
      return missingReadiness(object, readyConditionOf(object, options)).map((what) => ({ object: name, what }));
    return [{ object: name, what: missingDeletion(object) }];
  });
}

// A condition that the user names is that of custom objects; a ConfigMap has none.
function readyConditionOf(object: KubernetesObject, { readyCondition }: RehearseOptions): string | undefined {
  return "status" in object ? readyCondition : undefined;
}
