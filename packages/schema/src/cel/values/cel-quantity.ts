import { compareAmounts, formatQuantity, type QuantityAmount } from "@kubescaffold/k8s";

import { type CelType, structType } from "../cel-type.ts";
import { CelObject, type CelError, type CelValue } from "./cel-value.ts";
import { noSuchOverload } from "./equality.ts";

const QUANTITY_TYPE = structType("kubernetes.Quantity");

/** An amount in Kubernetes' notation. */
export class CelQuantity extends CelObject {
  readonly type: CelType = QUANTITY_TYPE;
  readonly amount: QuantityAmount;

  constructor(amount: QuantityAmount) {
    super();
    this.amount = amount;
  }

  /** The integer it is, where upstream can say so: it must be written without a fraction and fit into 64 bits. */
  get whole(): bigint | undefined {
    const { unscaled, scale } = this.amount;
    if (scale < 0 || scale > 18) return undefined;
    const value = unscaled * 10n ** BigInt(scale);
    return BigInt.asIntN(64, value) === value ? value : undefined;
  }

  equals(other: CelValue): boolean | CelError {
    return other instanceof CelQuantity ? compareAmounts(this.amount, other.amount) === 0 : noSuchOverload();
  }

  override toString(): string {
    return formatQuantity(this.amount);
  }
}
