import type { FlagRow } from "../flag-row.ts";
import { pathOf } from "../kinds.ts";
import type { Answer, Json, RowContext } from "../row.ts";
import { selectedRelease } from "../selected-release.ts";
import {
  applied,
  labeled,
  MUTATING,
  MUTATING_BINDINGS,
  MUTATING_POLICIES,
  MUTATING_POLICY_FLAGS,
  mutatingBindingOf,
  mutatingPolicyOf,
  patched,
} from "./mutating-policy-installation.ts";

const GROUP = "/apis/admissionregistration.k8s.io";
const MERGE = "application/merge-patch+json";
const TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io";
const MUTATIONS = [applied('Object{data: Object.data{a: "b"}}')];

export const MUTATING_POLICY_OBJECT_ROWS: readonly FlagRow[] = [
  {
    row: 460,
    title: "a server with the default feature gates has no MutatingAdmissionPolicies",
    flags: async () => await Promise.resolve([]),
    run: async ({ send, note, quietly }) => {
      await send("the group", { path: GROUP });
      await send("the version", { path: MUTATING });
      await send("a list", { path: MUTATING_POLICIES });
      await send("one", { path: `${MUTATING_POLICIES}/a` });
      await send("a create", { method: "POST", path: MUTATING_POLICIES, body: mutatingPolicyOf(caseOf({})) });
      await send("a list of the stable version", { path: `${GROUP}/v1/mutatingadmissionpolicies` });
      note("the document", (await quietly({ path: `/openapi/v3${MUTATING}` })).status);
    },
  },
  {
    row: 461,
    title: "policies of a server without the flag of the feature gate are stored, and have an effect since 1.36 alone",
    flags: async () => await Promise.resolve(["--runtime-config=admissionregistration.k8s.io/v1beta1=true"]),
    run: async ({ send, eventually, namespace }) => {
      await send("a policy", { method: "POST", path: MUTATING_POLICIES, body: mutatingPolicyOf(caseOf({})) });
      await send("a binding", { method: "POST", path: MUTATING_BINDINGS, body: mutatingBindingOf(caseOf({})) });
      const path = `${pathOf("configmaps", namespace)}?dryRun=All`;
      const object = { method: "POST", path, body: labeled("p") } as const;
      // Policies have their effect after some seconds.
      if (selectedRelease().since("1.36")) await eventually(object, ({ body }) => (body as Json)["data"] !== undefined);
      await send("an object", object);
    },
  },
  {
    row: 462,
    title: "MutatingAdmissionPolicies are in discovery, documents, and tables",
    flags: async () => await Promise.resolve(MUTATING_POLICY_FLAGS),
    run: async (context) => {
      const { send, note, quietly } = context;
      await send("the group", { path: GROUP });
      await send("the version", { path: MUTATING });
      await send("the APIService", {
        path: "/apis/apiregistration.k8s.io/v1/apiservices/v1beta1.admissionregistration.k8s.io",
      });
      note("the document", openApiFacts(await quietly({ path: `/openapi/v3${MUTATING}` })));
      await quietly({ method: "POST", path: MUTATING_POLICIES, body: mutatingPolicyOf(caseOf({})) });
      const withParams = { ...caseOf({ paramKind: { apiVersion: "apps/v1", kind: "Deployment" } }), name: "q" };
      await quietly({ method: "POST", path: MUTATING_POLICIES, body: mutatingPolicyOf(withParams) });
      for (const [name, paramRef] of Object.entries(PARAM_REFERENCES)) {
        const binding = paramRef === undefined ? {} : { paramRef };
        await quietly({
          method: "POST",
          path: MUTATING_BINDINGS,
          body: mutatingBindingOf({ ...caseOf({}), name, binding }),
        });
      }
      for (const path of [MUTATING_POLICIES, MUTATING_BINDINGS]) {
        const { body } = await quietly({ path, headers: { accept: TABLE } });
        note(`the table of ${path}`, tableFacts(body as Json));
      }
      await send("a list", { path: MUTATING_POLICIES });
      await send("a status", { path: `${MUTATING_POLICIES}/p/status` });
      await send("a deletion", { method: "DELETE", path: `${MUTATING_POLICIES}/p` });
    },
  },
  {
    row: 463,
    title: "mutating policies are defaulted and checked when they are written",
    flags: async () => await Promise.resolve(MUTATING_POLICY_FLAGS),
    run: async ({ send }) => {
      for (const [step, { rule, ...policy }] of Object.entries(INVALID_POLICIES)) {
        const body = mutatingPolicyOf({ ...caseOf(policy), ...(rule === undefined ? {} : { rule: rule as Json }) });
        await send(step, { method: "POST", path: `${MUTATING_POLICIES}?dryRun=All`, body });
      }
      for (const [step, mutation] of Object.entries(INVALID_MUTATIONS)) {
        const body = mutatingPolicyOf(caseOf({ mutations: [mutation] }));
        await send(step, { method: "POST", path: `${MUTATING_POLICIES}?dryRun=All`, body });
      }
      await send("defaults", { method: "POST", path: MUTATING_POLICIES, body: mutatingPolicyOf(caseOf({})) });
      await send("an invalid update", {
        method: "PATCH",
        path: `${MUTATING_POLICIES}/p`,
        body: { spec: { mutations: [applied("1")] } },
        contentType: MERGE,
      });
      await send("an update", {
        method: "PATCH",
        path: `${MUTATING_POLICIES}/p`,
        body: { spec: { reinvocationPolicy: "IfNeeded" } },
        contentType: MERGE,
      });
      await send("an apply", {
        method: "PATCH",
        path: `${MUTATING_POLICIES}/p?fieldManager=m&force=true`,
        body: { ...mutatingPolicyOf(caseOf({ failurePolicy: "Ignore" })) },
        contentType: "application/apply-patch+yaml",
      });
      await send("an update without a version", {
        method: "PUT",
        path: `${MUTATING_POLICIES}/p`,
        body: mutatingPolicyOf(caseOf({})),
      });
    },
  },
  {
    row: 464,
    title: "bindings of mutating policies are checked, as are the rights of whoever writes them",
    flags: async () => await Promise.resolve(MUTATING_POLICY_FLAGS),
    run: async (context) => {
      const { send } = context;
      for (const [step, binding] of Object.entries(INVALID_BINDINGS)) {
        const body = mutatingBindingOf({ ...caseOf({}), binding });
        await send(step, { method: "POST", path: `${MUTATING_BINDINGS}?dryRun=All`, body });
      }
      await checkRights(context);
    },
  },
];

