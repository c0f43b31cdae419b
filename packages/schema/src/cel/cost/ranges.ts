/** A span of costs or sizes: unsigned 64-bit numbers, as upstream counts them. */
export interface Span {
  readonly min: bigint;
  readonly max: bigint;
}

/** The largest number; sums and products stop there. */
export const MAX_UINT64: bigint = 2n ** 64n - 1n;

/** The span of what is not known. */
export const UNKNOWN: Span = { min: 0n, max: MAX_UINT64 };

/** The span of nothing. */
export const NONE: Span = fixed(0n);

/** Returns the span of one number. */
export function fixed(value: bigint): Span {
  return { min: value, max: value };
}

/** Adds two spans, or any number of them. */
export function add(...spans: readonly Span[]): Span {
  return spans.reduce((sum, span) => ({ min: plus(sum.min, span.min), max: plus(sum.max, span.max) }), NONE);
}

/** Multiplies two spans. */
export function multiply(left: Span, right: Span): Span {
  return { min: times(left.min, right.min), max: times(left.max, right.max) };
}

/** Multiplies a span with a factor and rounds up. */
export function scale(span: Span, factor: number): Span {
  return { min: scaleUp(span.min, factor), max: scaleUp(span.max, factor) };
}

/** Returns the smallest span that holds both. */
export function union(left: Span, right: Span): Span {
  return { min: left.min < right.min ? left.min : right.min, max: left.max > right.max ? left.max : right.max };
}

/** Adds two numbers; the sum stops at the largest one. */
export function plus(left: bigint, right: bigint): bigint {
  return left + right > MAX_UINT64 ? MAX_UINT64 : left + right;
}

/** Multiplies two numbers; the product stops at the largest one. */
export function times(left: bigint, right: bigint): bigint {
  return left * right > MAX_UINT64 ? MAX_UINT64 : left * right;
}

/** Keeps the lower 64 bits: some of upstream's estimates wrap around. */
export function wrap(value: bigint): bigint {
  return BigInt.asUintN(64, value);
}

const TWO_TO_64 = 2 ** 64;

function scaleUp(value: bigint, factor: number): bigint {
  const product = Math.ceil(Number(value) * factor);
  return product >= TWO_TO_64 ? MAX_UINT64 : BigInt(product);
}
