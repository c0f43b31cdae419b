import { configMap, GROUP, pathOf, widget } from "../kinds.ts";
import type { Json, Row } from "../row.ts";
import { installPolicies, type PolicyCase } from "./policy-installation.ts";

const WIDGETS = { apiVersion: `${GROUP}/v1`, kind: "Widget" };
const CONFIG_MAPS = { apiVersion: "v1", kind: "ConfigMap" };
const NAMESPACES = { apiVersion: "v1", kind: "Namespace" };

export const POLICY_PARAM_ROWS: readonly Row[] = [
  {
    row: 272,
    title: "a binding passes parameters to its policy",
    run: async (context) => {
      const { namespace, send, quietly, eventually } = context;
      const maps = pathOf("configmaps", namespace);
      const widgets = pathOf("widgets", namespace);
      await quietly({ method: "POST", path: maps, body: configMap("limits", { most: "3" }, { labels: { set: "a" } }) });
      await quietly({ method: "POST", path: widgets, body: widget("small", { size: 2 }, { labels: { set: "b" } }) });
      await quietly({ method: "POST", path: widgets, body: widget("large", { size: 9 }, { labels: { set: "b" } }) });
      const cases = CASES.map((one) => inNamespace(one, namespace));
      await installPolicies(context, cases);
      const create = (name: string): Parameters<typeof send>[1] => ({
        method: "POST",
        path: `${maps}?dryRun=All`,
        body: configMap(name, { count: "5" }),
      });
      // Their parameters are read some time after the policies.
      await eventually(create("widget"), ({ body }) => String((body as Json)["message"]).includes("5 is more than 2"));
      await eventually(create("map"), ({ body }) => String((body as Json)["message"]).includes("ConfigMap limits"));
      for (const { name } of cases) await send(name, create(name));
      await send("a parameter of a cluster-scoped kind: the namespace itself", {
        method: "PATCH",
        path: `/api/v1/namespaces/${namespace}?dryRun=All`,
        body: { metadata: { labels: { refused: "yes" } } },
        contentType: "application/merge-patch+json",
      });
      await quietly({ method: "DELETE", path: `${widgets}/small` });
      await eventually(create("widget"), ({ body }) => String((body as Json)["message"]).includes("no params"));
      await send("after the parameter is deleted", create("widget"));
    },
  },
];

function inNamespace(one: PolicyCase, namespace: string): PolicyCase {
  const { paramRef, ...binding } = (one.binding ?? {}) as { readonly paramRef?: Json };
  if (paramRef === undefined || paramRef["namespace"] !== "") return one;
  return { ...one, binding: { ...binding, paramRef: { ...paramRef, namespace } } };
}

const MAP_LIMIT = {
  expression: "int(object.data.count) <= int(params.data.most)",
  messageExpression:
    "object.data.count + ' is more than ' + params.data.most + ' of ' + params.kind + ' ' + params.metadata.name",
};
const WIDGET_LIMIT = {
  expression: "int(object.data.count) <= params.spec.size",
  messageExpression: "object.data.count + ' is more than ' + string(params.spec.size) + ' of ' + params.apiVersion",
};
const NO_PARAMS = { validations: [{ expression: "params != null", message: "no parameter" }] };

