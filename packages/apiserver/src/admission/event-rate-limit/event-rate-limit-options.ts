import {
  aggregateFieldErrors,
  type FieldError,
  invalidField,
  ScaffoldError,
  unsupportedField,
} from "@kubescaffold/k8s";

/** The configuration of EventRateLimit, as `Configuration` of `eventratelimit.admission.k8s.io/v1alpha1` states it. */
export interface EventRateLimitOptions {
  /** The limits; an event is refused if it exceeds one of them. */
  readonly limits?: readonly EventLimit[];
}

/** A limit of the events that are written. */
export interface EventLimit {
  /** What shares the limit: all events of the server, or those of a namespace, of a user, or of one source about one object. */
  readonly type: EventLimitType;
  /** Events per second in the long run. */
  readonly qps: number;
  /** Events that may be written at once. */
  readonly burst: number;
  /** The number of namespaces, users, or sources that are remembered, the least recently seen ones not. Default: 4096. */
  readonly cacheSize?: number;
}

/** The events that share a limit. */
export type EventLimitType = "Server" | "Namespace" | "User" | "SourceAndObject";

/**
 * Thrown when the configuration of EventRateLimit is not valid.
 *
 * Fix: State at least one limit, each with a type and positive numbers.
 */
export class EventRateLimitConfigurationError extends ScaffoldError {
  readonly code = "APISERVER_EVENT_RATE_LIMIT_CONFIGURATION";
}

const TYPES = ["Namespace", "Server", "SourceAndObject", "User"] as const;

/** Returns the limits of a configuration. Fails: EventRateLimitConfigurationError. */
export function eventLimits({ limits = [] }: EventRateLimitOptions): readonly EventLimit[] {
  const errors: readonly FieldError[] =
    limits.length === 0 ? [invalidField("limits", limits, "must not be empty")] : limits.flatMap(limitErrors);
  if (errors.length === 0) return limits;
  throw new EventRateLimitConfigurationError(
    `invalid configuration of EventRateLimit: ${aggregateFieldErrors(errors)}`,
  );
}

function limitErrors({ type, qps, burst, cacheSize = 0 }: EventLimit, index: number): readonly FieldError[] {
  const place = `limits[${String(index)}]`;
  return [
    ...(TYPES.includes(type) ? [] : [unsupportedField(`${place}.type`, type, TYPES)]),
    ...positiveErrors(`${place}.burst`, burst),
    ...positiveErrors(`${place}.qps`, qps),
    ...(type !== "Server" && cacheSize < 0
      ? [invalidField(`${place}.cacheSize`, cacheSize, "must not be negative")]
      : []),
  ];
}

function positiveErrors(field: string, value: number = 0): readonly FieldError[] {
  return value > 0 ? [] : [invalidField(field, value, "must be positive")];
}
