import { configMap, deployment, GROUP, pathOf, widget } from "../kinds.ts";
import type { Call, Json, Row, RowContext } from "../row.ts";
import { installPolicies, type PolicyCase } from "./policy-installation.ts";

const MERGE = "application/merge-patch+json";

export const POLICY_ROWS: readonly Row[] = [
  {
    row: 265,
    title: "an admission policy denies with its message and the status of its reason",
    run: async (context) => {
      await installPolicies(context, [
        denying("message", { message: "a message" }),
        denying("no-message", {}),
        denying("padded", { message: "  a message  " }),
        denying("expression", { message: "a message", messageExpression: "'made of ' + object.metadata.name" }),
        denying("failing-expression", { message: "a message", messageExpression: "'a' + object.data.missing" }),
        denying("blank-expression", { messageExpression: "'   '" }),
        denying("lines", { message: "a message", messageExpression: "'a\\nb'" }),
        denying("long", { message: "a message", messageExpression: "string(object.data.long + object.data.long)" }),
        denying("forbidden", { reason: "Forbidden" }),
        denying("too-large", { reason: "RequestEntityTooLarge" }),
        denying("invalid", { reason: "Invalid" }),
        { name: "several", policy: { validations: [{ expression: "true" }, deny("first"), deny("second")] } },
        { name: "errors", policy: { validations: [{ expression: "object.data.missing == 'x'" }, deny("second")] } },
        {
          name: "ignored-error",
          policy: { failurePolicy: "Ignore", validations: [{ expression: "object.data.missing == 'x'" }] },
        },
        {
          name: "ignored-and-denied",
          policy: {
            failurePolicy: "Ignore",
            validations: [{ expression: "object.data.missing == 'x'" }, deny("second")],
          },
        },
        {
          name: "warned",
          policy: { validations: [deny("warned")] },
          binding: { validationActions: ["Warn", "Audit"] },
        },
        {
          name: "warned-error",
          policy: { validations: [{ expression: "object.data.missing == 'x'" }] },
          binding: { validationActions: ["Warn"] },
        },
        { name: "audited", policy: { validations: [deny("audited")] }, binding: { validationActions: ["Audit"] } },
      ]);
      for (const name of DECIDED) await context.send(name, createMap(context, name));
      await context.send("audited", createMap(context, "audited"));
      await context.send("another name", createMap(context, "another"));
      await context.send("a generated name", {
        ...createMap(context, ""),
        body: { ...configMap(""), metadata: { generateName: "message" } },
      });
    },
  },
  {
    row: 266,
    title: "an admission policy sees the object, the old object, the request, the namespace, and the authorizer",
    run: async (context) => {
      const { namespace, send, quietly, user } = context;
      await installPolicies(
        context,
        Object.entries(FACTS).map(([name, expression]) => ({
          name,
          policy: { validations: [{ expression: "false", messageExpression: expression }] },
        })),
      );
      for (const name of Object.keys(FACTS)) await send(name, createMap(context, name));
      const as = await user("reader");
      await quietly({
        method: "POST",
        path: `/apis/rbac.authorization.k8s.io/v1/namespaces/${namespace}/rolebindings`,
        body: {
          metadata: { name: "reader" },
          roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "edit" },
          subjects: [{ kind: "User", apiGroup: "rbac.authorization.k8s.io", name: "reader" }],
        },
      });
      await context.eventually({ ...createMap(context, "ok"), as }, ({ status }) => status === 201);
      for (const name of ["user", "groups"]) await send(`${name} of another user`, { ...createMap(context, name), as });
    },
  },
  {
    row: 267,
    title: "the authorizer of a policy decides for the user and for service accounts",
    run: async (context) => {
      const { namespace, send, quietly, user, eventually } = context;
      await installPolicies(
        context,
        Object.entries(CHECKS).map(([name, expression]) => ({
          name,
          policy: {
            variables: [{ name: "answer", expression }],
            validations: [
              // The error names the answer; a message expression cannot, since it has no authorizer.
              { expression: "{'answer': true}[variables.answer]", messageExpression: "variables.answer" },
            ],
          },
        })),
      );
      const as = await user("checked");
      await quietly({
        method: "POST",
        path: `/apis/rbac.authorization.k8s.io/v1/namespaces/${namespace}/rolebindings`,
        body: {
          metadata: { name: "checked" },
          roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "edit" },
          subjects: [{ kind: "User", apiGroup: "rbac.authorization.k8s.io", name: "checked" }],
        },
      });
      await eventually({ ...createMap(context, "ok"), as }, ({ status }) => status === 201);
      for (const name of Object.keys(CHECKS)) await send(name, { ...createMap(context, name), as });
      await send("an administrator", createMap(context, "may-list-nodes"));
    },
  },
  {
    row: 268,
    title: "variables of a policy are evaluated once, when they are first read",
    run: async (context) => {
      await installPolicies(context, VARIABLE_CASES);
      for (const { name } of VARIABLE_CASES) await context.send(name, createMap(context, name));
    },
  },
  {
    row: 269,
    title: "match conditions, rules, and selectors decide whether a policy concerns a request",
    run: async (context) => {
      const { namespace, send, quietly } = context;
      await installPolicies(context, MATCHING);
      for (const { name } of MATCHING) await send(name, createMap(context, name));
      await send("labeled: with the label", {
        ...createMap(context, "labeled"),
        body: configMap("labeled", {}, { labels: { checked: "yes" } }),
      });
      const maps = pathOf("configmaps", namespace);
      await quietly({ method: "POST", path: maps, body: configMap("updates") });
      await quietly({ method: "POST", path: maps, body: configMap("deletes") });
      await quietly({ method: "POST", path: maps, body: configMap("creates", {}, { labels: { pass: "yes" } }) });
      const change = async (name: string): Promise<void> => {
        await send(`${name}: an update`, {
          method: "PATCH",
          path: `${maps}/${name}?dryRun=All`,
          body: { data: { b: "2" } },
          contentType: MERGE,
        });
        await send(`${name}: a delete`, { method: "DELETE", path: `${maps}/${name}?dryRun=All` });
      };
      for (const name of ["updates", "deletes", "creates"]) await change(name);
    },
  },
  {
    row: 270,
    title: "policies concern custom resources, workloads, and subresources, in equivalent versions",
    run: async (context) => {
      const { namespace, send, quietly } = context;
      await installPolicies(context, [
        {
          name: "widget",
          rule: { apiGroups: [GROUP], resources: ["widgets", "widgets/status"] },
          policy: {
            validations: [
              {
                expression: "has(request.subResource) || object.spec.size < 5",
                messageExpression: "'size is ' + string(object.spec.size) + ' of ' + object.kind",
              },
              {
                expression: "!has(request.subResource) || object.status.phase != 'Bad'",
                messageExpression: "request.subResource + ' ' + request.kind.kind",
              },
            ],
          },
        },
        {
          name: "web",
          rule: { apiGroups: ["apps"], resources: ["deployments", "deployments/scale"] },
          policy: {
            validations: [
              {
                expression: "object.spec.replicas <= 3",
                messageExpression:
                  "request.kind.group + '/' + request.kind.version + ' ' + request.kind.kind + ': ' + string(object.spec.replicas)",
              },
              {
                expression:
                  "has(request.subResource) || object.spec.template.spec.containers.all(c, !c.image.endsWith(':latest'))",
                message: "no latest images",
              },
            ],
          },
        },
      ]);
      const widgets = pathOf("widgets", namespace);
      await send("a large widget", { method: "POST", path: widgets, body: widget("widget", { size: 7 }) });
      await send("a small widget", { method: "POST", path: widgets, body: widget("widget", { size: 2 }) });
      await send("a bad status", {
        method: "PATCH",
        path: `${widgets}/widget/status`,
        body: { status: { phase: "Bad" } },
        contentType: MERGE,
      });
      const deployments = pathOf("deployments", namespace);
      await quietly({ method: "POST", path: deployments, body: deployment("web") });
      await send("a scale", {
        method: "PATCH",
        path: `${deployments}/web/scale?dryRun=All`,
        body: { spec: { replicas: 9 } },
        contentType: MERGE,
      });
      await send("replicas", {
        method: "PATCH",
        path: `${deployments}/web?dryRun=All`,
        body: { spec: { replicas: 9 } },
        contentType: MERGE,
      });
      await send("an image", {
        method: "PATCH",
        path: `${deployments}/web?dryRun=All`,
        body: { spec: { template: { spec: { containers: [{ name: "web", image: "nginx:latest" }] } } } },
        contentType: MERGE,
      });
    },
  },
];

