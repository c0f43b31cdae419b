import { intOf } from "./cel-number.ts";
import { formatWithoutExponent } from "./cel-number.ts";
import { type CelType, DURATION, TIMESTAMP } from "./cel-type.ts";
import { CelError, CelObject, type CelValue } from "./cel-value.ts";

export const NANOS_PER_SECOND: bigint = 1_000_000_000n;
const EARLIEST_SECOND = -62_135_596_800n;
const LATEST_SECOND = 253_402_300_799n;

/** A span of time, in nanoseconds, of 64 bits. */
export class CelDuration extends CelObject {
  readonly type: CelType = DURATION;
  readonly nanos: bigint;

  constructor(nanos: bigint) {
    super();
    this.nanos = nanos;
  }

  equals(other: CelValue): boolean {
    return other instanceof CelDuration && other.nanos === this.nanos;
  }

  override isZero(): boolean {
    return this.nanos === 0n;
  }

  /** Writes the span in seconds, as Go's floats have them. */
  override toString(): string {
    const seconds = Number(this.nanos / NANOS_PER_SECOND) + Number(this.nanos % NANOS_PER_SECOND) / 1e9;
    return `${formatWithoutExponent(seconds)}s`;
  }
}

/** A moment, in nanoseconds since 1970, which remembers the offset it was written with. */
export class CelTimestamp extends CelObject {
  readonly type: CelType = TIMESTAMP;
  readonly nanos: bigint;
  readonly offsetMinutes: number;

  constructor(nanos: bigint, offsetMinutes = 0) {
    super();
    this.nanos = nanos;
    this.offsetMinutes = offsetMinutes;
  }

  equals(other: CelValue): boolean {
    return other instanceof CelTimestamp && other.nanos === this.nanos;
  }

  override isZero(): boolean {
    return this.nanos === EARLIEST_SECOND * NANOS_PER_SECOND;
  }

  get seconds(): bigint {
    return floorDivide(this.nanos, NANOS_PER_SECOND);
  }

  get nanosOfSecond(): bigint {
    return this.nanos - this.seconds * NANOS_PER_SECOND;
  }

  override toString(): string {
    const local = new Date(Number(this.seconds) * 1000 + this.offsetMinutes * 60_000);
    const fraction =
      this.nanosOfSecond === 0n
        ? ""
        : `.${this.nanosOfSecond
            .toString()
            .padStart(9, "0")
            .replace(/(?<!0)0+$/, "")}`;
    return `${isoSeconds(local)}${fraction}${offsetText(this.offsetMinutes)}`;
  }
}

function isoSeconds(date: Date): string {
  const pad = (value: number): string => String(value).padStart(2, "0");
  const day = `${String(date.getUTCFullYear()).padStart(4, "0")}-${pad(date.getUTCMonth() + 1)}-${pad(date.getUTCDate())}`;
  return `${day}T${pad(date.getUTCHours())}:${pad(date.getUTCMinutes())}:${pad(date.getUTCSeconds())}`;
}

function offsetText(minutes: number): string {
  if (minutes === 0) return "Z";
  const [hours, rest] = [Math.trunc(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return `${minutes < 0 ? "-" : "+"}${String(hours).padStart(2, "0")}:${String(rest).padStart(2, "0")}`;
}

function floorDivide(value: bigint, divisor: bigint): bigint {
  const quotient = value / divisor;
  return value % divisor < 0n ? quotient - 1n : quotient;
}

/** Returns a span, or the error of one that does not fit. */
export function durationOf(nanos: bigint): CelDuration | CelError {
  return intOf(nanos) instanceof CelError ? new CelError("integer overflow") : new CelDuration(nanos);
}

/** Returns a moment, or the error of one outside the years 1 to 9999. */
export function timestampOf(nanos: bigint, offsetMinutes = 0): CelTimestamp | CelError {
  const second = floorDivide(nanos, NANOS_PER_SECOND);
  if (second < EARLIEST_SECOND || second > LATEST_SECOND) return new CelError("timestamp overflow");
  return new CelTimestamp(nanos, offsetMinutes);
}
