import { ChaosOptionsError } from "../failures/errors.ts";

/** A fault of a request and its response. */
export type RequestFaultKind =
  /** Closes the connection before the server receives the request. */
  | "dropRequest"
  /** Closes the connection after the server has processed the request, so that the outcome of a write is unknown. */
  | "dropResponse"
  /** Forwards the request late. */
  | "delayRequest"
  /** Returns the response late. */
  | "delayResponse"
  /** Accepts the request and never answers, like a half-open connection. */
  | "hangRequest"
  /** Closes the connection in the middle of the body. */
  | "truncateResponse"
  /** Answers 429 with `Retry-After`; the server does not receive the request. */
  | "tooManyRequests"
  /** Answers 500; the server does not receive the request. */
  | "internalError"
  /** Answers 503; the server does not receive the request. */
  | "unavailable"
  /** Answers 410 to a watch, list, or page that continues from a resourceVersion. */
  | "expired"
  /** Answers a list that accepts an older state with an earlier response, as a lagging API server does; the watch that follows repeats changes. */
  | "staleList"
  /** Replaces the serving certificate with a new one of the same authority, and closes all connections. */
  | "rotateCertificate"
  /** Changes the wall-clock time of `chaos.clock`. */
  | "jumpClock"
  /** Illegal: repeats the last events of a kind at the start of a watch that resumes after them. */
  | "replayEvents";

/** A fault of an event in a watch. */
export type WatchFaultKind =
  /** Ends the watch before the event. */
  | "closeWatch"
  /** Ends the watch in the middle of the event. */
  | "truncateWatch"
  /** Ends the watch with an ERROR event of status 410. */
  | "expireWatch"
  /** Sends nothing from the event on, and leaves the connection open. */
  | "hangWatch"
  /** Delays the event and those after it, so that other watches overtake this one. */
  | "delayEvent"
  /** Illegal: sends the event twice. */
  | "duplicateEvent"
  /** Illegal: sends the event after the next one. */
  | "reorderEvents";

/** The name of a fault. */
export type FaultKind = RequestFaultKind | WatchFaultKind;

/** The probability of each fault, from 0 to 1: of a request for request faults, of an event for watch faults. */
export type FaultProbabilities = Readonly<Partial<Record<FaultKind, number>>>;

/** The faults of requests, in the order in which a random number selects one. */
export const REQUEST_FAULTS: readonly RequestFaultKind[] = [
  "dropRequest",
  "dropResponse",
  "delayRequest",
  "delayResponse",
  "hangRequest",
  "truncateResponse",
  "tooManyRequests",
  "internalError",
  "unavailable",
  "expired",
  "staleList",
  "rotateCertificate",
  "jumpClock",
  "replayEvents",
];

/** The faults of events in watches, in the order in which a random number selects one. */
export const WATCH_FAULTS: readonly WatchFaultKind[] = [
  "closeWatch",
  "truncateWatch",
  "expireWatch",
  "hangWatch",
  "delayEvent",
  "duplicateEvent",
  "reorderEvents",
];

// No API server does these; they break guarantees that clients rely on.
const ILLEGAL: ReadonlySet<FaultKind> = new Set<FaultKind>(["replayEvents", "duplicateEvent", "reorderEvents"]);

/** The probabilities that {@link startChaos} uses by default: about a third of the requests and a tenth of the events have a fault; no fault lasts until {@link Chaos.heal}. */
export const TYPICAL_FAULTS: FaultProbabilities = {
  dropRequest: 0.05,
  dropResponse: 0.05,
  delayRequest: 0.04,
  delayResponse: 0.04,
  truncateResponse: 0.03,
  tooManyRequests: 0.03,
  internalError: 0.03,
  unavailable: 0.03,
  expired: 0.1,
  staleList: 0.1,
  closeWatch: 0.03,
  truncateWatch: 0.03,
  expireWatch: 0.02,
  delayEvent: 0.04,
};

/** Reports whether a name is that of a watch fault. */
export function isWatchFault(kind: FaultKind): kind is WatchFaultKind {
  return (WATCH_FAULTS as readonly FaultKind[]).includes(kind);
}

/** Throws unless a fault exists and is allowed. */
export function checkFault(kind: FaultKind, allowed: { readonly illegal: boolean; readonly tls: boolean }): void {
  if (!(REQUEST_FAULTS as readonly FaultKind[]).includes(kind) && !isWatchFault(kind)) {
    throw new ChaosOptionsError(`cannot inject ${kind}: unknown fault`);
  }
  if (ILLEGAL.has(kind) && !allowed.illegal) {
    throw new ChaosOptionsError(`cannot inject ${kind}: API servers do not behave like this`, {
      hint: "set illegal: true",
    });
  }
  if (kind === "rotateCertificate" && !allowed.tls) {
    throw new ChaosOptionsError(`cannot inject ${kind}: the proxy serves HTTP`, { hint: "set tls: true" });
  }
}

/** Throws unless all probabilities are valid. */
export function checkProbabilities(
  probabilities: FaultProbabilities,
  allowed: { readonly illegal: boolean; readonly tls: boolean },
): void {
  for (const [kind, probability] of Object.entries(probabilities) as [FaultKind, number][]) {
    checkFault(kind, allowed);
    if (!(probability >= 0 && probability <= 1)) {
      throw new ChaosOptionsError(`cannot inject ${kind} with probability ${String(probability)}: use 0 to 1`);
    }
  }
  for (const kinds of [REQUEST_FAULTS, WATCH_FAULTS]) {
    const sum = kinds.reduce((total, kind) => total + (probabilities[kind] ?? 0), 0);
    // Sums of decimal fractions are inexact.
    if (sum > 1 + 1e-9) {
      throw new ChaosOptionsError(
        `cannot inject ${kinds[0] ?? ""} and the faults beside it: the sum is ${String(sum)}`,
        {
          hint: "request faults and watch faults may each add up to 1",
        },
      );
    }
  }
}
