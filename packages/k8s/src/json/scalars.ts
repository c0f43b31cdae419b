/** An integer without a format; the generator writes `type: integer`. */
export type integer = number;

/** An integer of 32 bits, -2^31 to 2^31-1; the generator writes `type: integer, format: int32`. */
export type int32 = number;

/**
 * An integer of 64 bits; the generator writes `type: integer, format: int64`.
 *
 * JavaScript holds it exactly up to 2^53-1.
 */
export type int64 = number;

/** A 32 bit floating point number; a schema takes it only with `allowDangerousTypes`. */
export type float32 = number;

/** A 64 bit floating point number; a schema takes it only with `allowDangerousTypes`. */
export type float64 = number;

/** Base64 text of arbitrary bytes; the generator writes `type: string, format: byte`. */
export type Bytes = string;

/** Any JSON value; the generator writes `x-kubernetes-preserve-unknown-fields: true`. */
export type JSONValue = string | number | boolean | null | readonly JSONValue[] | { readonly [key: string]: JSONValue };

/** An object of any kind inside another; the generator writes `type: object` without properties. */
export type RawExtension = { readonly [key: string]: JSONValue };
