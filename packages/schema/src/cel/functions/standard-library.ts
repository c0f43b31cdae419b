import type { LibrarySketch } from "./function-declaration.ts";

/** Declares the operators of CEL. */
export const OPERATORS: LibrarySketch = {
  "_?_:_": { conditional: "(bool, A, A): A" },
  "_&&_": { logical_and: "(bool, bool): bool" },
  "_||_": { logical_or: "(bool, bool): bool" },
  "!_": { logical_not: "(bool): bool" },
  "@not_strictly_false": { not_strictly_false: "(bool): bool" },
  "_==_": { equals: "(A, A): bool" },
  "_!=_": { not_equals: "(A, A): bool" },
  "_+_": {
    add_bytes: "(bytes, bytes): bytes",
    add_double: "(double, double): double",
    add_duration_duration: "(duration, duration): duration",
    add_duration_timestamp: "(duration, timestamp): timestamp",
    add_timestamp_duration: "(timestamp, duration): timestamp",
    add_int64: "(int, int): int",
    add_list: "(list<A>, list<A>): list<A>",
    add_string: "(string, string): string",
    add_uint64: "(uint, uint): uint",
  },
  "_/_": {
    divide_double: "(double, double): double",
    divide_int64: "(int, int): int",
    divide_uint64: "(uint, uint): uint",
  },
  "_%_": { modulo_int64: "(int, int): int", modulo_uint64: "(uint, uint): uint" },
  "_*_": {
    multiply_double: "(double, double): double",
    multiply_int64: "(int, int): int",
    multiply_uint64: "(uint, uint): uint",
  },
  "-_": { negate_double: "(double): double", negate_int64: "(int): int" },
  "_-_": {
    subtract_double: "(double, double): double",
    subtract_duration_duration: "(duration, duration): duration",
    subtract_int64: "(int, int): int",
    subtract_timestamp_duration: "(timestamp, duration): timestamp",
    subtract_timestamp_timestamp: "(timestamp, timestamp): duration",
    subtract_uint64: "(uint, uint): uint",
  },
  "_<_": comparisons("less"),
  "_<=_": comparisons("less_equals"),
  "_>_": comparisons("greater"),
  "_>=_": comparisons("greater_equals"),
  "_[_]": { index_list: "(list<A>, int): A", index_map: "(map<A, B>, A): B" },
  "@in": { in_list: "(A, list<A>): bool", in_map: "(A, map<A, B>): bool" },
};

// Numbers compare across their types, as Kubernetes switches on.
function comparisons(name: string): Readonly<Record<string, string>> {
  const numbers = { int64: "int", uint64: "uint", double: "double" };
  const overloads: Record<string, string> = { [`${name}_bool`]: "(bool, bool): bool" };
  for (const [left, leftType] of Object.entries(numbers)) {
    overloads[`${name}_${left}`] = `(${leftType}, ${leftType}): bool`;
    for (const [right, rightType] of Object.entries(numbers)) {
      if (left !== right) overloads[`${name}_${left}_${right}`] = `(${leftType}, ${rightType}): bool`;
    }
  }
  for (const type of ["string", "bytes", "timestamp", "duration"])
    overloads[`${name}_${type}`] = `(${type}, ${type}): bool`;
  return overloads;
}

