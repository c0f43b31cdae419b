import type { Json, Row, RowContext } from "../row.ts";
import { ADMISSION, bindingOf, policyOf } from "./policy-installation.ts";

const POLICIES = `${ADMISSION}/validatingadmissionpolicies`;
const BINDINGS = `${ADMISSION}/validatingadmissionpolicybindings`;
const MERGE = "application/merge-patch+json";

export const POLICY_OBJECT_ROWS: readonly Row[] = [
  {
    row: 262,
    title: "admission policies are defaulted and checked when they are written",
    run: async (context) => {
      const { send, cleanUp, quietly } = context;
      for (const [step, { rule, ...spec }] of Object.entries(INVALID_POLICIES)) {
        const policy = policyOf(context, {
          name: "p",
          policy: { ...VALID, ...spec },
          ...(rule ? { rule: rule as Json } : {}),
        });
        await send(step, { method: "POST", path: `${POLICIES}?dryRun=All`, body: policy });
      }
      const valid = policyOf(context, { name: "p", policy: VALID });
      cleanUp(async () => quietly({ method: "DELETE", path: `${POLICIES}/row-262-p` }));
      await send("defaults", { method: "POST", path: POLICIES, body: valid });
      await send("an invalid update", {
        method: "PATCH",
        path: `${POLICIES}/row-262-p`,
        body: { spec: { validations: [{ expression: "1" }] } },
        contentType: MERGE,
      });
    },
  },
  {
    row: 263,
    title: "bindings of admission policies are defaulted and checked when they are written",
    run: async (context) => {
      const { send } = context;
      for (const [step, spec] of Object.entries(INVALID_BINDINGS)) {
        await send(step, {
          method: "POST",
          path: `${BINDINGS}?dryRun=All`,
          body: bindingOf(context, { name: "p", policy: {}, binding: spec }),
        });
      }
    },
  },
  {
    row: 264,
    title: "whoever writes a policy or binding with parameters must be able to read them",
    run: async (context) => {
      const { send, quietly, cleanUp, namespace, eventually } = context;
      const headers = { "impersonate-user": "policy-writer" };
      await grant(context);
      const withParams = { ...VALID, paramKind: { apiVersion: "v1", kind: "Secret" } };
      await eventually(
        {
          method: "POST",
          path: `${POLICIES}?dryRun=All`,
          body: policyOf(context, { name: "q", policy: VALID }),
          headers,
        },
        ({ status }) => status === 201,
      );
      const policy = policyOf(context, { name: "p", policy: withParams });
      await send("a policy", { method: "POST", path: POLICIES, body: policy, headers });
      await send("a policy of a kind that is not served", {
        method: "POST",
        path: POLICIES,
        body: policyOf(context, {
          name: "p",
          policy: { ...VALID, paramKind: { apiVersion: "no.example.com/v1", kind: "None" } },
        }),
        headers,
      });
      cleanUp(async () => quietly({ method: "DELETE", path: `${POLICIES}/row-264-p` }));
      await quietly({ method: "POST", path: POLICIES, body: policy });
      const binding = (paramRef: Json): Json => bindingOf(context, { name: "p", policy: {}, binding: { paramRef } });
      for (const [step, paramRef] of Object.entries({
        "a binding by name": { name: "a", namespace, parameterNotFoundAction: "Deny" },
        "a binding by selector": { selector: {}, parameterNotFoundAction: "Deny" },
      })) {
        await send(step, { method: "POST", path: `${BINDINGS}?dryRun=All`, body: binding(paramRef), headers });
      }
      await send("a binding of an unknown policy", {
        method: "POST",
        path: `${BINDINGS}?dryRun=All`,
        body: bindingOf(context, {
          name: "p",
          policy: {},
          binding: { policyName: "none", paramRef: { name: "a", parameterNotFoundAction: "Allow" } },
        }),
        headers,
      });
      await send("an administrator", {
        method: "POST",
        path: `${BINDINGS}?dryRun=All`,
        body: binding({ name: "a", parameterNotFoundAction: "Deny" }),
      });
    },
  },
];

