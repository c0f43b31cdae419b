const LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
const SUBDOMAIN = `${LABEL}(\\.${LABEL})*`;
const DNS_1035 = "[a-z]([-a-z0-9]*[a-z0-9])?";
const WILDCARD = `\\*\\.${SUBDOMAIN}`;
const NAME_PART = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";
const LABEL_VALUE = `(${NAME_PART})?`;
const CONFIG_KEY = "[-._a-zA-Z0-9]+";
const ENVIRONMENT = "[-._a-zA-Z][-._a-zA-Z0-9]*";
const HEADER = "[-A-Za-z0-9]+";
const C_IDENTIFIER = "[A-Za-z_][A-Za-z0-9_]*";

const NAME_PART_RULE =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";

/**
 * The greatest length of a DNS-1123 label, such as the name of a namespace.
 *
 * apimachinery: pkg/util/validation.DNS1123LabelMaxLength
 */
export const DNS1123_LABEL_MAX_LENGTH = 63;

/**
 * The greatest length of a DNS-1123 subdomain, such as most names of objects.
 *
 * apimachinery: pkg/util/validation.DNS1123SubdomainMaxLength
 */
export const DNS1123_SUBDOMAIN_MAX_LENGTH = 253;

/**
 * The greatest length of a DNS-1035 label, such as the name of a Service.
 *
 * apimachinery: pkg/util/validation.DNS1035LabelMaxLength
 */
export const DNS1035_LABEL_MAX_LENGTH = 63;

/**
 * The greatest length of the value of a label.
 *
 * apimachinery: pkg/util/validation.LabelValueMaxLength
 */
export const LABEL_VALUE_MAX_LENGTH = 63;

/**
 * Returns the reasons why a text is not a DNS-1123 label (names of namespaces and services' pods); nothing if it is one.
 *
 * Like all of this module it answers with the sentences of an API server.
 */
export function dns1123LabelErrors(value: string): readonly string[] {
  if (matches(LABEL, value)) return tooLong(value, DNS1123_LABEL_MAX_LENGTH, "characters");
  const problem = matches(SUBDOMAIN, value)
    ? "must not contain dots"
    : patternError({
        rule: "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character",
        pattern: LABEL,
        examples: ["my-name", "123-abc"],
      });
  return [...tooLong(value, DNS1123_LABEL_MAX_LENGTH, "characters"), problem];
}

/** Returns the reasons why a text is not a DNS-1123 subdomain, which most names of objects are. */
export function dns1123SubdomainErrors(value: string): readonly string[] {
  return lengthAndPattern(value, {
    length: DNS1123_SUBDOMAIN_MAX_LENGTH,
    rule: "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
    pattern: SUBDOMAIN,
    examples: ["example.com"],
  });
}

/** Returns the reasons why a text is not a DNS-1035 label (names of services, plurals of resources). */
export function dns1035LabelErrors(value: string): readonly string[] {
  return lengthAndPattern(value, {
    length: DNS1035_LABEL_MAX_LENGTH,
    rule: "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character",
    pattern: DNS_1035,
    examples: ["my-name", "abc-123"],
  });
}

/** Returns the reasons why a text is not a DNS-1123 subdomain after `*.`. */
export function wildcardSubdomainErrors(value: string): readonly string[] {
  return lengthAndPattern(value, {
    length: DNS1123_SUBDOMAIN_MAX_LENGTH,
    rule: "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character",
    pattern: WILDCARD,
    examples: ["*.example.com"],
  });
}

