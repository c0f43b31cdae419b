import type { FlagRow } from "../flag-row.ts";
import { crd, deployment, pathOf } from "../kinds.ts";
import type { Json, RowContext } from "../row.ts";
import {
  applied,
  installMutations,
  labeled,
  type MutationCase,
  MUTATING_POLICY_FLAGS,
  outcomeOf,
  patched,
} from "./mutating-policy-installation.ts";

const flags = async (): Promise<readonly string[]> => await Promise.resolve(MUTATING_POLICY_FLAGS);
const DEPLOYMENTS = { apiGroups: ["apps"], resources: ["deployments"] };
const CONTAINERS = "Object.spec.template.spec.containers";

export const MUTATION_ROWS: readonly FlagRow[] = [
  {
    row: 465,
    title: "policies merge apply configurations into objects",
    flags,
    run: async (context) => {
      const cases = casesOf(APPLIED, (expression) => ({
        policy: { mutations: [applied(expression)] },
        rule: DEPLOYMENTS,
      }));
      await installMutations(context, cases);
      for (const { name } of cases) await createDeployment(context, name, APPLIED[name] ?? "");
    },
  },
  {
    row: 466,
    title: "policies apply JSON patches to objects",
    flags,
    run: async (context) => {
      const cases = casesOf(PATCHED, (expression) => ({
        policy: { mutations: [patched(expression)] },
        rule: DEPLOYMENTS,
      }));
      await installMutations(context, cases);
      for (const { name } of cases) await createDeployment(context, name, PATCHED[name] ?? "");
    },
  },
  {
    row: 467,
    title: "mutations use variables, conditions, parameters, the namespace, and the rights of the user",
    flags,
    run: async (context) => {
      const { quietly, namespace } = context;
      for (const [name, data, labels] of PARAMS) {
        await quietly({
          method: "POST",
          path: pathOf("configmaps", namespace),
          body: { apiVersion: "v1", kind: "ConfigMap", metadata: { name, labels }, data },
        });
      }
      const cases = Object.entries(EXPRESSIONS).map(([name, one]) => ({ name, ...one }));
      await installMutations(context, cases);
      for (const { name } of cases) await createConfigMap(context, name, name);
    },
  },
  {
    row: 468,
    title: "errors of mutations deny the write, unless their policy ignores failures",
    flags,
    run: async (context) => {
      const cases = Object.entries(FAILURES).map(([name, one]) => ({ name, ...one }));
      await installMutations(context, cases);
      for (const { name } of cases) await createConfigMap(context, name, name);
    },
  },
  {
    row: 469,
    title: "policies and bindings select objects by rules, labels, namespaces, and versions",
    flags,
    run: async (context) => {
      const cases = Object.entries(SELECTIONS).map(([name, one]) => ({ name, ...one }));
      await installMutations(context, cases);
      for (const { name } of cases) await createConfigMap(context, name, name);
      await updateConfigMap(context);
      await createAutoscaler(context);
    },
  },
  {
    row: 470,
    title: "policies mutate custom resources, whose defaults are set afterwards",
    flags,
    run: async (context) => {
      await defineGizmos(context);
      const rule = { apiGroups: ["conformance.example.com"], resources: ["gizmos"] };
      const cases = [
        ...casesOf(GIZMOS, (expression) => ({ policy: { mutations: [applied(expression)] }, rule })),
        ...casesOf(GIZMO_PATCHES, (expression) => ({ policy: { mutations: [patched(expression)] }, rule })),
      ];
      await installMutations(context, cases);
      for (const { name } of cases) await createGizmo(context, name);
    },
  },
];

function casesOf(
  expressions: Readonly<Record<string, string>>,
  caseFor: (expression: string) => Omit<MutationCase, "name">,
): readonly MutationCase[] {
  return Object.entries(expressions).map(([name, expression]) => ({ name, ...caseFor(expression) }));
}

