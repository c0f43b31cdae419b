import type { FlagRow } from "../flag-row.ts";
import { pathOf } from "../kinds.ts";
import type { Json, RowContext } from "../row.ts";
import { selectedRelease } from "../selected-release.ts";
import {
  applied,
  installMutations,
  labeled,
  MUTATING_BINDINGS,
  MUTATING_POLICIES,
  mutatingBindingOf,
  type MutationCase,
  mutatingPolicyOf,
} from "./mutating-policy-installation.ts";
import { openApiFacts } from "./mutating-policy-objects.ts";

const GROUP = "/apis/admissionregistration.k8s.io";
const ALPHA = `${GROUP}/v1alpha1`;
const POLICIES = `${ALPHA}/mutatingadmissionpolicies`;
const BINDINGS = `${ALPHA}/mutatingadmissionpolicybindings`;
const MERGE = "application/merge-patch+json";
const APPLY = "application/apply-patch+yaml";
const ALPHA_ALONE = "--runtime-config=admissionregistration.k8s.io/v1alpha1=true";
const BOTH_VERSIONS = [
  "--feature-gates=MutatingAdmissionPolicy=true",
  `${ALPHA_ALONE},admissionregistration.k8s.io/v1beta1=true`,
];

/** Rows about `v1alpha1` of MutatingAdmissionPolicies. */
export const MUTATING_POLICY_VERSION_ROWS: readonly FlagRow[] = [
  {
    row: 533,
    title:
      "a server with v1alpha1 alone has MutatingAdmissionPolicies, which are stored, and have an effect since 1.36 alone",
    flags: async () => await Promise.resolve([ALPHA_ALONE]),
    run: async (context) => {
      const { send, note, quietly, eventually, namespace } = context;
      await send("the group", { path: GROUP });
      await send("the version", { path: ALPHA });
      await send("the beta version", { path: MUTATING_POLICIES });
      await send("the APIService", {
        path: "/apis/apiregistration.k8s.io/v1/apiservices/v1alpha1.admissionregistration.k8s.io",
      });
      note("the document", openApiFacts(await quietly({ path: `/openapi/v3${ALPHA}` })));
      await send("a policy", { method: "POST", path: POLICIES, body: inAlpha(mutatingPolicyOf(CASE)) });
      await send("a policy of the beta version", { method: "POST", path: POLICIES, body: mutatingPolicyOf(CASE) });
      await send("a binding", { method: "POST", path: BINDINGS, body: inAlpha(mutatingBindingOf(CASE)) });
      await send("all policies", { path: POLICIES });
      await send("a status", { path: `${POLICIES}/p/status` });
      const path = `${pathOf("configmaps", namespace)}?dryRun=All`;
      const object = { method: "POST", path, body: labeled("p") } as const;
      // Policies have their effect after some seconds.
      if (selectedRelease().since("1.36")) await eventually(object, ({ body }) => (body as Json)["data"] !== undefined);
      await send("an object", object);
    },
  },
  {
    row: 534,
    title: "MutatingAdmissionPolicies of v1alpha1 and v1beta1 are the same objects",
    flags: async () => await Promise.resolve(BOTH_VERSIONS),
    run: async (context) => {
      const { send, note, quietly } = context;
      await send("the group", { path: GROUP });
      await send("the version", { path: ALPHA });
      note("hashes of autoscalers", [
        await hashOf(context, "/apis/autoscaling/v1"),
        await hashOf(context, "/apis/autoscaling/v2"),
      ]);
      await send("a policy", { method: "POST", path: POLICIES, body: inAlpha(mutatingPolicyOf(CASE)) });
      await send("the policy in the beta version", { path: `${MUTATING_POLICIES}/p` });
      await send("an update in the beta version", {
        method: "PATCH",
        path: `${MUTATING_POLICIES}/p?fieldManager=beta`,
        body: { spec: { failurePolicy: "Ignore" } },
        contentType: MERGE,
      });
      await send("an apply in the alpha version", {
        method: "PATCH",
        path: `${POLICIES}/p?fieldManager=alpha`,
        body: {
          apiVersion: "admissionregistration.k8s.io/v1alpha1",
          kind: "MutatingAdmissionPolicy",
          metadata: { name: "p", labels: { a: "b" } },
          spec: { failurePolicy: "Fail" },
        },
        contentType: APPLY,
      });
      await send("an update without a version", {
        method: "PUT",
        path: `${POLICIES}/p`,
        body: inAlpha(mutatingPolicyOf(CASE)),
      });
      await bindings(context);
      const { body } = await quietly({ path: `${MUTATING_BINDINGS}?limit=500` });
      note(
        "the bindings",
        (body as { items: readonly { metadata: Json }[] }).items.map(({ metadata }) => metadata["name"]),
      );
      await send("a deletion", { method: "DELETE", path: `${POLICIES}/p` });
      await send("the deleted policy in the beta version", { path: `${MUTATING_POLICIES}/p` });
    },
  },
  {
    row: 535,
    title: "policies of v1alpha1 are checked like those of v1beta1, and mutate objects",
    flags: async () => await Promise.resolve(BOTH_VERSIONS),
    run: async (context) => {
      const { send, eventually, namespace } = context;
      for (const [step, policy] of Object.entries(INVALID)) {
        const body = inAlpha(mutatingPolicyOf({ name: "p", policy: { ...CASE.policy, ...policy } }));
        await send(step, { method: "POST", path: `${POLICIES}?dryRun=All`, body });
      }
      await send("a policy", { method: "POST", path: POLICIES, body: inAlpha(mutatingPolicyOf(CASE)) });
      await send("a binding", { method: "POST", path: BINDINGS, body: inAlpha(mutatingBindingOf(CASE)) });
      await installMutations(context, []);
      const objects = `${pathOf("configmaps", namespace)}?dryRun=All`;
      await eventually(
        { method: "POST", path: objects, body: labeled("p") },
        ({ body }) => (body as { data?: Json }).data?.["a"] === "b",
      );
      await send("an object", { method: "POST", path: objects, body: labeled("p") });
    },
  },
];