function createMap({ namespace }: Pick<RowContext, "namespace">, name: string): Call {
  return {
    method: "POST",
    path: `${pathOf("configmaps", namespace)}?dryRun=All`,
    body: configMap(name, { a: "1", number: "5", long: "x".repeat(3000) }),
  };
}

function deny(message: string): Json {
  return { expression: "false", message };
}

function denying(name: string, validation: Json): PolicyCase {
  return { name, policy: { validations: [{ expression: "object.data.a == '2'", ...validation }] } };
}

const DECIDED = [
  "message",
  "no-message",
  "padded",
  "expression",
  "failing-expression",
  "blank-expression",
  "lines",
  "long",
  "forbidden",
  "too-large",
  "invalid",
  "several",
  "errors",
  "ignored-error",
  "ignored-and-denied",
  "warned",
  "warned-error",
];

const FACTS: Readonly<Record<string, string>> = {
  request:
    "request.operation + ' ' + request.name + ' ' + request.namespace + ' ' + request.resource.resource + ' ' + request.requestKind.kind + ' ' + string(request.dryRun)",
  subresource:
    "string(has(request.subResource)) + string(has(request.requestSubResource)) + string(has(request.namespace))",
  options: "request.options.kind + ' ' + request.options.dryRun[0] + ' ' + string(has(request.options.fieldManager))",
  user: "request.userInfo.username == 'reader' ? 'the reader' : 'an administrator'",
  groups:
    "string('system:masters' in request.userInfo.groups) + string('system:authenticated' in request.userInfo.groups)",
  object: "object.apiVersion + ' ' + object.kind + ' ' + object.data.a + ' ' + string(size(object.data))",
  metadata:
    "string(has(object.metadata.uid)) + string(has(object.metadata.creationTimestamp)) + string(has(object.metadata.labels))",
  old: "string(oldObject == null) + string(type(oldObject) == null_type)",
  namespace:
    "namespaceObject.metadata.name + ' ' + namespaceObject.metadata.labels['kubernetes.io/metadata.name'] + ' ' + namespaceObject.status.phase + ' ' + namespaceObject.spec.finalizers[0]",
  time: "type(namespaceObject.metadata.creationTimestamp) == string ? 'text' : 'time'",
  macros: "string(object.data.map(k, k).filter(k, k != 'long' && k.startsWith('n')).join(','))",
  optionals: "object.?metadata.?labels.?app.orValue('none') + object.data[?'a'].orValue('b')",
  quantity: "quantity('1Gi').isGreaterThan(quantity(object.data.number + 'Mi')) ? 'greater' : 'smaller'",
  number: "string(int(object.data.number) * 2 + 1)",
  names: "string(object.metadata.name.matches('^na')) + object.metadata.name.substring(1)",
};