const DEPLOYMENT_FIELDS = [
  "metadata.name",
  "metadata.labels",
  "metadata.annotations",
  "metadata.finalizers",
  "spec.replicas",
  "spec.template.metadata.labels",
  "spec.template.spec.containers",
  "spec.template.spec.volumes",
  "status",
];

async function createDeployment(
  { quietly, note, namespace }: RowContext,
  name: string,
  expression: string,
): Promise<void> {
  const { metadata, ...rest } = deployment("d") as Json & { readonly metadata: Json };
  const body = { ...rest, metadata: { ...metadata, labels: { case: name } } };
  const answer = await quietly({ method: "POST", path: `${pathOf("deployments", namespace)}?dryRun=All`, body });
  note(`${name}: ${expression}`, outcomeOf(answer, DEPLOYMENT_FIELDS));
}

async function createConfigMap({ quietly, note, namespace }: RowContext, step: string, name: string): Promise<void> {
  const answer = await quietly({
    method: "POST",
    path: `${pathOf("configmaps", namespace)}?dryRun=All`,
    body: labeled(name),
  });
  note(step, outcomeOf(answer, ["metadata.labels", "metadata.annotations", "data", "immutable"]));
}

const APPLIED: Readonly<Record<string, string>> = {
  scalar: "Object{spec: Object.spec{replicas: 5}}",
  map: 'Object{metadata: Object.metadata{labels: {"x": "y"}, annotations: {"a": object.metadata.labels["case"]}}}',
  "map-of-a-message": "Object{metadata: Object.metadata{labels: Object.metadata.labels{x: 'y'}}}",
  "whole-map": 'Object{spec: {"replicas": 3}}',
  "map-in-a-map": 'Object{spec: {"template": {"metadata": {"labels": {"x": "y"}}}}}',
  item: `Object{spec: Object.spec{template: Object.spec.template{spec: Object.spec.template.spec{containers: [${CONTAINERS}{name: "x", image: "y"}]}}}}`,
  "item-by-key": `Object{spec: Object.spec{template: Object.spec.template{spec: Object.spec.template.spec{containers: [${CONTAINERS}{name: "side", ports: [${CONTAINERS}.ports{containerPort: 80}]}]}}}}`,
  "all-items": `Object{spec: Object.spec{template: Object.spec.template{spec: Object.spec.template.spec{containers: object.spec.template.spec.containers.map(c, ${CONTAINERS}{name: c.name, image: c.image + ":v2"})}}}}`,
  "list-of-maps": `Object{spec: Object.spec{template: Object.spec.template{spec: Object.spec.template.spec{containers: [{"name": "x", "image": "y"}]}}}}`,
  "same-item": `Object{spec: Object.spec{template: Object.spec.template{spec: Object.spec.template.spec{containers: [${CONTAINERS}{name: "side"}, ${CONTAINERS}{name: "side"}]}}}}`,
  "no-key": `Object{spec: Object.spec{template: Object.spec.template{spec: Object.spec.template.spec{containers: [${CONTAINERS}{image: "y"}]}}}}`,
  own: "Object{metadata: Object.metadata{labels: object.metadata.labels}, spec: Object.spec{template: object.spec.template}}",
  "atomic-list": `Object{spec: Object.spec{template: Object.spec.template{spec: Object.spec.template.spec{containers: [${CONTAINERS}{name: "side", args: ["a"]}]}}}}`,
  "atomic-map": 'Object{spec: Object.spec{selector: Object.spec.selector{matchLabels: {"a": "b"}}}}',
  finalizers: "Object{metadata: Object.metadata{finalizers: ['e.com/a']}}",
  "unknown-field": "Object{spec: Object.spec{nope: 5}}",
  "text-for-number": 'Object{spec: Object.spec{replicas: "x"}}',
  "number-for-text": "Object{metadata: Object.metadata{labels: Object.metadata.labels{x: 1}}}",
  "text-for-object": 'Object{spec: "x"}',
  "list-for-object": "Object{spec: [1]}",
  "number-for-list": `Object{spec: Object.spec{template: Object.spec.template{spec: Object.spec.template.spec{containers: 1}}}}`,
  "text-for-flag": "Object{spec: Object.spec{paused: 'x'}}",
  "wrong-type": "Object{spec: Object.metadata{replicas: 5}}",
  "wrong-type-of-item": `Object{spec: Object.spec{template: Object.spec.template{spec: Object.spec.template.spec{containers: [Object.spec.wrong{name: "x"}]}}}}`,
  none: "Object{spec: Object.spec{?replicas: optional.none()}}",
  some: "Object{spec: Object.spec{?replicas: object.spec.?replicas}}",
  "some-value": "Object{spec: Object.spec{replicas: optional.of(3)}}",
  null: "Object{spec: Object.spec{replicas: null}}",
  unsigned: "Object{spec: Object.spec{replicas: 3u}}",
  double: "Object{spec: Object.spec{replicas: 3.0}}",
  bytes: 'Object{metadata: Object.metadata{annotations: Object.metadata.annotations{x: b"abc"}}}',
  "int-as-a-key": 'Object{metadata: Object.metadata{labels: {1: "y"}}}',
  missing: "Object{spec: Object.spec{replicas: object.spec.nope}}",
  name: 'Object{metadata: Object.metadata{name: "other"}}',
  kind: 'Object{apiVersion: "v1", kind: "Pod"}',
  status: "Object{status: Object.status{replicas: 3}}",
  empty: "Object{}",
  invalid: "Object{spec: Object.spec{replicas: -1}}",
  expensive:
    "Object{spec: Object.spec{replicas: [1,2,3,4,5,6,7,8,9,10].map(a, [1,2,3,4,5,6,7,8,9,10].map(b, [1,2,3,4,5,6,7,8,9,10].map(c, [1,2,3,4,5,6,7,8,9,10].map(d, [1,2,3,4,5,6,7,8,9,10].map(e, [1,2,3,4,5,6,7,8,9,10].map(f, a+b+c+d+e+f)))))).size()}}",
};

