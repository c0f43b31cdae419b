import { configMap, pathOf } from "../kinds.ts";
import type { Json, RowContext } from "../row.ts";

/** The path of the API group of policies. */
export const ADMISSION = "/apis/admissionregistration.k8s.io/v1";
const POLICIES = `${ADMISSION}/validatingadmissionpolicies`;
const BINDINGS = `${ADMISSION}/validatingadmissionpolicybindings`;

/** A policy and its binding, which concern the objects of one name. */
export interface PolicyCase {
  /** The name of the objects that the policy concerns, and of the policy with its row. */
  readonly name: string;
  /** More fields of the policy's spec. */
  readonly policy: Json;
  /** More fields of the spec of its match constraints. */
  readonly constraints?: Json;
  /** More fields of the rule, such as the resources; absent for ConfigMaps. */
  readonly rule?: Json;
  /** More fields of the binding's spec. */
  readonly binding?: Json;
}

/** Returns the name that the policy of a case has. */
function policyName({ namespace }: Pick<RowContext, "namespace">, name: string): string {
  return `${namespace}-${name}`;
}

/** Returns the policy of a case, which concerns only objects in the namespace of the row. */
export function policyOf(context: Pick<RowContext, "namespace">, one: PolicyCase): Json {
  const { name, policy, constraints = {}, rule = {} } = one;
  return {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingAdmissionPolicy",
    metadata: { name: policyName(context, name) },
    spec: {
      matchConstraints: {
        namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": context.namespace } },
        resourceRules: [
          {
            apiGroups: [""],
            apiVersions: ["v1"],
            operations: ["*"],
            resources: ["configmaps"],
            resourceNames: [name],
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
export function bindingOf(context: Pick<RowContext, "namespace">, { name, binding = {} }: PolicyCase): Json {
  return {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingAdmissionPolicyBinding",
    metadata: { name: policyName(context, name) },
    spec: { policyName: policyName(context, name), validationActions: ["Deny"], ...binding },
  };
}

const MARKER: PolicyCase = {
  name: "marker",
  policy: { validations: [{ expression: "false", message: "the policies are active" }] },
};

/** Creates policies with their bindings, and waits until the server enforces them. */
export async function installPolicies(context: RowContext, cases: readonly PolicyCase[]): Promise<void> {
  const { quietly, cleanUp, eventually, namespace } = context;
  const all = [...cases, MARKER];
  cleanUp(async () => {
    for (const { name } of all) {
      await quietly({ method: "DELETE", path: `${BINDINGS}/${policyName(context, name)}` });
      await quietly({ method: "DELETE", path: `${POLICIES}/${policyName(context, name)}` });
    }
  });
  for (const one of all) {
    const answer = await quietly({ method: "POST", path: POLICIES, body: policyOf(context, one) });
    if (answer.status !== 201) throw new TypeError(JSON.stringify(answer.body));
  }
  for (const one of all) {
    const answer = await quietly({ method: "POST", path: BINDINGS, body: bindingOf(context, one) });
    if (answer.status !== 201) throw new TypeError(JSON.stringify(answer.body));
  }
  await eventually(
    { method: "POST", path: `${pathOf("configmaps", namespace)}?dryRun=All`, body: configMap("marker") },
    ({ status }) => status === 422,
  );
}