function caseOf(policy: Json): { readonly name: string; readonly policy: Json } {
  return { name: "p", policy: { mutations: MUTATIONS, ...policy } };
}

const PARAM_REFERENCES: Readonly<Record<string, Json | undefined>> = {
  p: undefined,
  q: { name: "a", parameterNotFoundAction: "Deny" },
  r: { name: "a", namespace: "b", parameterNotFoundAction: "Deny" },
  s: { selector: { matchLabels: { a: "b", c: "d" } }, parameterNotFoundAction: "Allow" },
  t: {
    selector: { matchExpressions: [{ key: "a", operator: "In", values: ["b", "c"] }] },
    parameterNotFoundAction: "Allow",
  },
};

const INVALID_POLICIES: Readonly<Record<string, Json>> = {
  nothing: { matchConstraints: undefined, mutations: undefined, reinvocationPolicy: undefined },
  "no mutations": { mutations: [] },
  "no rules": { matchConstraints: { resourceRules: [] } },
  "unknown choices": { failurePolicy: "a", reinvocationPolicy: "b" },
  "an operation without an object": { rule: { operations: ["DELETE", "CREATE"] } },
  "all operations": { rule: { operations: ["*"] } },
  "a connection": { rule: { operations: ["CONNECT"] } },
  "a bad rule": { rule: { apiGroups: [], resources: [""], scope: "a" } },
  "bad parameters": { paramKind: { apiVersion: "a/b/c", kind: "" } },
  "bad conditions": {
    matchConditions: [
      { name: "", expression: "1" },
      { name: "a", expression: "variables.a" },
    ],
  },
  "bad variables": {
    variables: [
      { name: "a b", expression: "1" },
      { name: "b", expression: "Object{}" },
      { name: "", expression: "" },
    ],
  },
  variables: {
    variables: [{ name: "a", expression: "'b'" }],
    mutations: [
      applied("Object{data: Object.data{a: variables.a}}"),
      applied("Object{data: Object.data{a: variables.c}}"),
    ],
  },
  "parameters that are not declared": { mutations: [applied("Object{data: params.data}")] },
};

