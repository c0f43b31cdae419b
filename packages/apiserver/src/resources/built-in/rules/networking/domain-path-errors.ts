import { dns1123SubdomainErrors, type FieldError, invalidField, requiredField } from "@kubescaffold/k8s";

import { checkedText } from "../checks/field-checks.ts";

const PATH = "[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+";

/** Returns what is wrong with a path behind a domain, such as `example.com/controller`. */
export function domainPathErrors(field: string, value: string): readonly FieldError[] {
  if (value === "") return [requiredField(field)];
  const separator = value.indexOf("/");
  const [host, path] = [value.slice(0, Math.max(separator, 0)), value.slice(separator + 1)];
  if (host === "" || path === "") {
    return [invalidField(field, value, 'must be a domain-prefixed path (such as "acme.io/foo")')];
  }
  const isPath = new RegExp(`^${PATH}$`).test(path);
  return [
    ...checkedText(field, host, dns1123SubdomainErrors),
    ...(isPath ? [] : [invalidField(field, path, `Invalid path (regex used for validation is '${PATH}')`)]),
  ];
}
