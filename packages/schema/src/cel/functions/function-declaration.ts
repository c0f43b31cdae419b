import {
  BOOL,
  BYTES,
  type CelType,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  listOf,
  mapOf,
  NULL,
  opaqueType,
  optionalOf,
  STRING,
  structType,
  TIMESTAMP,
  typeOf,
  typeParameter,
  UINT,
} from "../values/cel-type.ts";

/** One way to call a function. */
export interface Overload {
  readonly id: string;
  readonly isMember: boolean;
  /** What a method is called on comes first. */
  readonly args: readonly CelType[];
  readonly result: CelType;
  readonly typeParameters: readonly string[];
}

export interface FunctionDeclaration {
  readonly name: string;
  readonly overloads: readonly Overload[];
}

/** A library in few words: by function its overloads, and their signatures: `(string, int): string`, methods as `string.(int): string`. */
export type LibrarySketch = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Declares the functions of several libraries; overloads of one function join in their order. */
export function declareFunctions(libraries: readonly LibrarySketch[]): ReadonlyMap<string, FunctionDeclaration> {
  const declarations = new Map<string, FunctionDeclaration>();
  for (const [name, sketches] of libraries.flatMap((library) => Object.entries(library))) {
    const added = Object.entries(sketches).map(([id, signature]) => ({ id, ...readSignature(signature) }));
    declarations.set(name, { name, overloads: [...(declarations.get(name)?.overloads ?? []), ...added] });
  }
  return declarations;
}

function readSignature(signature: string): Omit<Overload, "id"> {
  const {
    target,
    args = "",
    result = "",
  } = /^(?:(?<target>.+)\.)?\((?<args>.*)\): (?<result>.+)$/.exec(signature)?.groups ?? {};
  const parts = target === undefined ? splitTypes(args) : [target, ...splitTypes(args)];
  return {
    isMember: target !== undefined,
    args: parts.map((part) => readType(part)),
    result: readType(result),
    typeParameters: [...new Set(signature.match(/\b[A-Z]\b/g))],
  };
}

function splitTypes(text: string): readonly string[] {
  return text === "" ? [] : text.split(/, (?![^<]*>)/);
}

const NAMED_TYPES: Readonly<Record<string, CelType>> = {
  bool: BOOL,
  bytes: BYTES,
  double: DOUBLE,
  duration: DURATION,
  dyn: DYN,
  int: INT,
  null: NULL,
  string: STRING,
  timestamp: TIMESTAMP,
  uint: UINT,
  quantity: structType("kubernetes.Quantity"),
  url: structType("kubernetes.URL"),
  format: structType("kubernetes.NamedFormat"),
  semver: structType("kubernetes.Semver"),
  ip: opaqueType("net.IP"),
  cidr: opaqueType("net.CIDR"),
  authorizer: structType("kubernetes.authorization.Authorizer"),
  pathCheck: structType("kubernetes.authorization.PathCheck"),
  groupCheck: structType("kubernetes.authorization.GroupCheck"),
  resourceCheck: structType("kubernetes.authorization.ResourceCheck"),
  decision: structType("kubernetes.authorization.Decision"),
};

function readType(text: string): CelType {
  const { name = text, inner = "" } = /^(?<name>\w+)<(?<inner>.+)>$/.exec(text)?.groups ?? {};
  switch (name) {
    case "list":
      return listOf(readType(inner));
    case "optional":
      return optionalOf(readType(inner));
    case "type":
      return typeOf(readType(inner));
    case "map": {
      const comma = inner.indexOf(", ");
      return mapOf(readType(inner.slice(0, comma)), readType(inner.slice(comma + 2)));
    }
    default:
      return NAMED_TYPES[name] ?? typeParameter(name);
  }
}
