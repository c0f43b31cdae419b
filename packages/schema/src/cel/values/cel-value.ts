import type { CelType } from "./cel-type.ts";

/** A literal of an expression. */
export type CelLiteral = null | boolean | bigint | CelUint | number | string | Uint8Array;

/**
 * A value at run time: `bigint` is an int, `number` a double, `Uint8Array` bytes; everything else has its own class.
 *
 * An error is a value too, for `false && error` is false.
 */
export type CelValue = CelLiteral | CelObject | CelError;

/** An unsigned integer of 64 bits. */
export class CelUint {
  /** The number. */
  readonly value: bigint;

  constructor(value: bigint) {
    this.value = value;
  }

  /** Returns the number in decimal digits. */
  toString(): string {
    return String(this.value);
  }
}

/** The error of an evaluation; `message` is the API server's. */
export class CelError {
  /** The message of the API server. */
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }

  /** Returns the message. */
  toString(): string {
    return this.message;
  }
}

/** A value with behavior: a list, a map, a time, an optional, or a type of a library. */
export abstract class CelObject {
  /** Its type at run time, without parameters. */
  abstract readonly type: CelType;

  /** Compares by value; an error where the two cannot be compared. */
  abstract equals(other: CelValue): boolean | CelError;

  /** The number of elements, where it has any. */
  size(): bigint | undefined {
    return undefined;
  }

  /** Reports whether `optional.ofNonZeroValue` takes it for nothing; undefined where the question makes no sense. */
  isZero(): boolean | undefined {
    return undefined;
  }

  /** Writes the value as messages show it. */
  toString(): string {
    return this.type.name;
  }

  /** Returns the value in a form that says nothing about schemas, as what an optional holds is read through it. */
  plain(): CelValue {
    return this;
  }
}

/** A list. */
export abstract class CelList extends CelObject {
  abstract readonly length: number;
  abstract at(index: number): CelValue;

  /** Joins two lists as `+` does. */
  abstract concat(other: CelList): CelValue;

  abstract contains(value: CelValue): boolean | CelError;
}

/** A map, or an object with properties: CEL sees both alike at run time. */
export abstract class CelMap extends CelObject {
  /** Returns the value of a key, an error where such a key cannot be, or undefined where it is not there. */
  abstract find(key: CelValue): CelValue | undefined;

  abstract keys(): readonly CelValue[];
}

/** The longest list that an expression may make by joining lists: a loop over a longer one exceeds the limit of an expression's cost, which is a million. */
export const LONGEST_LIST = 1_000_000;

/** The longest text that an expression may make: a function that reads a longer one exceeds that limit, too. */
export const LONGEST_TEXT = 10_000_000;

/** The result of an expression that costs too much, as kube-apiserver words it. */
export const CANCELLED = "operation cancelled: actual cost limit exceeded";

/** Returns the result in place of a value that is longer. */
export function tooLong(): CelError {
  return new CelError(CANCELLED);
}