const CHECKS: Readonly<Record<string, string>> = {
  "may-list-nodes": "string(authorizer.group('').resource('nodes').check('list').allowed())",
  "may-read-maps":
    "string(authorizer.group('').resource('configmaps').namespace(request.namespace).check('get').allowed())",
  "may-read-elsewhere":
    "string(authorizer.group('').resource('configmaps').namespace('kube-system').check('get').allowed())",
  reason:
    "authorizer.group('').resource('configmaps').namespace(request.namespace).check('get').reason().startsWith('RBAC: allowed by RoleBinding') ? 'granted' : 'not granted'",
  "no-reason": "'[' + authorizer.group('').resource('nodes').check('list').reason() + ']'",
  "request-resource":
    "string(authorizer.requestResource.check('create').allowed()) + string(authorizer.requestResource.check('list').allowed())",
  subresource:
    "string(authorizer.group('apps').resource('deployments').subresource('scale').namespace(request.namespace).name('web').check('update').allowed())",
  path: "string(authorizer.path('/healthz').check('get').allowed()) + string(authorizer.path('/secret').check('get').allowed())",
  account:
    "string(authorizer.serviceAccount('kube-system', 'none').group('').resource('pods').check('list').allowed())",
  controller:
    "string(authorizer.serviceAccount('kube-system', 'generic-garbage-collector').group('').resource('pods').check('delete').allowed())",
  "bad-account":
    "string(authorizer.serviceAccount('Kube System', 'none').group('').resource('pods').check('list').allowed())",
  "no-path": "string(authorizer.path('').check('get').allowed())",
  "no-resource": "string(authorizer.group('').resource(' ').check('get').allowed())",
  errored:
    "string(authorizer.group('').resource('pods').check('list').errored()) + authorizer.group('').resource('pods').check('list').error()",
  selectors:
    "string(authorizer.group('').resource('configmaps').fieldSelector('metadata.name=a').labelSelector('a=b').namespace(request.namespace).check('list').allowed())",
  "three-checks":
    "string(authorizer.group('').resource('pods').check('list').allowed()) + string(authorizer.group('').resource('pods').check('get').allowed()) + string(authorizer.group('').resource('pods').check('watch').allowed())",
};

// Each search costs 90,000.
const EXPENSIVE = Array.from({ length: 8 }, () => "object.data.long.contains(object.data.long)").join(" && ");