const PATCHED: Readonly<Record<string, string>> = {
  replace: '[JSONPatch{op: "replace", path: "/spec/replicas", value: 5}]',
  "escaped-key":
    '[JSONPatch{op: "add", path: "/metadata/annotations", value: {"a": "b"}}, JSONPatch{op: "add", path: "/metadata/annotations/" + jsonpatch.escapeKey("e.com/x"), value: "v"}]',
  "passing-test":
    '[JSONPatch{op: "test", path: "/spec/replicas", value: object.spec.replicas}, JSONPatch{op: "replace", path: "/spec/replicas", value: 5}]',
  "failing-test":
    '[JSONPatch{op: "test", path: "/spec/replicas", value: 9}, JSONPatch{op: "replace", path: "/spec/replicas", value: 5}]',
  "bad-path": '[JSONPatch{op: "remove", path: "/spec/nope"}]',
  "bad-operation": '[JSONPatch{op: "swap", path: "/spec/replicas"}]',
  "no-path": '[JSONPatch{op: "add", value: 1}]',
  "no-operation": '[JSONPatch{path: "/spec/replicas", value: 1}]',
  "unknown-field": '[JSONPatch{op: "add", path: "/spec/nope", value: 1}]',
  "unknown-fields":
    '[JSONPatch{op: "add", path: "/spec/nope", value: 1}, JSONPatch{op: "add", path: "/metadata/no", value: {}}]',
  "wrong-type": '[JSONPatch{op: "replace", path: "/spec/replicas", value: "x"}]',
  message: `[JSONPatch{op: "add", path: "/spec/template/spec/containers/-", value: ${CONTAINERS}{name: "x", image: "y"}}]`,
  map: '[JSONPatch{op: "add", path: "/spec/template/spec/containers/-", value: {"name": "x", "image": "y"}}]',
  "any-message": '[JSONPatch{op: "add", path: "/metadata/annotations", value: Object{a: "b"}}]',
  "misnamed-message": '[JSONPatch{op: "add", path: "/metadata", value: Object.metadata{labels: Object.a{b: "c"}}}]',
  list: '[JSONPatch{op: "add", path: "/metadata/finalizers", value: ["e.com/a"]}]',
  null: '[JSONPatch{op: "add", path: "/spec/replicas", value: null}]',
  "large-integer": '[JSONPatch{op: "add", path: "/spec/replicas", value: 9223372036854775807}]',
  timestamp: '[JSONPatch{op: "add", path: "/metadata/annotations", value: {"t": timestamp("2020-01-01T00:00:00Z")}}]',
  duration: '[JSONPatch{op: "add", path: "/metadata/annotations", value: {"d": duration("90s")}}]',
  bytes: '[JSONPatch{op: "add", path: "/metadata/annotations", value: {"t": b"abc"}}]',
  quantity: '[JSONPatch{op: "add", path: "/metadata/annotations", value: {"t": quantity("1")}}]',
  "int-as-a-key": '[JSONPatch{op: "add", path: "/metadata/annotations", value: {1: "a"}}]',
  "operation-of-any-type": '[JSONPatch{op: object.spec.replicas, path: "/a"}]',
  missing: '[JSONPatch{op: "add", path: "/a", value: object.nope}]',
  name: '[JSONPatch{op: "replace", path: "/metadata/name", value: "other"}]',
  kind: '[JSONPatch{op: "replace", path: "/kind", value: "Pod"}]',
  "no-kind": '[JSONPatch{op: "remove", path: "/kind"}]',
  root: '[JSONPatch{op: "replace", path: "", value: 1}]',
  own: '[JSONPatch{op: "add", path: "/metadata/annotations", value: object.metadata.labels}]',
  copy: '[JSONPatch{op: "copy", from: "/metadata/labels", path: "/metadata/annotations"}]',
  "move-of-nothing": '[JSONPatch{op: "move", path: "/metadata/annotations"}]',
  choice: 'has(object.metadata.labels) ? [JSONPatch{op: "add", path: "/metadata/labels/x", value: "y"}] : []',
  "no-operations": 'has(object.metadata.labels) ? [] : [JSONPatch{op: "add", path: "/metadata/labels/x", value: "y"}]',
  "control-character": String.raw`[JSONPatch{op: "add", path: "/metadata/labels/\u0001", value: "y"}]`,
};

