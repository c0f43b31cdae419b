/** What a type of CEL is at its root; `struct` has the name of a declared object, `opaque` that of a library's type. */
type CelTypeKind =
  | "bool"
  | "bytes"
  | "double"
  | "duration"
  | "dyn"
  | "error"
  | "int"
  | "list"
  | "map"
  | "null"
  | "opaque"
  | "param"
  | "string"
  | "struct"
  | "timestamp"
  | "type"
  | "uint";

/** A type of CEL as the checker knows it: its kind, its name, and the types it is made of. */
export interface CelType {
  /** The category of the type. */
  readonly kind: CelTypeKind;
  /** The name at run time: `int`, `google.protobuf.Timestamp`, `kubernetes.Quantity`, `optional_type`. */
  readonly name: string;
  /** The element of a list, key and value of a map, the parameters of an opaque type, the type a type stands for. */
  readonly parameters: readonly CelType[];
}

/** The type of values of any type in declared maps, which acts like `dyn`. */
export const ANY: CelType = simple("dyn", "google.protobuf.Any");
export const BOOL: CelType = simple("bool", "bool");
export const BYTES: CelType = simple("bytes", "bytes");
export const DOUBLE: CelType = simple("double", "double");
export const DURATION: CelType = simple("duration", "google.protobuf.Duration");
export const DYN: CelType = simple("dyn", "dyn");
export const ERROR: CelType = simple("error", "*error*");
export const INT: CelType = simple("int", "int");
export const NULL: CelType = simple("null", "null_type");
export const STRING: CelType = simple("string", "string");
export const TIMESTAMP: CelType = simple("timestamp", "google.protobuf.Timestamp");
export const UINT: CelType = simple("uint", "uint");

function simple(kind: CelTypeKind, name: string): CelType {
  return { kind, name, parameters: [] };
}

export function listOf(element: CelType): CelType {
  return { kind: "list", name: "list", parameters: [element] };
}

export function mapOf(key: CelType, value: CelType): CelType {
  return { kind: "map", name: "map", parameters: [key, value] };
}

/** Returns the type of a type: what `int` or `type(1)` is. */
export function typeOf(type: CelType | undefined): CelType {
  return { kind: "type", name: "type", parameters: type === undefined ? [] : [type] };
}

export function opaqueType(name: string, ...parameters: readonly CelType[]): CelType {
  return { kind: "opaque", name, parameters };
}

export function optionalOf(type: CelType): CelType {
  return opaqueType("optional_type", type);
}

export function structType(name: string): CelType {
  return { kind: "struct", name, parameters: [] };
}

export function typeParameter(name: string): CelType {
  return { kind: "param", name, parameters: [] };
}

export function isOptional(type: CelType): boolean {
  return type.kind === "opaque" && type.name === "optional_type";
}

/** Returns the type an optional holds, or the type itself. */
export function unwrapOptional(type: CelType): CelType {
  return (isOptional(type) ? type.parameters[0] : undefined) ?? type;
}

export function isSameType(left: CelType, right: CelType): boolean {
  return (
    left === right ||
    (left.kind === right.kind &&
      left.name === right.name &&
      left.parameters.length === right.parameters.length &&
      left.parameters.every((parameter, index) => isSameType(parameter, right.parameters[index] ?? ERROR)))
  );
}

/** Writes a type as messages of cel-go do: `map(string, list(int))`. */
export function formatCelType(type: CelType): string {
  if (type.kind === "null") return "null";
  if (type.kind === "error") return "!error!";
  if (type === ANY) return "any";
  if (type.kind === "duration" || type.kind === "timestamp") return type.kind;
  const parameters = type.parameters.map((parameter) => formatCelType(parameter)).join(", ");
  return parameters === "" ? type.name : `${type.name}(${parameters})`;
}
