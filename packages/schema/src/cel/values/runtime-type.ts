import { BOOL, BYTES, type CelType, DOUBLE, ERROR, INT, NULL, STRING, typeOf, UINT } from "./cel-type.ts";
import { CelError, CelList, CelMap, CelObject, CelUint, type CelValue } from "./cel-value.ts";

/** Returns the type of a value at run time, without parameters. */
export function runtimeType(value: CelValue): CelType {
  switch (typeof value) {
    case "string":
      return STRING;
    case "bigint":
      return INT;
    case "number":
      return DOUBLE;
    case "boolean":
      return BOOL;
    default:
      return runtimeTypeOfObject(value);
  }
}

function runtimeTypeOfObject(value: null | CelUint | Uint8Array | CelObject | CelError): CelType {
  if (value === null) return NULL;
  if (value instanceof CelUint) return UINT;
  if (value instanceof Uint8Array) return BYTES;
  return value instanceof CelError ? ERROR : value.type;
}

/** Reports whether a value may stand for an argument of a type; of lists and maps the first element tells. */
export function isOfType(type: CelType, value: CelValue): boolean {
  if (type.kind === "dyn" || type.kind === "param") return true;
  if (type.name !== runtimeType(value).name) return false;
  const [first, second] = type.parameters;
  if (value instanceof CelList && first !== undefined) return value.length === 0 || isOfType(first, value.at(0));
  if (!(value instanceof CelMap) || first === undefined || second === undefined) return true;
  const [key] = value.keys();
  return key === undefined || (isOfType(first, key) && isOfType(second, value.find(key) ?? null));
}

/** A type as a value: what `type(1)` gives. */
export class CelTypeValue extends CelObject {
  readonly type: CelType = typeOf(undefined);
  readonly represents: CelType;

  constructor(represents: CelType) {
    super();
    this.represents = represents;
  }

  equals(other: CelValue): boolean {
    return other instanceof CelTypeValue && other.represents.name === this.represents.name;
  }

  override toString(): string {
    return this.represents.name;
  }
}
