import type { Clock } from "../clock/clock.ts";
import type { AdmissionChain } from "../pipeline/admission-chain.ts";
import type { Authorizer } from "../pipeline/authorizer.ts";
import type { Store } from "../storage/store.ts";

/** What the handlers of requests work with. */
export interface HandlerEnvironment {
  readonly store: Store;
  readonly clock: Clock;
  readonly admission: AdmissionChain;
  readonly authorizer: Authorizer;
  readonly newUid: () => string;
  /** Returns five random characters for a generated name. */
  readonly nameSuffix: () => string;
  readonly bookmarkIntervalMs: number;
}