const PARAMS: readonly (readonly [string, Json, Json])[] = [
  ["one", { value: "1" }, { kind: "param", order: "first" }],
  ["two", { value: "2" }, { kind: "param", order: "second" }],
];
const PARAM_KIND = { paramKind: { apiVersion: "v1", kind: "ConfigMap" } };
const BY_PARAM = {
  ...PARAM_KIND,
  mutations: [applied("Object{data: {'p' + params.data.value: params.metadata.name}}")],
};

const EXPRESSIONS: Readonly<Record<string, Omit<MutationCase, "name">>> = {
  variables: {
    policy: {
      variables: [
        { name: "a", expression: "object.metadata.name" },
        { name: "b", expression: "variables.a + '!'" },
      ],
      mutations: [
        applied("Object{data: Object.data{b: variables.b}}"),
        applied("Object{data: Object.data{c: object.data.b}}"),
      ],
    },
  },
  "variables-of-each-step": {
    policy: {
      variables: [{ name: "keys", expression: "size(object.data)" }],
      mutations: [
        applied("Object{data: Object.data{b: string(variables.keys)}}"),
        applied("Object{data: Object.data{c: string(variables.keys)}}"),
      ],
    },
  },
  "failing-variable": {
    policy: {
      variables: [{ name: "a", expression: "object.nope" }],
      mutations: [applied("Object{data: Object.data{b: variables.a}}")],
    },
  },
  "condition-that-holds": {
    policy: {
      matchConditions: [{ name: "a", expression: "object.data.a == '1'" }],
      mutations: [applied("Object{data: Object.data{b: '2'}}")],
    },
  },
  "condition-that-does-not-hold": {
    policy: {
      matchConditions: [
        { name: "a", expression: "object.nope == 'x'" },
        { name: "b", expression: "false" },
      ],
      mutations: [applied("Object{data: Object.data{b: '2'}}")],
    },
  },
  "condition-that-fails": {
    policy: {
      matchConditions: [{ name: "a", expression: "object.nope == 'x'" }],
      mutations: [applied("Object{data: Object.data{b: '2'}}")],
    },
  },
  "ignored-condition": {
    policy: {
      failurePolicy: "Ignore",
      matchConditions: [{ name: "a", expression: "object.nope == 'x'" }],
      mutations: [applied("Object{data: Object.data{b: '2'}}")],
    },
  },
  request: {
    policy: {
      mutations: [
        applied(
          "Object{data: Object.data{r: request.operation + request.resource.resource + request.kind.kind + request.userInfo.username + string(request.dryRun), o: string(oldObject == null)}}",
        ),
      ],
    },
  },
  namespace: { policy: { mutations: [applied("Object{data: Object.data{n: namespaceObject.metadata.name}}")] } },
  authorizer: {
    policy: {
      mutations: [
        applied("Object{data: Object.data{a: string(authorizer.requestResource.check('update').allowed())}}"),
      ],
    },
  },
  "param-by-name": {
    policy: BY_PARAM,
    binding: { paramRef: { name: "one", namespace: "row-467", parameterNotFoundAction: "Deny" } },
  },
  "param-in-the-namespace": {
    policy: BY_PARAM,
    binding: { paramRef: { name: "two", parameterNotFoundAction: "Deny" } },
  },
  "params-by-selector": {
    policy: BY_PARAM,
    binding: { paramRef: { selector: { matchLabels: { kind: "param" } }, parameterNotFoundAction: "Deny" } },
  },
  "param-that-must-exist": {
    policy: BY_PARAM,
    binding: { paramRef: { name: "none", parameterNotFoundAction: "Deny" } },
  },
  "param-that-may-be-missing": {
    policy: BY_PARAM,
    binding: { paramRef: { name: "none", parameterNotFoundAction: "Allow" } },
  },
  "param-not-given": { policy: BY_PARAM },
  "param-of-a-kind-that-is-not-served": {
    policy: { ...BY_PARAM, paramKind: { apiVersion: "no.example.com/v1", kind: "None" } },
    binding: { paramRef: { name: "none", parameterNotFoundAction: "Allow" } },
  },
  "param-in-a-namespace-of-a-cluster-kind": {
    policy: { ...BY_PARAM, paramKind: { apiVersion: "v1", kind: "Node" } },
    binding: { paramRef: { name: "none", namespace: "a", parameterNotFoundAction: "Allow" } },
  },
};

