import {
  BOOL,
  BYTES,
  type CelType,
  DOUBLE,
  DURATION,
  INT,
  listOf,
  mapOf,
  NULL,
  opaqueType,
  STRING,
  TIMESTAMP,
  typeOf,
  typeParameter,
  UINT,
} from "../values/cel-type.ts";

/** Is where a name is looked up: the variables of the comprehensions around it, then those of the expression, then types. */
export interface Scope {
  readonly variables: ReadonlyMap<string, CelType>;
  readonly parent: Scope | undefined;
}

export function lookUpIdent(scope: Scope | undefined, name: string): CelType | undefined {
  for (let current = scope; current !== undefined; current = current.parent) {
    const type = current.variables.get(name);
    if (type !== undefined) return type;
  }
  return TYPE_NAMES.get(name);
}

export function innerScope(parent: Scope, variables: Readonly<Record<string, CelType>>): Scope {
  return { variables: new Map(Object.entries(variables)), parent };
}

/** Reports whether a name with dots is one of a type. */
export function isQualifiedType(name: string): boolean {
  return name.includes(".") && TYPE_NAMES.has(name);
}

/** Returns the type that a name stands for at run time; some the checker knows and the evaluator does not. */
export function typeNamed(name: string): CelType | "unresolved" | undefined {
  return UNRESOLVED_TYPE_NAMES.has(name) ? "unresolved" : TYPE_NAMES.get(name)?.parameters[0];
}

// The checker of Kubernetes finds the scalars of schemas by these names too, but nothing answers to them when a rule runs.
const UNRESOLVED_TYPE_NAMES: ReadonlySet<string> = new Set(["duration", "timestamp"]);

const [A, B] = [typeParameter("A"), typeParameter("B")];

const TYPE_NAMES: ReadonlyMap<string, CelType> = new Map(
  Object.entries({
    bool: BOOL,
    bytes: BYTES,
    double: DOUBLE,
    "google.protobuf.Duration": DURATION,
    "google.protobuf.Timestamp": TIMESTAMP,
    duration: DURATION,
    timestamp: TIMESTAMP,
    int: INT,
    list: listOf(A),
    map: mapOf(A, B),
    null_type: NULL,
    string: STRING,
    type: typeOf(undefined),
    uint: UINT,
    optional_type: opaqueType("optional_type"),
    "net.IP": opaqueType("net.IP"),
    "net.CIDR": opaqueType("net.CIDR"),
  }).map(([name, type]) => [name, typeOf(type)]),
);
