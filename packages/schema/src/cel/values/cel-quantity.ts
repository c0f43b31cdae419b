import { compareAmounts, formatQuantity, type QuantityAmount } from "@kubescaffold/k8s";

import { type CelType, structType } from "./cel-type.ts";
import { CelObject, type CelError, type CelValue } from "./cel-value.ts";
import { noSuchOverload } from "./equality.ts";

const QUANTITY_TYPE = structType("kubernetes.Quantity");

const LARGEST: QuantityAmount = { unscaled: 2n ** 63n - 1n, scale: 0, format: "DecimalSI" };
const SMALLEST: QuantityAmount = { unscaled: -(2n ** 63n), scale: 0, format: "DecimalSI" };

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
    const { scale } = this.amount;
    const isInRange = compareAmounts(this.amount, LARGEST) <= 0 && compareAmounts(this.amount, SMALLEST) >= 0;
    if (scale < 0 || scale > 18 || !isInRange) return undefined;
    return this.amount.unscaled * 10n ** BigInt(scale);
  }

  equals(other: CelValue): boolean | CelError {
    return other instanceof CelQuantity ? compareAmounts(this.amount, other.amount) === 0 : noSuchOverload();
  }

  override toString(): string {
    return formatQuantity(this.amount);
  }
}