const FAILS = "Object{data: Object.data{a: object.nope}}";

const FAILURES: Readonly<Record<string, Omit<MutationCase, "name">>> = {
  fail: { policy: { mutations: [applied(FAILS)] } },
  ignore: { policy: { failurePolicy: "Ignore", mutations: [applied(FAILS)] } },
  "two-errors": {
    policy: {
      mutations: [
        applied(FAILS),
        applied("Object{data: Object.data{b: '2'}}"),
        patched("[JSONPatch{op: 'remove', path: '/data/none'}]"),
      ],
    },
  },
  "ignored-errors-between-mutations": {
    policy: {
      failurePolicy: "Ignore",
      mutations: [
        applied(FAILS),
        applied("Object{data: Object.data{b: '2'}}"),
        patched("[JSONPatch{op: 'remove', path: '/data/none'}]"),
        patched("[JSONPatch{op: 'add', path: '/data/c', value: '3'}]"),
      ],
    },
  },
  "ignored-decoding-error": {
    policy: { failurePolicy: "Ignore", mutations: [patched("[JSONPatch{op: 'add', path: '/nope', value: 1}]")] },
  },
  "ignored-params": {
    policy: { ...BY_PARAM, failurePolicy: "Ignore" },
    binding: { paramRef: { name: "none", parameterNotFoundAction: "Deny" } },
  },
};