const INVALID_MUTATIONS: Readonly<Record<string, Json>> = {
  "no type": { applyConfiguration: { expression: "Object{}" } },
  "an unknown type": { patchType: "Merge" },
  "no apply configuration": { patchType: "ApplyConfiguration" },
  "no JSON patch": { patchType: "JSONPatch" },
  "both for an apply configuration": { ...applied("Object{}"), jsonPatch: { expression: "[]" } },
  "both for a JSON patch": { ...patched("[JSONPatch{}]"), applyConfiguration: { expression: "Object{}" } },
  "an empty apply configuration": applied(" "),
  "an empty JSON patch": patched(""),
  "an apply configuration of another type": applied("[JSONPatch{}]"),
  "an apply configuration of a part": applied("Object.spec{}"),
  "an apply configuration that is a map": applied("{'a': 'b'}"),
  "an apply configuration of any type": applied("object"),
  "a JSON patch of another type": patched("Object{}"),
  "a JSON patch that is one operation": patched('JSONPatch{op: "add"}'),
  "an empty list": patched("[]"),
  "a choice between lists": patched('true ? [JSONPatch{op: "add"}] : []'),
  "an unknown field of an operation": patched('[JSONPatch{op: "add", nope: 1}]'),
  "a field of another type": patched("[JSONPatch{op: 1, path: 2.5, from: true, value: 1}]"),
  "an unknown message": applied("Foo{a: 1}"),
  "an unknown message as a value": applied("Object{a: Foo.bar{}}"),
  "a message of a variable": applied("object{a: 1}"),
  "a message of a scalar": applied("int{}"),
  "a field that is no name": applied('Object{"a": 1}'),
  "an optional field of another type": applied("Object{?a: 1}"),
  "a mistake in a field": applied("Object{a: nope, b: 1 + 'a'}"),
  "a field of a message": applied("Object{a: Object{b: 1}.b}"),
  "fields with names of the language": applied("Object{namespace: 1, for: 2, package: 3}"),
  "a comma at the end": applied("Object{a: 1,}"),
  "space and comments": applied("Object { // first\n a : 1 , b: Object.b { } }"),
  "a name with a dot before it": applied(".Object{a: 1}"),
  "a type as a value": applied("Object{a: Object}"),
  "a type of a part as a value": applied("Object{a: Object.spec}"),
  "a message in a function": applied("Object{a: size(Object{})}"),
  "a message in a macro": applied("Object{a: [1].map(x, Object.a{b: x})}"),
  "an escaped key": patched('[JSONPatch{op: "add", path: jsonpatch.escapeKey("a/b")}]'),
  "an escaped key of another type": patched('[JSONPatch{op: "add", path: jsonpatch.escapeKey(1)}]'),
  "a selected operation": patched('[JSONPatch{op: JSONPatch{op: "add"}.op, path: "/a"}]'),
};

const INVALID_BINDINGS: Readonly<Record<string, Json>> = {
  valid: {},
  "no policy": { policyName: "" },
  "a bad policy": { policyName: "A b" },
  "a name and a selector": { paramRef: { name: "a", selector: {}, parameterNotFoundAction: "Allow" } },
  "no parameters": { paramRef: {} },
  "an unknown action": { paramRef: { name: "a/b", parameterNotFoundAction: "Maybe" } },
  "an operation without an object": {
    matchResources: {
      resourceRules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["DELETE"], resources: ["pods"] }],
    },
  },
  "a bad rule": { matchResources: { matchPolicy: "a", resourceRules: [{ apiGroups: [] }] } },
  "actions of validating policies": { validationActions: ["Deny"] },
};

