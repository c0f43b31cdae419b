import type { Observer } from "./observer.ts";

/** Returns an observer that throws nothing, since what observes a manager must not change it; undefined without one. */
export function guardedObserver(observer: Observer | undefined): Observer | undefined {
  return observer === undefined
    ? undefined
    : {
        observe: (observation) => {
          try {
            observer.observe(observation);
          } catch {
            // Documented: what it throws is ignored.
          }
        },
      };
}