const ADDS = { mutations: [applied("Object{data: Object.data{b: '2'}}")] };
const IN_ROW = { matchLabels: { "kubernetes.io/metadata.name": "row-469" } };
const ELSEWHERE = { matchLabels: { "kubernetes.io/metadata.name": "default" } };

const SELECTIONS: Readonly<Record<string, Omit<MutationCase, "name">>> = {
  "namespace-of-the-policy": { policy: ADDS, constraints: { namespaceSelector: IN_ROW } },
  "other-namespace-of-the-policy": { policy: ADDS, constraints: { namespaceSelector: ELSEWHERE } },
  "namespace-of-the-binding": { policy: ADDS, binding: { matchResources: { namespaceSelector: IN_ROW } } },
  "other-namespace-of-the-binding": { policy: ADDS, binding: { matchResources: { namespaceSelector: ELSEWHERE } } },
  "labels-of-the-binding": {
    policy: ADDS,
    binding: { matchResources: { objectSelector: { matchLabels: { case: "labels-of-the-binding" } } } },
  },
  "other-labels-of-the-binding": {
    policy: ADDS,
    binding: { matchResources: { objectSelector: { matchLabels: { case: "none" } } } },
  },
  excluded: {
    policy: ADDS,
    constraints: {
      excludeResourceRules: [
        {
          apiGroups: [""],
          apiVersions: ["v1"],
          operations: ["*"],
          resources: ["configmaps"],
          resourceNames: ["excluded"],
        },
      ],
    },
  },
  named: { policy: ADDS, rule: { resourceNames: ["named"] } },
  "named-otherwise": { policy: ADDS, rule: { resourceNames: ["none"] } },
  updates: { policy: ADDS, rule: { operations: ["UPDATE"] } },
  scope: { policy: ADDS, rule: { scope: "Cluster" } },
  everything: { policy: ADDS, rule: { apiGroups: ["*"], apiVersions: ["*"], operations: ["*"], resources: ["*/*"] } },
  // The label is set by a policy whose name comes before, which is too late.
  "z-label-of-another-policy": {
    policy: ADDS,
    constraints: { objectSelector: { matchLabels: { added: "yes" } } },
  },
  "label-for-another-policy": {
    policy: { mutations: [applied("Object{metadata: Object.metadata{labels: Object.metadata.labels{added: 'yes'}}}")] },
  },
  autoscaler: {
    policy: {
      mutations: [applied("Object{spec: Object.spec{maxReplicas: 7, minReplicas: object.spec.minReplicas + 1}}")],
    },
    rule: { apiGroups: ["autoscaling"], apiVersions: ["v2"], resources: ["horizontalpodautoscalers"] },
  },
};

async function updateConfigMap({ quietly, note, namespace }: RowContext): Promise<void> {
  const path = pathOf("configmaps", namespace);
  const body = labeled("updates");
  await quietly({ method: "POST", path, body });
  const answer = await quietly({
    method: "PATCH",
    path: `${path}/updates`,
    contentType: "application/merge-patch+json",
    body: { data: { c: "3" } },
  });
  note("an update", outcomeOf(answer, ["metadata.labels", "data", "metadata.managedFields"]));
}

async function createAutoscaler({ quietly, note, namespace }: RowContext): Promise<void> {
  const answer = await quietly({
    method: "POST",
    path: `/apis/autoscaling/v1/namespaces/${namespace}/horizontalpodautoscalers?dryRun=All`,
    body: {
      apiVersion: "autoscaling/v1",
      kind: "HorizontalPodAutoscaler",
      metadata: { name: "h", labels: { case: "autoscaler" } },
      spec: {
        minReplicas: 2,
        maxReplicas: 5,
        scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "d" },
      },
    },
  });
  note("another version", outcomeOf(answer, ["apiVersion", "spec", "metadata.annotations"]));
}

