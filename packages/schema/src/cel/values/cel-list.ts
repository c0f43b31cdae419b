import { type CelType, DYN, listOf } from "./cel-type.ts";
import { CelError, CelList, type CelValue, LONGEST_LIST, tooLong } from "./cel-value.ts";
import { equalAs, equalValues, noSuchOverload } from "./equality.ts";

export const LIST_TYPE: CelType = listOf(DYN);

/** A list that an expression made. */
export class CelArray extends CelList {
  readonly type: CelType = LIST_TYPE;
  readonly #elements: readonly CelValue[];

  constructor(elements: readonly CelValue[]) {
    super();
    this.#elements = elements;
  }

  get length(): number {
    return this.#elements.length;
  }

  at(index: number): CelValue {
    const element = this.#elements[index];
    const range = `index '${String(index)}' out of range in list size '${String(this.length)}'`;
    return element === undefined ? new CelError(range) : element;
  }

  override size(): bigint {
    return BigInt(this.length);
  }

  override isZero(): boolean {
    return this.length === 0;
  }

  equals(other: CelValue): boolean {
    if (!(other instanceof CelList) || other.length !== this.length) return false;
    return this.#elements.every((element, index) => equalValues(element, other.at(index)) !== false);
  }

  contains(value: CelValue): boolean {
    return this.#elements.some((element) => equalAs(value, element) === true);
  }

  concat(other: CelList): CelValue {
    if (this.length === 0) return other;
    return other.length === 0 ? this : joined(this, other);
  }
}

// A list that is joined with itself again and again takes no room, and would have no end.
function joined(first: CelList, second: CelList): CelValue {
  return first.length + second.length > LONGEST_LIST ? tooLong() : new JoinedList(first, second);
}

/** Is two lists, one after the other, as `+` joins them. */
class JoinedList extends CelList {
  readonly type: CelType = LIST_TYPE;
  readonly length: number;
  readonly #first: CelList;
  readonly #second: CelList;

  constructor(first: CelList, second: CelList) {
    super();
    this.length = first.length + second.length;
    this.#first = first;
    this.#second = second;
  }

  at(index: number): CelValue {
    return index < this.#first.length ? this.#first.at(index) : this.#second.at(index - this.#first.length);
  }

  override size(): bigint {
    return BigInt(this.length);
  }

  override isZero(): boolean {
    return this.length === 0;
  }

  equals(other: CelValue): boolean | CelError {
    if (!(other instanceof CelList) || other.length !== this.length) return false;
    let problem: CelError | undefined;
    for (let index = 0; index < this.length; index++) {
      const isEqual = equalValues(this.at(index), other.at(index));
      if (isEqual === false) return false;
      if (isEqual instanceof CelError) problem ??= isEqual;
    }
    return problem ?? true;
  }

  contains(value: CelValue): boolean | CelError {
    const inFirst = this.#first.contains(value);
    if (inFirst === true) return true;
    const inSecond = this.#second.contains(value);
    return inSecond === true || !(inFirst instanceof CelError) ? inSecond : inFirst;
  }

  concat(other: CelList): CelValue {
    return other.length === 0 ? this : joined(this, other);
  }
}

/** Returns the elements of a list, errors included. */
export function elementsOf(list: CelList): readonly CelValue[] {
  return Array.from({ length: list.length }, (_, index) => list.at(index));
}

/** Joins two values that should be lists. */
export function concatValues(left: CelList, right: CelValue): CelValue {
  return right instanceof CelList ? left.concat(right) : noSuchOverload();
}