async function checkRights({ send, quietly, eventually, namespace }: RowContext): Promise<void> {
  const headers = { "impersonate-user": "policy-writer" };
  const rbac = "/apis/rbac.authorization.k8s.io/v1";
  await quietly({
    method: "POST",
    path: `${rbac}/clusterroles`,
    body: {
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "ClusterRole",
      metadata: { name: "policy-writer" },
      rules: [{ apiGroups: ["admissionregistration.k8s.io"], resources: ["*"], verbs: ["*"] }],
    },
  });
  await quietly({
    method: "POST",
    path: `${rbac}/clusterrolebindings`,
    body: {
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "ClusterRoleBinding",
      metadata: { name: "policy-writer" },
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "policy-writer" },
      subjects: [{ apiGroup: "rbac.authorization.k8s.io", kind: "User", name: "policy-writer" }],
    },
  });
  const dryRun = `${MUTATING_POLICIES}?dryRun=All`;
  const body = mutatingPolicyOf({ ...caseOf({}), name: "own" });
  await eventually({ method: "POST", path: dryRun, body, headers }, ({ status }) => status === 201);
  const withParams = mutatingPolicyOf({ ...caseOf({ paramKind: { apiVersion: "v1", kind: "Secret" } }), name: "own" });
  await send("a policy with parameters", { method: "POST", path: dryRun, body: withParams, headers });
  const unserved = { apiVersion: "no.example.com/v1", kind: "None" };
  await send("a policy with parameters that are not served", {
    method: "POST",
    path: dryRun,
    body: mutatingPolicyOf({ ...caseOf({ paramKind: unserved }), name: "own" }),
    headers,
  });
  await quietly({ method: "POST", path: MUTATING_POLICIES, body: withParams });
  const references: Readonly<Record<string, Json>> = {
    "a binding by name": { paramRef: { name: "a", namespace, parameterNotFoundAction: "Deny" } },
    "a binding by selector": { paramRef: { selector: {}, parameterNotFoundAction: "Deny" } },
    "a binding of an unknown policy": {
      policyName: "none",
      paramRef: { name: "a", parameterNotFoundAction: "Deny" },
    },
    "a binding without parameters": {},
  };
  for (const [step, binding] of Object.entries(references)) {
    const own = mutatingBindingOf({ ...caseOf({}), name: "own", binding });
    await send(step, { method: "POST", path: `${MUTATING_BINDINGS}?dryRun=All`, body: own, headers });
  }
}

interface OpenApiDocument {
  readonly paths: Readonly<Record<string, object>>;
  readonly components: { readonly schemas: Readonly<Record<string, unknown>> };
}

/** Returns the paths and schemas of an OpenAPI document, without the descriptions. */
export function openApiFacts({ body }: Answer): Json {
  const { paths, components } = body as OpenApiDocument;
  const own = Object.entries(components.schemas).filter(([name]) => name.includes("admissionregistration"));
  return {
    paths: Object.entries(paths)
      .toSorted(([left], [right]) => (left < right ? -1 : 1))
      .map(([path, methods]) => [path, Object.keys(methods).toSorted()]),
    schemas: Object.keys(components.schemas).toSorted(),
    own: withoutDescriptions(Object.fromEntries(own)),
  };
}

function withoutDescriptions(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutDescriptions(item));
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).filter(([key, member]) => key !== "description" || typeof member !== "string");
  return Object.fromEntries(
    members
      .toSorted(([left], [right]) => (left < right ? -1 : 1))
      .map(([key, member]) => [key, withoutDescriptions(member)]),
  );
}

function tableFacts(table: Json): Json {
  const columns = table["columnDefinitions"] as readonly Json[];
  const rows = table["rows"] as readonly { readonly cells: readonly unknown[] }[];
  return {
    columns: columns.map(({ name, type, format, priority }) => ({ name, type, format, priority })),
    // The last one is the age.
    rows: rows.map(({ cells }) => cells.slice(0, -1)),
  };
}
