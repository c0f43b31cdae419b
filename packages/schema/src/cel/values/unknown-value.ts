import type { JSONValue } from "@kubescaffold/k8s";

import { deepEqual } from "../../json/deep-equal.ts";
import { type CelType, ERROR } from "./cel-type.ts";
import { CelObject, type CelValue } from "./cel-value.ts";

/** Is what a schema preserves without a type: rules cannot look into it, only compare it. */
export class UnknownValue extends CelObject {
  readonly type: CelType = ERROR;
  readonly json: JSONValue;

  constructor(json: JSONValue) {
    super();
    this.json = json;
  }

  equals(other: CelValue): boolean {
    return other instanceof UnknownValue && deepEqual(other.json, this.json);
  }
}