const CASE: MutationCase = { name: "p", policy: { mutations: [applied('Object{data: Object.data{a: "b"}}')] } };

function inAlpha(object: Json): Json {
  return { ...object, apiVersion: "admissionregistration.k8s.io/v1alpha1" };
}

async function hashOf({ quietly }: RowContext, path: string): Promise<unknown> {
  const { body } = await quietly({ path });
  return (body as { resources: readonly Json[] }).resources[0]?.["storageVersionHash"];
}

// Only this version has a default for parameters that do not exist.
async function bindings({ send }: RowContext): Promise<void> {
  for (const [name, paramRef] of Object.entries(PARAM_REFERENCES)) {
    const body = mutatingBindingOf({ ...CASE, name, binding: { policyName: "p", paramRef } });
    await send(`the binding ${name}`, { method: "POST", path: BINDINGS, body: inAlpha(body) });
    await send(`the binding ${name} in the beta version`, {
      method: "POST",
      path: `${MUTATING_BINDINGS}?dryRun=All`,
      body: { ...body, metadata: { name: `${name}-beta` } },
    });
  }
}

const PARAM_REFERENCES: Readonly<Record<string, Json>> = {
  named: { name: "a" },
  selected: { selector: {}, parameterNotFoundAction: "Allow" },
  unknown: { name: "a", parameterNotFoundAction: "Maybe" },
  empty: {},
};

const INVALID: Readonly<Record<string, Json>> = {
  nothing: { matchConstraints: undefined, mutations: undefined, reinvocationPolicy: undefined },
  "unknown choices": { failurePolicy: "a", reinvocationPolicy: "b" },
  "a number in place of a text": { failurePolicy: 1 },
  "an unknown type": { mutations: [{ patchType: "Merge" }] },
  "an apply configuration of another type": { mutations: [applied("[JSONPatch{}]")] },
  "bad conditions": { matchConditions: [{ name: "a", expression: "variables.a" }] },
};