const VARIABLE_CASES: readonly PolicyCase[] = [
  {
    name: "composed",
    policy: {
      variables: [
        { name: "a", expression: "string(object.data.a)" },
        { name: "b", expression: "variables.a + 'x'" },
        { name: "list", expression: "[variables.a, variables.b]" },
      ],
      validations: [{ expression: "variables.b == '1'", messageExpression: "variables.list.join(' ')" }],
    },
  },
  {
    name: "unused-error",
    policy: {
      variables: [{ name: "bad", expression: "object.data.missing" }],
      validations: [{ expression: "object.data.a == '1' || variables.bad == 'x'" }],
    },
  },
  {
    name: "error",
    policy: {
      variables: [
        { name: "bad", expression: "object.data.missing" },
        { name: "worse", expression: "variables.bad + 'a'" },
      ],
      validations: [{ expression: "variables.worse == 'x'" }],
    },
  },
  {
    name: "in-conditions",
    policy: {
      variables: [{ name: "a", expression: "object.data.a" }],
      validations: [{ expression: "variables.a == '2'" }],
    },
  },
  {
    name: "presence",
    policy: {
      variables: [{ name: "a", expression: "object.data" }],
      validations: [{ expression: "has(variables.a) && has(variables.a.a) && !has(variables.a.b)" }],
    },
  },
  {
    name: "presence-of-error",
    policy: {
      variables: [{ name: "a", expression: "object.missing" }],
      validations: [{ expression: "has(variables.a)" }],
    },
  },
  {
    name: "costs",
    policy: {
      variables: [{ name: "long", expression: EXPENSIVE }],
      validations: Array.from({ length: 12 }, () => ({ expression: "variables.long && variables.long" })),
    },
  },
  {
    name: "exhausted",
    policy: {
      validations: Array.from({ length: 22 }, () => ({ expression: EXPENSIVE })),
    },
  },
  {
    name: "exhausted-ignored",
    policy: {
      failurePolicy: "Ignore",
      validations: [...Array.from({ length: 22 }, () => ({ expression: EXPENSIVE })), { expression: "false" }],
    },
  },
  {
    name: "exhausted-message",
    policy: {
      variables: [],
      validations: [
        ...Array.from({ length: 8 }, () => ({ expression: EXPENSIVE })),
        ...Array.from({ length: 8 }, () => ({ expression: "false", messageExpression: `(${EXPENSIVE}) ? 'a' : 'b'` })),
      ],
    },
  },
  {
    name: "operators",
    policy: {
      variables: [{ name: "x", expression: "object.data.map(key, key)" }],
      validations: [{ expression: "variables.x.size() == 3 && variables.x.exists(k, k == 'none')" }],
    },
  },
];

const FALSE = { validations: [{ expression: "false" }] };

const MATCHING: readonly PolicyCase[] = [
  { name: "condition", policy: { ...FALSE, matchConditions: [{ name: "a", expression: "object.data.a == '2'" }] } },
  {
    name: "condition-holds",
    policy: { ...FALSE, matchConditions: [{ name: "a", expression: "object.data.a == '1'" }] },
  },
  { name: "condition-fails", policy: { ...FALSE, matchConditions: [{ name: "a", expression: "object.b.c == 1" }] } },
  {
    name: "condition-ignored",
    policy: { ...FALSE, failurePolicy: "Ignore", matchConditions: [{ name: "a", expression: "object.b.c == 1" }] },
  },
  {
    name: "condition-warned",
    policy: { ...FALSE, matchConditions: [{ name: "a", expression: "object.b.c == 1" }] },
    binding: { validationActions: ["Warn"] },
  },
  {
    name: "labeled",
    policy: FALSE,
    constraints: { objectSelector: { matchLabels: { checked: "yes" } } },
  },
  {
    name: "excluded",
    policy: FALSE,
    constraints: {
      excludeResourceRules: [{ apiGroups: ["*"], apiVersions: ["*"], operations: ["CREATE"], resources: ["*"] }],
    },
  },
  { name: "other-group", policy: FALSE, rule: { apiGroups: ["apps"] } },
  { name: "any-resource", policy: FALSE, rule: { apiGroups: ["*"], apiVersions: ["*"], resources: ["*"] } },
  { name: "cluster", policy: FALSE, rule: { scope: "Cluster" } },
  { name: "namespaced", policy: FALSE, rule: { scope: "Namespaced" } },
  {
    name: "binding-rules",
    policy: FALSE,
    binding: {
      matchResources: {
        resourceRules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["UPDATE"], resources: ["configmaps"] }],
      },
    },
  },
  {
    name: "binding-namespace",
    policy: FALSE,
    binding: { matchResources: { namespaceSelector: { matchLabels: { none: "none" } } } },
  },
  {
    name: "creates",
    policy: { validations: [{ expression: "has(object.metadata.labels)" }] },
    rule: { operations: ["CREATE"] },
  },
  {
    name: "updates",
    policy: { validations: [{ expression: "object.data == oldObject.data", message: "no changes" }] },
    rule: { operations: ["UPDATE"] },
  },
  {
    name: "deletes",
    policy: {
      validations: [
        {
          expression: "object != null",
          messageExpression: "'no deletes of ' + oldObject.metadata.name + ' with ' + request.options.kind",
        },
      ],
    },
    rule: { operations: ["DELETE"] },
  },
];
