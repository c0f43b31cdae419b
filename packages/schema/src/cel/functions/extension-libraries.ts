import type { LibrarySketch } from "./function-declaration.ts";

const COMPARABLE = ["int", "uint", "double", "bool", "duration", "timestamp", "string", "bytes"];
const SUMMABLE = ["int", "uint", "double", "duration"];

/** Declares cel-go's string functions, version 2. */
export const STRINGS: LibrarySketch = {
  charAt: { string_char_at_int: "string.(int): string" },
  indexOf: {
    string_index_of_string: "string.(string): int",
    string_index_of_string_int: "string.(string, int): int",
  },
  lastIndexOf: {
    string_last_index_of_string: "string.(string): int",
    string_last_index_of_string_int: "string.(string, int): int",
  },
  lowerAscii: { string_lower_ascii: "string.(): string" },
  replace: {
    string_replace_string_string: "string.(string, string): string",
    string_replace_string_string_int: "string.(string, string, int): string",
  },
  split: {
    string_split_string: "string.(string): list<string>",
    string_split_string_int: "string.(string, int): list<string>",
  },
  substring: { string_substring_int: "string.(int): string", string_substring_int_int: "string.(int, int): string" },
  trim: { string_trim: "string.(): string" },
  upperAscii: { string_upper_ascii: "string.(): string" },
  format: { string_format: "string.(list<dyn>): string" },
  "strings.quote": { strings_quote: "(string): string" },
  join: { list_join: "list<string>.(): string", list_join_string: "list<string>.(string): string" },
};

/** Declares cel-go's lists, version 3. */
export const LISTS: LibrarySketch = {
  slice: { list_slice: "list<T>.(int, int): list<T>" },
  flatten: { list_flatten: "list<list<T>>.(): list<T>", list_flatten_int: "list<dyn>.(int): list<dyn>" },
  sort: forEach(COMPARABLE, (type) => [`list_${runtimeName(type)}_sort`, `list<${type}>.(): list<${type}>`]),
  "@sortByAssociatedKeys": forEach(COMPARABLE, (type) => [
    `list_${runtimeName(type)}_sortByAssociatedKeys`,
    `list<T>.(list<${type}>): list<T>`,
  ]),
  "lists.range": { lists_range: "(int): list<int>" },
  reverse: { list_reverse: "list<T>.(): list<T>" },
  distinct: { list_distinct: "list<T>.(): list<T>" },
};

/** Declares cel-go's sets, and what two-variable comprehensions are made of. */
export const COLLECTIONS: LibrarySketch = {
  "sets.contains": { list_sets_contains_list: "(list<T>, list<T>): bool" },
  "sets.equivalent": { list_sets_equivalent_list: "(list<T>, list<T>): bool" },
  "sets.intersects": { list_sets_intersects_list: "(list<T>, list<T>): bool" },
  "cel.@mapInsert": {
    "@mapInsert_map_key_value": "(map<K, V>, K, V): map<K, V>",
    "@mapInsert_map_map": "(map<K, V>, map<K, V>): map<K, V>",
  },
};

/** Declares the lists, regular expressions and URLs of Kubernetes. */
export const KUBERNETES_BASICS: LibrarySketch = {
  isSorted: forEach(COMPARABLE, (type) => [`list_${type}_is_sorted_bool`, `list<${type}>.(): bool`]),
  sum: forEach(SUMMABLE, (type) => [`list_${type}_sum_${type}`, `list<${type}>.(): ${type}`]),
  max: forEach(COMPARABLE, (type) => [`list_${type}_max_${type}`, `list<${type}>.(): ${type}`]),
  min: forEach(COMPARABLE, (type) => [`list_${type}_min_${type}`, `list<${type}>.(): ${type}`]),
  indexOf: { list_a_index_of_int: "list<A>.(A): int" },
  lastIndexOf: { list_a_last_index_of_int: "list<A>.(A): int" },
  find: { string_find_string: "string.(string): string" },
  findAll: {
    string_find_all_string: "string.(string): list<string>",
    string_find_all_string_int: "string.(string, int): list<string>",
  },
  url: { string_to_url: "(string): url" },
  isURL: { is_url_string: "(string): bool" },
  getScheme: { url_get_scheme: "url.(): string" },
  getHost: { url_get_host: "url.(): string" },
  getHostname: { url_get_hostname: "url.(): string" },
  getPort: { url_get_port: "url.(): string" },
  getEscapedPath: { url_get_escaped_path: "url.(): string" },
  getQuery: { url_get_query: "url.(): map<string, list<string>>" },
};

