import { type CelType, structType } from "./cel-type.ts";
import { type CelError, CelObject, type CelValue } from "./cel-value.ts";
import { equalValues } from "./equality.ts";

/** A message that an expression made, such as `Object.spec{replicas: 1}`: not a map, though its fields can be read. */
export class CelMessage extends CelObject {
  readonly type: CelType;
  /** The fields that are set. */
  readonly fields: ReadonlyMap<string, CelValue>;

  constructor(typeName: string, fields: ReadonlyMap<string, CelValue>) {
    super();
    this.type = structType(typeName);
    this.fields = fields;
  }

  override isZero(): boolean {
    return this.fields.size === 0;
  }

  equals(other: CelValue): boolean | CelError {
    if (!(other instanceof CelMessage) || other.type.name !== this.type.name) return false;
    if (other.fields.size !== this.fields.size) return false;
    return [...this.fields].every(([name, value]) => {
      const there = other.fields.get(name);
      return there !== undefined && equalValues(value, there) === true;
    });
  }
}
