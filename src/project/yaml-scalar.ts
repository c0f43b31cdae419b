/**
 * Returns a text as a YAML value that every parser reads as this text, those of YAML 1.1 included: quoted where it would be a boolean, a number, or null.
 *
 * `kubectl` and kustomize read YAML 1.1, for which `on` and `y` are booleans, and `1_000` is a number.
 */
export function yamlScalar(text: string): string {
  return isPlain(text) ? text : JSON.stringify(text);
}

function isPlain(text: string): boolean {
  return /^\w[\w./-]*$/u.test(text) && !isReservedScalar(text);
}

/** Reports whether YAML 1.1 or 1.2 reads a text without quotes as a boolean, a number, or null. */
export function isReservedScalar(text: string): boolean {
  return KEYWORD.test(text) || NUMBER.test(text);
}

const KEYWORD = /^(?:y|n|yes|no|on|off|true|false|null)$/iu;
const NUMBER = /^(?:0[xob][\da-f_]+|(?:\d[\d_]*(?:\.[\d_]*)?|\.[\d_]+)(?:e[-+]?\d+)?|e[-+]?\d+|\d{4}-\d\d?-\d\d?)$/iu;