/** Declares quantities, addresses, named formats and semantic versions. */
export const KUBERNETES_TYPES: LibrarySketch = {
  quantity: { string_to_quantity: "(string): quantity" },
  isQuantity: { is_quantity_string: "(string): bool" },
  sign: { quantity_sign: "(quantity): int" },
  isGreaterThan: {
    quantity_is_greater_than: "quantity.(quantity): bool",
    semver_is_greater_than: "semver.(semver): bool",
  },
  isLessThan: { quantity_is_less_than: "quantity.(quantity): bool", semver_is_less_than: "semver.(semver): bool" },
  compareTo: { quantity_compare_to: "quantity.(quantity): int", semver_compare_to: "semver.(semver): int" },
  asApproximateFloat: { quantity_get_float: "quantity.(): double" },
  asInteger: { quantity_get_int: "quantity.(): int" },
  isInteger: { quantity_is_integer: "quantity.(): bool" },
  add: { quantity_add: "quantity.(quantity): quantity", quantity_add_int: "quantity.(int): quantity" },
  sub: { quantity_sub: "quantity.(quantity): quantity", quantity_sub_int: "quantity.(int): quantity" },
  ip: { string_to_ip: "(string): ip", cidr_ip: "cidr.(): ip" },
  family: { ip_family: "ip.(): int" },
  "ip.isCanonical": { ip_is_canonical: "(string): bool" },
  isUnspecified: { ip_is_unspecified: "ip.(): bool" },
  isLoopback: { ip_is_loopback: "ip.(): bool" },
  isLinkLocalMulticast: { ip_is_link_local_multicast: "ip.(): bool" },
  isLinkLocalUnicast: { ip_is_link_local_unicast: "ip.(): bool" },
  isGlobalUnicast: { ip_is_global_unicast: "ip.(): bool" },
  isIP: { is_ip: "(string): bool" },
  string: { ip_to_string: "(ip): string", cidr_to_string: "(cidr): string" },
  cidr: { string_to_cidr: "(string): cidr" },
  containsIP: { cidr_contains_ip_string: "cidr.(string): bool", cidr_contains_ip_ip: "cidr.(ip): bool" },
  containsCIDR: { cidr_contains_cidr_string: "cidr.(string): bool", cidr_contains_cidr: "cidr.(cidr): bool" },
  prefixLength: { cidr_prefix_length: "cidr.(): int" },
  masked: { cidr_masked: "cidr.(): cidr" },
  isCIDR: { is_cidr: "(string): bool" },
  semver: { string_to_semver: "(string): semver", string_bool_to_semver: "(string, bool): semver" },
  isSemver: { is_semver_string: "(string): bool", is_semver_string_bool: "(string, bool): bool" },
  major: { semver_major: "semver.(): int" },
  minor: { semver_minor: "semver.(): int" },
  patch: { semver_patch: "semver.(): int" },
  "format.named": { "format-named": "(string): optional<format>" },
  validate: { "format-validate": "format.(string): optional<list<string>>" },
  ...Object.fromEntries(
    [
      "dns1123Label",
      "dns1123Subdomain",
      "dns1035Label",
      "qualifiedName",
      "dns1123LabelPrefix",
      "dns1123SubdomainPrefix",
      "dns1035LabelPrefix",
      "labelValue",
      "uri",
      "uuid",
      "byte",
      "date",
      "datetime",
    ].map((name) => [`format.${name}`, { [`format.${name}`]: "(): format" }]),
  ),
};

// In the runtime's own names a duration is one of Protocol Buffers.
function runtimeName(type: string): string {
  const names: Readonly<Record<string, string>> = {
    duration: "google.protobuf.Duration",
    timestamp: "google.protobuf.Timestamp",
  };
  return names[type] ?? type;
}

function forEach(
  types: readonly string[],
  sketch: (type: string) => readonly [string, string],
): Readonly<Record<string, string>> {
  return Object.fromEntries(types.map((type) => sketch(type)));
}

/** Declares the function for JSON patches. */
export const JSON_PATCH: LibrarySketch = {
  "jsonpatch.escapeKey": { string_jsonpatch_escapeKey_string: "(string): string" },
};

/** Declares the authorizer: no rule of a CRD has one, but a call on `dyn` type-checks. */
export const AUTHORIZER: LibrarySketch = {
  path: { authorizer_path: "authorizer.(string): pathCheck" },
  group: { authorizer_group: "authorizer.(string): groupCheck" },
  serviceAccount: { authorizer_serviceaccount: "authorizer.(string, string): authorizer" },
  resource: { groupcheck_resource: "groupCheck.(string): resourceCheck" },
  subresource: { resourcecheck_subresource: "resourceCheck.(string): resourceCheck" },
  namespace: { resourcecheck_namespace: "resourceCheck.(string): resourceCheck" },
  name: { resourcecheck_name: "resourceCheck.(string): resourceCheck" },
  check: { pathcheck_check: "pathCheck.(string): decision", resourcecheck_check: "resourceCheck.(string): decision" },
  errored: { decision_errored: "decision.(): bool" },
  error: { decision_error: "decision.(): string" },
  allowed: { decision_allowed: "decision.(): bool" },
  reason: { decision_reason: "decision.(): string" },
  fieldSelector: { authorizer_fieldselector: "resourceCheck.(string): resourceCheck" },
  labelSelector: { authorizer_labelselector: "resourceCheck.(string): resourceCheck" },
};
