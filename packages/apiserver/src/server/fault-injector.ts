import { checkNumbers } from "@kubescaffold/k8s";
import type { Clock } from "@kubescaffold/platform/clock";

import { failure } from "../request/failures.ts";
import type { RequestInfo } from "../request/request-context.ts";
import type { WatchRegistry } from "../resources/watch-registry.ts";
import type { Store } from "../storage/store.ts";
import type { Fault, FaultMatch, Faults } from "./api-server.ts";
import { isRequestMatch } from "./writes/request-match.ts";

const REASONS: Readonly<Record<number, string>> = {
  409: "Conflict",
  429: "TooManyRequests",
  500: "InternalError",
  503: "ServiceUnavailable",
  504: "Timeout",
};

interface Planned {
  readonly fault: Fault;
  left: number;
}

/** Keeps the faults that tests ask for and lets them happen. */
export class FaultInjector implements Faults {
  /** Faults that have not happened often enough yet. */
  readonly planned: Set<Planned> = new Set();
  readonly #clock: Clock;
  readonly #store: Store;
  readonly #watches: WatchRegistry;

  constructor({
    clock,
    store,
    watches,
  }: {
    readonly clock: Clock;
    readonly store: Store;
    readonly watches: WatchRegistry;
  }) {
    this.#clock = clock;
    this.#store = store;
    this.#watches = watches;
  }

  add(fault: Fault): () => void {
    const rules = { delayMs: "duration", retryAfterSeconds: "count", times: "duration" } as const;
    checkNumbers("the fault", fault as Partial<Record<keyof typeof rules, number>>, rules);
    const planned = { fault, left: fault.times ?? Number.POSITIVE_INFINITY };
    this.planned.add(planned);
    return () => {
      this.planned.delete(planned);
    };
  }

  clear(): void {
    this.planned.clear();
  }

  dropWatches(match: FaultMatch = {}): void {
    this.#watches.endWhere(({ context }) => isRequestMatch(match, { ...context.info, user: context.user.name }));
  }

  expireHistory(): void {
    this.#store.compact();
  }

  /** Lets the faults of a request happen; says whether its connection is to be closed. Fails with the status of an error fault. */
  async strike(info: RequestInfo, user: string): Promise<"go-on" | "disconnect"> {
    for (const planned of this.planned) {
      if (!isRequestMatch(planned.fault.match ?? {}, { ...info, user })) {
        continue;
      }
      this.#use(planned);
      const { fault } = planned;
      if (fault.kind === "disconnect") {
        return "disconnect";
      }
      if (fault.kind === "error") {
        throw errorOf(fault);
      }
      await new Promise<void>((resolve) => {
        this.#clock.setTimeout(resolve, fault.delayMs);
      });
    }
    return "go-on";
  }

  #use(planned: Planned): void {
    planned.left -= 1;
    if (planned.left <= 0) {
      this.planned.delete(planned);
    }
  }
}

function errorOf(fault: Extract<Fault, { kind: "error" }>): Error {
  const { code, retryAfterSeconds } = fault;
  return failure({
    code,
    reason: REASONS[code] ?? "InternalError",
    message: fault.message ?? `the server has an injected fault with status ${code}`,
    ...(retryAfterSeconds === undefined ? {} : { details: { retryAfterSeconds } }),
  });
}