/** Returns the reasons why a text is not a qualified name: the key of a label or annotation, a finalizer, a resource name. */
export function qualifiedNameErrors(value: string): readonly string[] {
  const parts = value.split("/");
  const name = parts.at(-1) ?? "";
  const part = { rule: NAME_PART_RULE, pattern: NAME_PART, examples: ["MyName", "my.name", "123-abc"] };
  if (parts.length > 2) {
    return [
      `a valid label key ${patternError(part)} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  }
  const prefix = parts.length === 2 ? prefixErrors(parts[0] ?? "") : [];
  const length = name === "" ? ["must be non-empty"] : tooLong(name, 63, "bytes");
  const pattern = matches(NAME_PART, name) ? [] : [patternError(part)];
  return [...prefix, ...[...length, ...pattern].map((problem) => `name part ${problem}`)];
}

/** Returns the reasons why a text is not the value of a label. */
export function labelValueErrors(value: string): readonly string[] {
  const problem = patternError({
    rule: `a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character`,
    pattern: LABEL_VALUE,
    examples: ["MyValue", "my_value", "12345"],
  });
  return [...tooLong(value, LABEL_VALUE_MAX_LENGTH, "bytes"), ...(matches(LABEL_VALUE, value) ? [] : [problem])];
}

/** Returns the reasons why a text is not a key of a ConfigMap or Secret. */
export function configMapKeyErrors(value: string): readonly string[] {
  const errors = lengthAndPattern(value, {
    length: 253,
    rule: "a valid config key must consist of alphanumeric characters, '-', '_' or '.'",
    pattern: CONFIG_KEY,
    examples: ["key.name", "KEY_NAME", "key-name"],
  });
  return [...errors, ...directoryErrors(value)];
}

/** Returns the reasons why a text is not the name of an environment variable. */
export function environmentVariableErrors(value: string): readonly string[] {
  const problem = patternError({
    rule: "a valid environment variable name must consist of alphabetic characters, digits, '_', '-', or '.', and must not start with a digit",
    pattern: ENVIRONMENT,
    examples: ["my.env-name", "MY_ENV.NAME", "MyEnvName1"],
  });
  return [...(matches(ENVIRONMENT, value) ? [] : [problem]), ...directoryErrors(value)];
}

/** Returns the reasons why a text is not the name of a port. */
export function portNameErrors(value: string): readonly string[] {
  return [
    ...tooLong(value, 15, "characters"),
    ...(/^[-a-z0-9]+$/.test(value) && !value.includes("\n")
      ? []
      : ["must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)"]),
    ...(/[a-z]/.test(value) ? [] : ["must contain at least one letter (a-z)"]),
    ...(value.includes("--") ? ["must not contain consecutive hyphens"] : []),
    ...(value.startsWith("-") || value.endsWith("-") ? ["must not begin or end with a hyphen"] : []),
  ];
}

/** Returns the reasons why a text is not the name of an HTTP header. */
export function httpHeaderNameErrors(value: string): readonly string[] {
  const problem = patternError({
    rule: "a valid HTTP header must consist of alphanumeric characters or '-'",
    pattern: HEADER,
    examples: ["X-Header-Name"],
  });
  return matches(HEADER, value) ? [] : [problem];
}

/** Returns the reasons why a text is not an identifier of the language C. */
export function cIdentifierErrors(value: string): readonly string[] {
  const problem = patternError({
    rule: "a valid C identifier must start with alphabetic character or '_', followed by a string of alphanumeric characters or '_'",
    pattern: C_IDENTIFIER,
    examples: ["my_name", "MY_NAME", "MyName"],
  });
  return matches(C_IDENTIFIER, value) ? [] : [problem];
}

/** Returns the reasons why a number is not a port. */
export function portNumberErrors(port: number): readonly string[] {
  return port >= 1 && port <= 65_535 ? [] : ["must be between 1 and 65535, inclusive"];
}

/** Returns a `generateName` as a name is checked: a final dash counts as a letter, since more is put behind it. */
export function maskTrailingDash(name: string): string {
  return name.length > 1 && name.endsWith("-") ? `${name.slice(0, -2)}a` : name;
}

interface PatternRule {
  readonly rule: string;
  readonly pattern: string;
  readonly examples: readonly string[];
}

function lengthAndPattern(value: string, rule: PatternRule & { readonly length: number }): readonly string[] {
  const problem = matches(rule.pattern, value) ? [] : [patternError(rule)];
  return [...tooLong(value, rule.length, "characters"), ...problem];
}

function prefixErrors(prefix: string): readonly string[] {
  const problems =
    prefix === ""
      ? ["must be non-empty"]
      : dns1123SubdomainErrors(prefix).map((problem) => problem.replace(/ characters$/, " bytes"));
  return problems.map((problem) => `prefix part ${problem}`);
}

function directoryErrors(value: string): readonly string[] {
  if (value === "." || value === "..") return [`must not be '${value}'`];
  return value.startsWith("..") ? ["must not start with '..'"] : [];
}

function tooLong(value: string, length: number, unit: "characters" | "bytes"): readonly string[] {
  return Buffer.byteLength(value) > length ? [`must be no more than ${length} ${unit}`] : [];
}

function patternError({ rule, pattern, examples }: PatternRule): string {
  const list = examples.map((example) => `'${example}', `).join(" or ");
  return `${rule} (e.g. ${list}regex used for validation is '${pattern}')`;
}

const expressions = new Map<string, RegExp>();

function matches(pattern: string, value: string): boolean {
  let expression = expressions.get(pattern);
  if (expression === undefined) {
    expression = new RegExp(`^(?:${pattern})$`);
    expressions.set(pattern, expression);
  }
  return expression.test(value);
}
