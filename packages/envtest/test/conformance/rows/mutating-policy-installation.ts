import { configMap, pathOf } from "../kinds.ts";
import type { Answer, Json, RowContext } from "../row.ts";

/** The flags of a server that has MutatingAdmissionPolicies. */
export const MUTATING_POLICY_FLAGS: readonly string[] = [
  "--feature-gates=MutatingAdmissionPolicy=true",
  "--runtime-config=admissionregistration.k8s.io/v1beta1=true",
];

/** The path of the API group version of mutating policies. */
export const MUTATING: string = "/apis/admissionregistration.k8s.io/v1beta1";
/** The path of mutating policies. */
export const MUTATING_POLICIES: string = `${MUTATING}/mutatingadmissionpolicies`;
/** The path of their bindings. */
export const MUTATING_BINDINGS: string = `${MUTATING}/mutatingadmissionpolicybindings`;

/** A policy and its binding, which concern the objects with the name of the policy as the label `case`. */
export interface MutationCase {
  /** The name of the policy and its binding. */
  readonly name: string;
  /** Mutations, or other fields of the policy's spec. */
  readonly policy: Json;
  /** The group, version, resource, and operations, where these are not creates and updates of ConfigMaps. */
  readonly rule?: Json;
  /** Other match constraints. */
  readonly constraints?: Json;
  /** Fields of the spec of the binding. */
  readonly binding?: Json;
}

/** Returns a mutation by an apply configuration. */
export function applied(expression: string): Json {
  return { patchType: "ApplyConfiguration", applyConfiguration: { expression } };
}

/** Returns a mutation by a JSON patch. */
export function patched(expression: string): Json {
  return { patchType: "JSONPatch", jsonPatch: { expression } };
}

/** Returns the policy of a case. */
export function mutatingPolicyOf({ name, policy, rule = {}, constraints = {} }: MutationCase): Json {
  return {
    apiVersion: "admissionregistration.k8s.io/v1beta1",
    kind: "MutatingAdmissionPolicy",
    metadata: { name },
    spec: {
      reinvocationPolicy: "Never",
      matchConstraints: {
        objectSelector: { matchLabels: { case: name } },
        resourceRules: [
          {
            apiGroups: [""],
            apiVersions: ["v1"],
            operations: ["CREATE", "UPDATE"],
            resources: ["configmaps"],
            ...rule,
          },
        ],
        ...constraints,
      },
      ...policy,
    },
  };
}

/** Returns the binding of a case. */
export function mutatingBindingOf({ name, binding = {} }: MutationCase): Json {
  return {
    apiVersion: "admissionregistration.k8s.io/v1beta1",
    kind: "MutatingAdmissionPolicyBinding",
    metadata: { name },
    spec: { policyName: name, ...binding },
  };
}

const MARKER: MutationCase = {
  name: "marker",
  policy: { mutations: [applied('Object{data: Object.data{active: "yes"}}')] },
};

/** Creates policies with their bindings, and waits until the server uses them. */
export async function installMutations(context: RowContext, cases: readonly MutationCase[]): Promise<void> {
  const { quietly, eventually, namespace } = context;
  const all = [...cases, MARKER];
  for (const one of all) await created(quietly, MUTATING_POLICIES, mutatingPolicyOf(one));
  for (const one of all) await created(quietly, MUTATING_BINDINGS, mutatingBindingOf(one));
  const path = `${pathOf("configmaps", namespace)}?dryRun=All`;
  await eventually({ method: "POST", path, body: labeled("marker") }, ({ body }) => dataOf(body)["active"] === "yes");
}

async function created(quietly: RowContext["quietly"], path: string, body: Json): Promise<void> {
  const answer = await quietly({ method: "POST", path, body });
  if (answer.status !== 201) throw new TypeError(JSON.stringify(answer.body));
}

/** Returns a ConfigMap that a case concerns. */
export function labeled(name: string, data: Json = {}): Json {
  const body = configMap(name, data) as { readonly metadata: Json };
  return { ...body, metadata: { ...body.metadata, labels: { case: name } } };
}

function dataOf(body: unknown): Json {
  return ((body as Json)["data"] ?? {}) as Json;
}

/** Returns what an answer states about a mutation: the fields of an object that vary, or a status without its constant fields. */
export function outcomeOf({ status, body }: Answer, fields: readonly string[]): Json {
  const object = body as Json;
  if (object["kind"] === "Status") {
    const { reason, message, details, code } = object;
    return { status, reason, message, details, code };
  }
  return { status, ...Object.fromEntries(fields.map((field) => [field, fieldAt(object, field.split("."))])) };
}

function fieldAt(value: unknown, [first, ...rest]: readonly string[]): unknown {
  if (first === undefined) return value ?? "absent";
  return fieldAt((value as Json | undefined)?.[first], rest);
}
