import { dns1123LabelErrors, parseLabelSelector, SelectorError } from "@kubescaffold/k8s";

import { InvalidFlagError } from "../command/errors.ts";

/** Checks the namespace that a flag names. Fails: {@link InvalidFlagError}. */
export function namespaceOf(namespace: string, flag: string): string {
  if (dns1123LabelErrors(namespace).length === 0) return namespace;
  throw new InvalidFlagError(`cannot use --${flag} ${namespace}: it is not a DNS label`, {
    hint: "use at most 63 lower-case letters, digits, and dashes, starting and ending with a letter or digit",
  });
}

/** Checks the label selector of a flag. Fails: {@link InvalidFlagError}. */
export function selectorOf(selector: string, flag: string): string {
  try {
    parseLabelSelector(selector);
    return selector;
  } catch (error) {
    if (!(error instanceof SelectorError)) throw error;
    throw new InvalidFlagError(`cannot use --${flag} ${selector}: ${error.message}`, {
      hint: "write labels such as app=web,tier in (a,b)",
      cause: error,
    });
  }
}