/** Declares the functions of CEL itself. */
export const STANDARD_FUNCTIONS: LibrarySketch = {
  size: {
    size_bytes: "(bytes): int",
    bytes_size: "bytes.(): int",
    size_list: "(list<A>): int",
    list_size: "list<A>.(): int",
    size_map: "(map<A, B>): int",
    map_size: "map<A, B>.(): int",
    size_string: "(string): int",
    string_size: "string.(): int",
  },
  type: { type: "(A): type<A>" },
  bool: { bool_to_bool: "(bool): bool", string_to_bool: "(string): bool" },
  bytes: { bytes_to_bytes: "(bytes): bytes", string_to_bytes: "(string): bytes" },
  double: {
    double_to_double: "(double): double",
    int64_to_double: "(int): double",
    string_to_double: "(string): double",
    uint64_to_double: "(uint): double",
  },
  duration: {
    duration_to_duration: "(duration): duration",
    int64_to_duration: "(int): duration",
    string_to_duration: "(string): duration",
  },
  dyn: { to_dyn: "(A): dyn" },
  int: {
    int64_to_int64: "(int): int",
    double_to_int64: "(double): int",
    duration_to_int64: "(duration): int",
    string_to_int64: "(string): int",
    timestamp_to_int64: "(timestamp): int",
    uint64_to_int64: "(uint): int",
  },
  string: {
    string_to_string: "(string): string",
    bool_to_string: "(bool): string",
    bytes_to_string: "(bytes): string",
    double_to_string: "(double): string",
    duration_to_string: "(duration): string",
    int64_to_string: "(int): string",
    timestamp_to_string: "(timestamp): string",
    uint64_to_string: "(uint): string",
  },
  timestamp: {
    timestamp_to_timestamp: "(timestamp): timestamp",
    int64_to_timestamp: "(int): timestamp",
    string_to_timestamp: "(string): timestamp",
  },
  uint: {
    uint64_to_uint64: "(uint): uint",
    double_to_uint64: "(double): uint",
    int64_to_uint64: "(int): uint",
    string_to_uint64: "(string): uint",
  },
  contains: { contains_string: "string.(string): bool" },
  endsWith: { ends_with_string: "string.(string): bool" },
  startsWith: { starts_with_string: "string.(string): bool" },
  matches: { matches: "(string, string): bool", matches_string: "string.(string): bool" },
  getFullYear: timeParts("year"),
  getMonth: timeParts("month"),
  getDayOfYear: timeParts("day_of_year"),
  getDayOfMonth: timeParts("day_of_month"),
  getDate: timeParts("day_of_month_1_based"),
  getDayOfWeek: timeParts("day_of_week"),
  getHours: { ...timeParts("hours"), duration_to_hours: "duration.(): int" },
  getMinutes: { ...timeParts("minutes"), duration_to_minutes: "duration.(): int" },
  getSeconds: {
    timestamp_to_seconds: "timestamp.(): int",
    timestamp_to_seconds_tz: "timestamp.(string): int",
    duration_to_seconds: "duration.(): int",
  },
  getMilliseconds: { ...timeParts("milliseconds"), duration_to_milliseconds: "duration.(): int" },
};

function timeParts(part: string): Readonly<Record<string, string>> {
  return { [`timestamp_to_${part}`]: "timestamp.(): int", [`timestamp_to_${part}_with_tz`]: "timestamp.(string): int" };
}

/** Declares optional values. */
export const OPTIONALS: LibrarySketch = {
  "optional.of": { optional_of: "(V): optional<V>" },
  "optional.ofNonZeroValue": { optional_ofNonZeroValue: "(V): optional<V>" },
  "optional.none": { optional_none: "(): optional<V>" },
  "optional.unwrap": { optional_unwrap: "(list<optional<V>>): list<V>" },
  unwrapOpt: { optional_unwrapOpt: "list<optional<V>>.(): list<V>" },
  value: { optional_value: "optional<V>.(): V" },
  hasValue: { optional_hasValue: "optional<V>.(): bool" },
  or: { optional_or_optional: "optional<V>.(optional<V>): optional<V>" },
  orValue: { optional_orValue_value: "optional<V>.(V): V" },
  "_[?_]": {
    list_optindex_optional_int: "(list<V>, int): optional<V>",
    optional_list_optindex_optional_int: "(optional<list<V>>, int): optional<V>",
    map_optindex_optional_value: "(map<K, V>, K): optional<V>",
    optional_map_optindex_optional_value: "(optional<map<K, V>>, K): optional<V>",
  },
  "_[_]": {
    optional_list_index_int: "(optional<list<V>>, int): optional<V>",
    optional_map_index_value: "(optional<map<K, V>>, K): optional<V>",
  },
  first: { list_first: "list<V>.(): optional<V>" },
  last: { list_last: "list<V>.(): optional<V>" },
};
