/**
 * Faults between an API server and its clients, for tests of operators: {@link startChaos} starts a proxy that drops, delays, truncates, and
 * refuses requests and watches, selected by a seed or by scripts.
 */
export { type Chaos, type ChaosOptions, startChaos } from "./chaos.ts";
export type { ChaosReport, InjectedFault } from "./fault-log.ts";
export {
  type FaultKind,
  type FaultProbabilities,
  type RequestFaultKind,
  TYPICAL_FAULTS,
  type WatchFaultKind,
} from "./faults.ts";
export type { ChaosLimits } from "./injector.ts";
export type { ChaosMatch, ChaosRequest } from "./request-target.ts";
export type { ChaosScript, ScriptedFault } from "./script.ts";
export { ChaosOptionsError } from "../failures/errors.ts";
