const DNS_1123_LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
const DNS_1123_SUBDOMAIN = `${DNS_1123_LABEL}(\\.${DNS_1123_LABEL})*`;
const DNS_1035_LABEL = "[a-z]([-a-z0-9]*[a-z0-9])?";
const LABEL_KEY = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";
const LABEL_VALUE = `(${LABEL_KEY})?`;

const MAX_LABEL = 63;
const MAX_SUBDOMAIN = 253;

/** Returns what is wrong with a name that must be a DNS label of RFC 1123, in upstream's words. */
export function dns1123LabelProblems(text: string): readonly string[] {
  const problems = lengthProblems(text, MAX_LABEL);
  if (matches(DNS_1123_LABEL, text)) {
    return problems;
  }
  return matches(DNS_1123_SUBDOMAIN, text)
    ? [...problems, "must not contain dots"]
    : [
        ...problems,
        regexProblem(
          "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character",
          DNS_1123_LABEL,
          ["my-name", "123-abc"],
        ),
      ];
}

/** Returns what is wrong with a name that must be a DNS subdomain of RFC 1123, in upstream's words. */
export function dns1123SubdomainProblems(text: string): readonly string[] {
  const problems = lengthProblems(text, MAX_SUBDOMAIN);
  const rule =
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character";
  return matches(DNS_1123_SUBDOMAIN, text) ? problems : [...problems, regexProblem(rule, DNS_1123_SUBDOMAIN, ["example.com"])];
}

/** Returns what is wrong with a name that must be a DNS label of RFC 1035, in upstream's words. */
export function dns1035LabelProblems(text: string): readonly string[] {
  const problems = lengthProblems(text, MAX_LABEL);
  const rule =
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character";
  return matches(DNS_1035_LABEL, text) ? problems : [...problems, regexProblem(rule, DNS_1035_LABEL, ["my-name", "abc-123"])];
}

const LABEL_KEY_RULE = "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";
const LABEL_KEY_EXAMPLES = ["MyName", "my.name", "123-abc"];

/** Returns what is wrong with the key of a label or annotation, or the name of a finalizer, in upstream's words. */
export function qualifiedNameProblems(text: string): readonly string[] {
  const parts = text.split("/");
  if (parts.length > 2) {
    const rule = `a valid label key ${regexProblem(LABEL_KEY_RULE, LABEL_KEY, LABEL_KEY_EXAMPLES)}`;
    return [`${rule} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`];
  }
  const [name = "", prefix] = parts.reverse();
  const problems = prefix === undefined ? [] : prefixProblems(prefix);
  const tooLong = lengthProblems(name, MAX_LABEL).map((problem) => `name part ${problem}`);
  const isValid = matches(LABEL_KEY, name);
  return [
    ...problems,
    ...(name === "" ? ["name part must be non-empty"] : tooLong),
    ...(isValid ? [] : [`name part ${regexProblem(LABEL_KEY_RULE, LABEL_KEY, LABEL_KEY_EXAMPLES)}`]),
  ];
}

function prefixProblems(prefix: string): readonly string[] {
  const problems = prefix === "" ? ["must be non-empty"] : dns1123SubdomainProblems(prefix);
  return problems.map((problem) => `prefix part ${problem}`);
}

/** Returns what is wrong with the value of a label, in upstream's words. */
export function labelValueProblems(text: string): readonly string[] {
  const rule =
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";
  const problems = lengthProblems(text, MAX_LABEL);
  return matches(LABEL_VALUE, text) ? problems : [...problems, regexProblem(rule, LABEL_VALUE, ["MyValue", "my_value", "12345"])];
}

/** Returns what is wrong with a name that must be a segment of a path, in upstream's words; a prefix may be a dot. */
export function pathSegmentProblems(name: string, isPrefix: boolean): readonly string[] {
  if (!isPrefix && (name === "." || name === "..")) {
    return [`may not be '${name}'`];
  }
  return ["/", "%"].filter((part) => name.includes(part)).map((part) => `may not contain '${part}'`);
}

function matches(pattern: string, text: string): boolean {
  return new RegExp(`^(?:${pattern})$`).test(text);
}

function lengthProblems(text: string, max: number): readonly string[] {
  return new TextEncoder().encode(text).length > max ? [`must be no more than ${String(max)} bytes`] : [];
}

function regexProblem(rule: string, pattern: string, examples: readonly string[]): string {
  const quoted = examples.map((example) => `'${example}', `).join("or ");
  return `${rule} (e.g. ${quoted}regex used for validation is '${pattern}')`;
}
