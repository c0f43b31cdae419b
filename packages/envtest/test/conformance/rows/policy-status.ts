import { GROUP } from "../kinds.ts";
import { objectOf, type Json, type Row } from "../row.ts";
import { ADMISSION, type PolicyCase, policyOf } from "./policy-installation.ts";

export const POLICY_STATUS_ROWS: readonly Row[] = [
  {
    row: 273,
    title: "the types of the expressions of a policy are checked, and its status has the warnings",
    needs: ["controllers"],
    run: async (context) => {
      const { namespace, quietly, eventually, cleanUp, note } = context;
      const path = `${ADMISSION}/validatingadmissionpolicies`;
      for (const one of CASES) {
        const name = `${namespace}-${one.name}`;
        cleanUp(async () => quietly({ method: "DELETE", path: `${path}/${name}` }));
        await quietly({ method: "POST", path, body: policyOf(context, one) });
      }
      const statusOf = async (name: string, generation: number): Promise<unknown> => {
        const answer = await eventually({ path: `${path}/${namespace}-${name}` }, (each) => {
          return objectOf(each).status?.["observedGeneration"] === generation;
        });
        return objectOf(answer).status;
      };
      for (const { name } of CASES) note(name, await statusOf(name, 1));
      await quietly({
        method: "PATCH",
        path: `${path}/${namespace}-wrong`,
        body: { spec: { validations: [{ expression: "object.spec.replicas > 1" }] } },
        contentType: "application/merge-patch+json",
      });
      note("a corrected expression", await statusOf("wrong", 2));
    },
  },
];

const DEPLOYMENTS = { apiGroups: ["apps"], resources: ["deployments"], resourceNames: [] };

function expressions(...texts: readonly string[]): Json {
  return { validations: texts.map((expression) => ({ expression })) };
}

const CASES: readonly PolicyCase[] = [
  { name: "right", rule: DEPLOYMENTS, policy: expressions("object.spec.replicas > 1") },
  {
    name: "wrong",
    rule: DEPLOYMENTS,
    policy: {
      validations: [
        { expression: "object.spec.replicas == 'x'", messageExpression: "string(object.spec.replicas + 'x')" },
        { expression: "object.spec.missing > 1", messageExpression: "string(object.metadata.name)" },
        {
          expression:
            "has(object.spec.strategy.rollingUpdate.maxSurge) && object.spec.strategy.rollingUpdate.maxSurge == 1",
        },
        { expression: "object.spec.template.spec.containers.all(c, c.image.size() > 0 && c.unknown)" },
        { expression: "object.metadata.creationTimestamp > timestamp('2020-01-01T00:00:00Z')" },
        { expression: "object.metadata.creationTimestamp == '2020'" },
        { expression: "object.metadata.labels['a'] == 1" },
        { expression: "object.spec.template.spec.containers[0].resources.limits['cpu'] == '1'" },
        { expression: "oldObject.spec.gone == 1" },
      ],
    },
  },
  {
    name: "several",
    rule: { apiGroups: ["apps", ""], resources: ["deployments", "pods", "pods/status", "nothing"], resourceNames: [] },
    policy: expressions("object.spec.replicas > 1", "object.metadata.name == 'a'"),
  },
  { name: "stars", rule: { apiGroups: ["*"], resources: ["*"] }, policy: expressions("object.a.b == 1") },
  { name: "unknown", rule: { apiGroups: ["none"], resources: ["nones"] }, policy: expressions("object.a.b == 1") },
  {
    name: "custom",
    rule: { apiGroups: [GROUP], resources: ["widgets", "gadgets"], resourceNames: [] },
    policy: expressions(
      "object.spec.size > 1",
      "object.spec.mode == 'Fast' && object.spec.colors.all(c, c == 1)",
      "object.spec.free.other == 1",
      "object.spec.port == 1 && object.spec.port == 'a'",
      "object.metadata.annotations.size() == 0",
    ),
  },
  {
    name: "params",
    rule: DEPLOYMENTS,
    policy: {
      paramKind: { apiVersion: `${GROUP}/v1`, kind: "Widget" },
      ...expressions("object.spec.replicas < params.spec.size", "params.spec.mode == 1", "params.spec.none == 1"),
    },
  },
  {
    name: "built-in-params",
    rule: DEPLOYMENTS,
    policy: {
      paramKind: { apiVersion: "v1", kind: "ConfigMap" },
      ...expressions("params.data.a == 'x'", "params.data.a == 1", "params.spec == 1"),
    },
  },
  {
    name: "unknown-params",
    rule: DEPLOYMENTS,
    policy: { paramKind: { apiVersion: "none.example.com/v1", kind: "None" }, ...expressions("params.a == 1") },
  },
  {
    name: "variables",
    rule: DEPLOYMENTS,
    policy: {
      variables: [
        { name: "replicas", expression: "object.spec.replicas" },
        { name: "spec", expression: "object.spec" },
        { name: "bad", expression: "object.spec.nothing" },
      ],
      ...expressions("variables.replicas == 'a'", "variables.spec.nothing == 1", "variables.bad == 1"),
    },
  },
  {
    name: "request",
    rule: DEPLOYMENTS,
    policy: expressions(
      "authorizer.requestResource.check('get').allowed()",
      "authorizer.group('').resource('pods').check('get').allowed()",
      "request.name == 'a' && namespaceObject.metadata.name == 'b'",
    ),
  },
];
