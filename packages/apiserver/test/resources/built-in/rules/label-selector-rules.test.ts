import { beforeEach, describe, expect, it } from "vitest";

import { type Body, TestServer } from "../../../support/test-server.ts";

const WRONG = {
  matchLabels: { "a b": "c", d: "," },
  matchExpressions: [
    { key: "a", operator: "In" },
    { key: "-", operator: "Exists", values: ["x"] },
    { key: "a", operator: "Near", values: [","] },
  ],
};

const PATHS = [
  "matchLabels",
  "matchLabels",
  "matchExpressions[0].values",
  "matchExpressions[1].values",
  "matchExpressions[1].key",
  "matchExpressions[2].operator",
  "matchExpressions[2].values[0]",
];

describe("an object whose label selector is wrong is refused, with a cause for each problem", () => {
  let server: TestServer;

  beforeEach(() => {
    server = new TestServer();
  });

  async function causesOf(path: string, object: Body): Promise<readonly string[]> {
    const { code, body } = await server.post(path, object);
    expect(code).toBe(422);
    return (body.details.causes as readonly { readonly field: string }[]).map(({ field }) => field);
  }

  it("Deployment", async () => {
    const causes = await causesOf("/apis/apps/v1/namespaces/default/deployments", {
      metadata: { name: "a" },
      spec: {
        selector: WRONG,
        template: { metadata: { labels: { d: "e" } }, spec: { containers: [{ name: "a", image: "b" }] } },
      },
    });
    expect(causes).toEqual([...PATHS.map((path) => `spec.selector.${path}`), "spec.selector"]);
  });

  it("ClusterRole", async () => {
    const roles = "/apis/rbac.authorization.k8s.io/v1/clusterroles";
    const role = (selectors: readonly unknown[]): Body => ({
      metadata: { name: "a" },
      aggregationRule: { clusterRoleSelectors: selectors },
    });
    const path = "aggregationRule.clusterRoleSelectors";
    expect(await causesOf(roles, role([WRONG]))).toEqual([...PATHS.map((each) => `${path}[0].${each}`), `${path}[0]`]);
    expect(await causesOf(roles, role([]))).toEqual([path]);
  });

  it("ValidatingWebhookConfiguration", async () => {
    const causes = await causesOf("/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations", {
      metadata: { name: "a" },
      webhooks: [
        {
          name: "a.b.c",
          admissionReviewVersions: ["v1"],
          sideEffects: "None",
          clientConfig: { url: "http://[" },
          objectSelector: WRONG,
        },
      ],
    });
    expect(causes).toEqual([
      ...PATHS.map((path) => `webhooks[0].objectSelector.${path}`),
      "webhooks[0].clientConfig.url",
    ]);
  });
});
