/**
 * Runs for programs that generate often: {@link runGeneratorsCached} loads the generators only if no earlier run had the same inputs,
 * {@link createProcessCaches} shares parsed sources among the runs of one process, and {@link createPlannedHost} shows files that are not written yet.
 */
export { createPlannedHost, type PlannedFile } from "./planned-host.ts";
export { createProcessCaches, type ProcessCaches, type RunCaches } from "./process-caches.ts";
export {
  type CachedRunOptions,
  type CachedRunResult,
  type CacheLocation,
  runGeneratorsCached,
  type RunStore,
} from "./run-cache.ts";
export { findStaleCrds, type FindStaleCrdsOptions, type StaleCrd, warnStaleCrd } from "./stale-crds.ts";