async function grant({ quietly, cleanUp }: RowContext): Promise<void> {
  const RBAC = "/apis/rbac.authorization.k8s.io/v1";
  const name = "row-264-writer";
  cleanUp(async () => quietly({ method: "DELETE", path: `${RBAC}/clusterrolebindings/${name}` }));
  cleanUp(async () => quietly({ method: "DELETE", path: `${RBAC}/clusterroles/${name}` }));
  await quietly({
    method: "POST",
    path: `${RBAC}/clusterroles`,
    body: {
      metadata: { name },
      rules: [{ apiGroups: ["admissionregistration.k8s.io"], resources: ["*"], verbs: ["*"] }],
    },
  });
  await quietly({
    method: "POST",
    path: `${RBAC}/clusterrolebindings`,
    body: {
      metadata: { name },
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name },
      subjects: [{ kind: "User", apiGroup: "rbac.authorization.k8s.io", name: "policy-writer" }],
    },
  });
}

const VALID: Json = { validations: [{ expression: "object.data.a == '1'" }] };

const INVALID_POLICIES: Readonly<Record<string, Json>> = {
  "no validations": { validations: [] },
  "no constraints": { matchConstraints: null },
  "constraints without rules": { matchConstraints: { resourceRules: [] } },
  "an unknown failure policy": { failurePolicy: "Maybe" },
  "an unknown match policy": {
    matchConstraints: {
      matchPolicy: "Sometimes",
      resourceRules: [{ apiGroups: ["a"], apiVersions: ["v1"], operations: ["CREATE"], resources: ["bs"] }],
    },
  },
  "invalid selectors": {
    matchConstraints: {
      namespaceSelector: { matchLabels: { "a b": "c" } },
      objectSelector: { matchExpressions: [{ key: "a", operator: "Has" }] },
      resourceRules: [{ apiGroups: ["a"], apiVersions: ["v1"], operations: ["CREATE"], resources: ["bs"] }],
    },
  },
  "an empty rule": { rule: { apiGroups: [], apiVersions: [], operations: [], resources: [] } },
  "stars among others": {
    rule: { apiGroups: ["*", "a"], apiVersions: ["*", "v1"], operations: ["*", "CREATE"], resources: ["*", "pods"] },
  },
  "stars of subresources": { rule: { resources: ["*/*", "pods"] } },
  "subresources twice": { rule: { resources: ["pods/*", "pods/status", "*/scale", "deployments/scale", ""] } },
  "an unknown operation": { rule: { operations: ["LIST"] } },
  "an unknown scope": { rule: { scope: "Some" } },
  "an empty version": { rule: { apiVersions: [""] } },
  "names of resources": { rule: { resourceNames: ["a/b", "c", "c"] } },
  "excluded rules": {
    matchConstraints: {
      resourceRules: [{ apiGroups: ["a"], apiVersions: ["v1"], operations: ["CREATE"], resources: ["bs"] }],
      excludeResourceRules: [{ apiGroups: [], apiVersions: ["v1"], operations: ["CREATE"], resources: ["bs"] }],
    },
  },
  "a param kind without fields": { paramKind: {} },
  "an invalid param kind": { paramKind: { apiVersion: "a/b/c", kind: "A b" } },
  "an invalid param group": { paramKind: { apiVersion: "A_b/1", kind: "Foo" } },
  "no expression": { validations: [{ expression: " " }] },
  "an invalid expression": { validations: [{ expression: "object.x == request.foo" }] },
  "another type": { validations: [{ expression: "'a'" }] },
  "a message": {
    validations: [
      { expression: "true", message: "  " },
      { expression: "true", message: "a\nb" },
    ],
  },
  "a reason": {
    validations: [
      { expression: "true", reason: "Because" },
      { expression: "true", reason: "Unauthorized" },
    ],
  },
  "message expressions": {
    validations: [
      { expression: "true", messageExpression: "  " },
      { expression: "true", messageExpression: "1" },
      { expression: "true", messageExpression: "object.x" },
      { expression: "true", messageExpression: "authorizer.path('/').check('get').reason()" },
      { expression: "true", messageExpression: "params.x" },
    ],
  },
  "audit annotations": {
    validations: [],
    auditAnnotations: [
      { key: "a", valueExpression: "1" },
      { key: "a b", valueExpression: "" },
      { key: "c", valueExpression: "'x'" },
      { key: "c", valueExpression: "null" },
      { key: "d", valueExpression: "true ? null : null" },
      { key: "e", valueExpression: "object.x" },
    ],
  },
  "too many annotations": {
    auditAnnotations: Array.from({ length: 21 }, (_, index) => ({ key: `k${String(index)}`, valueExpression: "'x'" })),
  },
  "match conditions": {
    matchConditions: [
      { name: "a", expression: "params.x == 1" },
      { name: "b", expression: "variables.x == 1" },
      { name: "b", expression: "true" },
    ],
  },
  "match conditions with params": {
    paramKind: { apiVersion: "v1", kind: "ConfigMap" },
    matchConditions: [{ name: "a", expression: "params.x == 1" }],
  },
  "params without a kind": { validations: [{ expression: "params.x == 1" }] },
  "messages with params": {
    paramKind: { apiVersion: "v1", kind: "ConfigMap" },
    validations: [{ expression: "params.x == 1", messageExpression: "params.data.a + ''" }],
  },
  "invalid variables": {
    variables: [
      { name: "", expression: "1" },
      { name: "a-b", expression: "1" },
      { name: "in", expression: "1" },
      { name: "ok", expression: " " },
      { name: "later", expression: "variables.after" },
      { name: "after", expression: "1" },
      { name: "twice", expression: "variables.after + 'a'" },
    ],
    validations: [
      { expression: "variables.missing" },
      { expression: "variables.after == 1" },
      { expression: "variables.later" },
    ],
  },
  "typed variables": {
    variables: [
      { name: "list", expression: "[[1]]" },
      { name: "map", expression: "{'a': {'b': true}}" },
      { name: "request", expression: "request.userInfo" },
      { name: "check", expression: "authorizer.group('')" },
      { name: "time", expression: "timestamp('2020-01-01T00:00:00Z')" },
      { name: "optional", expression: "optional.of(1)" },
    ],
    validations: [
      { expression: "variables.list == 1" },
      { expression: "variables.map == 1" },
      { expression: "variables.request.foo == 1" },
      { expression: "variables.check == 1" },
      { expression: "variables.time == 1" },
      { expression: "variables.optional == 1" },
      { expression: "variables" },
      { expression: "has(variables.none)" },
    ],
  },
  "types of the request and the namespace": {
    validations: [
      { expression: "request.kind == 1" },
      { expression: "request.userInfo.extra == 1" },
      { expression: "request.options == 1" },
      { expression: "namespaceObject.metadata.ownerReferences == 1" },
      { expression: "namespaceObject.metadata.uid == 'a'" },
      { expression: "namespaceObject.status.conditions == 1" },
      { expression: "authorizer == 1" },
      { expression: "authorizer.requestResource == 1" },
      { expression: "authorizer.group('').resource('pods').check('get') == 1" },
      { expression: "authorizer.requestResource.foo('')" },
      { expression: "authorizer.resource('')" },
    ],
  },
};

const INVALID_BINDINGS: Readonly<Record<string, Json>> = {
  defaults: {},
  "default resources": { matchResources: {} },
  "no policy": { policyName: "" },
  "an invalid policy name": { policyName: "A b" },
  "no actions": { validationActions: [] },
  "an unknown action": { validationActions: ["Refuse"] },
  "deny and warn": { validationActions: ["Deny", "Warn"] },
  twice: { validationActions: ["Audit", "Audit"] },
  "an empty reference": { paramRef: {} },
  "name and selector": { paramRef: { name: "a", selector: {}, parameterNotFoundAction: "Deny" } },
  "an invalid name": { paramRef: { name: "a/b", parameterNotFoundAction: "Deny" } },
  "an unknown not-found action": { paramRef: { name: "a", parameterNotFoundAction: "Ask" } },
  "an invalid selector": {
    paramRef: { selector: { matchLabels: { "a b": "c" } }, parameterNotFoundAction: "Allow" },
  },
  "invalid resources": {
    matchResources: {
      matchPolicy: "None",
      namespaceSelector: { matchLabels: { "a b": "c" } },
      resourceRules: [{ apiGroups: [], apiVersions: ["v1"], operations: ["LIST"], resources: ["bs"] }],
    },
  },
};
