import { dns1123LabelErrors, dns1123SubdomainErrors } from "@kubescaffold/k8s";

import {
  CelAuthorizer,
  CelDecision,
  CelGroupCheck,
  CelPathCheck,
  CelResourceCheck,
  type CheckedResource,
} from "../../values/authorizer.ts";
import { CelError, type CelValue } from "../../values/cel-value.ts";
import { noSuchOverload } from "../../values/equality.ts";
import type { Invoke, Operations } from "./invoke.ts";

type Class<T> = abstract new (...args: never[]) => T;

function on<T extends CelValue>(type: Class<T>, work: (value: T, ...texts: readonly string[]) => CelValue): Invoke {
  return (value, ...args) =>
    value instanceof type && args.every((arg) => typeof arg === "string") ? work(value, ...args) : noSuchOverload();
}

function changing(change: (text: string) => Partial<CheckedResource>): Invoke {
  return on(CelResourceCheck, (check, text = "") => check.with(change(text)));
}

const NO_RESOURCE = { resource: "", subresource: "", namespace: "", name: "" };

/** Implements the library of authorizers. */
export const AUTHORIZATION: Operations = {
  authorizer_path: on(CelAuthorizer, ({ authority }, path = "") =>
    path.trim() === "" ? new CelError("path must not be empty") : new CelPathCheck(authority, path),
  ),
  authorizer_group: on(CelAuthorizer, ({ authority }, group = "") => new CelGroupCheck(authority, group)),
  authorizer_serviceaccount: on(CelAuthorizer, ({ authority }, namespace = "", name = "") => {
    if (dns1123SubdomainErrors(name).length > 0) return new CelError("Invalid service account name");
    if (dns1123LabelErrors(namespace).length > 0) return new CelError("Invalid service account namespace");
    return new CelAuthorizer(authority.forServiceAccount(namespace, name));
  }),
  groupcheck_resource: on(CelGroupCheck, ({ authority, group }, resource = "") =>
    resource.trim() === ""
      ? new CelError("resource must not be empty")
      : new CelResourceCheck(authority, { ...NO_RESOURCE, group, resource }),
  ),
  resourcecheck_subresource: changing((subresource) => ({ subresource })),
  resourcecheck_namespace: changing((namespace) => ({ namespace })),
  resourcecheck_name: changing((name) => ({ name })),
  // RBAC does not look at selectors, and no other authorizer that does is built in.
  authorizer_fieldselector: changing(() => ({})),
  authorizer_labelselector: changing(() => ({})),
  pathcheck_check: on(CelPathCheck, ({ authority, path }, verb = "") => {
    const attributes = { ...NO_RESOURCE, verb, path, group: "", isResourceRequest: false };
    return new CelDecision(authority.decide(attributes));
  }),
  resourcecheck_check: on(CelResourceCheck, ({ authority, resource }, verb = "") => {
    return new CelDecision(authority.decide({ ...resource, verb, path: "", isResourceRequest: true }));
  }),
  decision_errored: on(CelDecision, ({ decision }) => decision.error !== undefined),
  decision_error: on(CelDecision, ({ decision }) => decision.error ?? ""),
  decision_allowed: on(CelDecision, ({ decision }) => decision.allowed),
  decision_reason: on(CelDecision, ({ decision }) => decision.reason),
};