const GIZMOS: Readonly<Record<string, string>> = {
  "apply-scalar": "Object{spec: Object.spec{title: 'new'}}",
  "apply-part-with-defaults": "Object{spec: Object.spec{nested: Object.spec.nested{note: 'n'}}}",
  "apply-item": "Object{spec: Object.spec{items: [Object.spec.items{name: 'b'}]}}",
  "apply-set": "Object{spec: Object.spec{tags: ['t']}}",
  "apply-atomic": "Object{spec: Object.spec{plain: ['t']}}",
  "apply-unknown": "Object{spec: Object.spec{nope: 1}}",
  "apply-free": "Object{spec: Object.spec{free: Object.spec.free{a: Object.spec.free.a{b: 1}}}}",
  "apply-wrong-type": "Object{spec: Object.spec{count: 'x'}}",
  "apply-invalid": "Object{spec: Object.spec{count: 99}}",
  "apply-label": "Object{metadata: Object.metadata{labels: Object.metadata.labels{a: 'b'}}}",
  "apply-port": "Object{spec: Object.spec{port: 'http'}}",
};

const GIZMO_PATCHES: Readonly<Record<string, string>> = {
  "patch-scalar": "[JSONPatch{op: 'add', path: '/spec/title', value: 'new'}]",
  "patch-part-with-defaults": "[JSONPatch{op: 'add', path: '/spec/nested', value: {'note': 'n'}}]",
  "patch-unknown": "[JSONPatch{op: 'add', path: '/spec/nope', value: 1}]",
  "patch-wrong-type": "[JSONPatch{op: 'add', path: '/spec/count', value: 'x'}]",
  "patch-removes": "[JSONPatch{op: 'remove', path: '/spec/level'}]",
};

const GIZMO_SPEC: Json = {
  type: "object",
  properties: {
    title: { type: "string" },
    count: { type: "integer", maximum: 10 },
    level: { type: "string", default: "low" },
    port: { "x-kubernetes-int-or-string": true },
    nested: { type: "object", properties: { depth: { type: "integer", default: 3 }, note: { type: "string" } } },
    items: {
      type: "array",
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["name"],
      items: {
        type: "object",
        required: ["name"],
        properties: { name: { type: "string" }, weight: { type: "integer", default: 5 } },
      },
    },
    tags: { type: "array", "x-kubernetes-list-type": "set", items: { type: "string" } },
    plain: { type: "array", items: { type: "string" } },
    free: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
  },
};

async function defineGizmos({ quietly, eventually }: RowContext): Promise<void> {
  const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  await quietly({
    method: "POST",
    path: definitions,
    body: crd({ group: "conformance.example.com", kind: "Gizmo", schema: { spec: GIZMO_SPEC } }),
  });
  await eventually({ path: "/apis/conformance.example.com/v1/gizmos" }, ({ status }) => status === 200);
  // The admission plugin reads the documents now and then.
  await eventually({ path: "/openapi/v3/apis/conformance.example.com/v1" }, ({ status }) => status === 200);
}

async function createGizmo({ eventually, note, namespace }: RowContext, name: string): Promise<void> {
  const answer = await eventually(
    {
      method: "POST",
      path: `/apis/conformance.example.com/v1/namespaces/${namespace}/gizmos`,
      body: {
        apiVersion: "conformance.example.com/v1",
        kind: "Gizmo",
        metadata: { name, labels: { case: name } },
        spec: { title: "old", items: [{ name: "a" }], tags: ["s"] },
      },
    },
    ({ status }) => status !== 503 && status !== 404,
  );
  note(name, outcomeOf(answer, ["metadata.labels", "spec"]));
}
