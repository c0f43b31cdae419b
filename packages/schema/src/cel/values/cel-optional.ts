import { type CelType, DYN, optionalOf } from "./cel-type.ts";
import { CelError, CelObject, type CelValue } from "./cel-value.ts";
import { equalAs } from "./equality.ts";

/** A value that may be missing. */
export class CelOptional extends CelObject {
  readonly type: CelType = optionalOf(DYN);
  /** What it holds; undefined where it holds nothing. */
  readonly held: CelValue | undefined;

  constructor(held: CelValue | undefined) {
    super();
    this.held = held;
  }

  value(): CelValue {
    return this.held === undefined ? new CelError("optional.none() dereference") : this.held;
  }

  equals(other: CelValue): boolean | CelError {
    if (!(other instanceof CelOptional)) return false;
    if (this.held === undefined || other.held === undefined) return this.held === other.held;
    return equalAs(this.held, other.held);
  }
}

export const NO_VALUE: CelOptional = new CelOptional(undefined);

/** Returns an optional of a value, or one of nothing: what `oldSelf` of a rule with `optionalOldSelf` is. */
export function optionalValue(value: CelValue | undefined): CelOptional {
  return value === undefined ? NO_VALUE : new CelOptional(value);
}