const CASES: readonly PolicyCase[] = [
  {
    name: "map",
    policy: { paramKind: CONFIG_MAPS, validations: [MAP_LIMIT] },
    binding: { paramRef: { name: "limits", namespace: "", parameterNotFoundAction: "Deny" } },
  },
  {
    name: "widget",
    policy: { paramKind: WIDGETS, validations: [WIDGET_LIMIT] },
    binding: { paramRef: { name: "small", namespace: "", parameterNotFoundAction: "Deny" } },
  },
  {
    name: "own-namespace",
    policy: { paramKind: WIDGETS, validations: [WIDGET_LIMIT] },
    binding: { paramRef: { name: "small", parameterNotFoundAction: "Deny" } },
  },
  {
    name: "selected",
    policy: { paramKind: WIDGETS, validations: [WIDGET_LIMIT] },
    binding: { paramRef: { selector: { matchLabels: { set: "b" } }, parameterNotFoundAction: "Deny" } },
  },
  {
    name: "selected-large",
    policy: { paramKind: WIDGETS, validations: [WIDGET_LIMIT] },
    binding: {
      paramRef: {
        selector: { matchExpressions: [{ key: "set", operator: "In", values: ["c"] }] },
        parameterNotFoundAction: "Deny",
      },
    },
  },
  {
    name: "missing-allowed",
    policy: { paramKind: WIDGETS, validations: [{ expression: "false" }] },
    binding: { paramRef: { name: "none", parameterNotFoundAction: "Allow" } },
  },
  {
    name: "missing-denied",
    policy: { paramKind: WIDGETS, validations: [WIDGET_LIMIT] },
    binding: { paramRef: { name: "none", parameterNotFoundAction: "Deny" } },
  },
  {
    name: "missing-ignored",
    policy: { failurePolicy: "Ignore", paramKind: WIDGETS, validations: [WIDGET_LIMIT] },
    binding: { paramRef: { name: "none", parameterNotFoundAction: "Deny" } },
  },
  {
    name: "missing-warned",
    policy: { paramKind: WIDGETS, validations: [WIDGET_LIMIT] },
    binding: { validationActions: ["Warn"], paramRef: { name: "none", parameterNotFoundAction: "Deny" } },
  },
  { name: "no-reference", policy: { paramKind: WIDGETS, ...NO_PARAMS } },
  {
    name: "no-kind",
    policy: { validations: [{ expression: "false", message: "without parameters" }] },
    binding: { paramRef: { name: "none", parameterNotFoundAction: "Deny" } },
  },
  {
    name: "unknown-kind",
    policy: { paramKind: { apiVersion: "none.example.com/v1", kind: "None" }, ...NO_PARAMS },
    binding: { paramRef: { name: "none", parameterNotFoundAction: "Deny" } },
  },
  {
    name: "unknown-core-kind",
    policy: { paramKind: { apiVersion: "v1", kind: "None" }, ...NO_PARAMS },
    binding: { paramRef: { name: "none", parameterNotFoundAction: "Deny" } },
  },
  {
    name: "unknown-ignored",
    policy: { failurePolicy: "Ignore", paramKind: { apiVersion: "none.example.com/v1", kind: "None" }, ...NO_PARAMS },
    binding: { paramRef: { name: "none", parameterNotFoundAction: "Deny" } },
  },
  {
    name: "cluster-kind",
    policy: {
      paramKind: NAMESPACES,
      validations: [
        {
          expression: "params.metadata.name != 'default'",
          messageExpression: "params.status.phase + ' ' + params.metadata.name",
        },
      ],
    },
    binding: { paramRef: { name: "default", parameterNotFoundAction: "Deny" } },
  },
  {
    name: "cluster-kind-in-namespace",
    policy: { paramKind: NAMESPACES, ...NO_PARAMS },
    binding: { paramRef: { name: "default", namespace: "default", parameterNotFoundAction: "Deny" } },
  },
  {
    name: "condition",
    policy: {
      paramKind: WIDGETS,
      matchConditions: [{ name: "small", expression: "params.spec.size < 5" }],
      variables: [{ name: "size", expression: "params.spec.size" }],
      validations: [{ expression: "variables.size < 0", messageExpression: "'size ' + string(variables.size)" }],
    },
    binding: { paramRef: { selector: { matchLabels: { set: "b" } }, parameterNotFoundAction: "Deny" } },
  },
  {
    name: "cluster-scoped-object",
    rule: { resources: ["namespaces"], resourceNames: [] },
    policy: {
      paramKind: WIDGETS,
      validations: [{ expression: "!has(object.metadata.labels.refused)", message: "no" }],
    },
    binding: { paramRef: { name: "small", parameterNotFoundAction: "Deny" } },
  },
];
