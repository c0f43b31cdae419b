import { createEmbeddedCluster } from "@kubescaffold/cluster";
import { describe, expect, it } from "vitest";

import { bindingOf, RBAC, requestsOf, roleOf } from "../support/cluster-requests.ts";

describe("a review of one's own rules", () => {
  it("lists resources and paths apart, and needs a namespace", async () => {
    const cluster = createEmbeddedCluster();
    const admin = requestsOf(cluster.config);
    const rule = { apiGroups: [""], resources: ["pods"], resourceNames: ["p"], verbs: ["get"] };
    await admin.post(`${RBAC}/namespaces/default/roles`, roleOf("Role", "reader", [rule]));
    const binding = bindingOf("RoleBinding", "reader", { kind: "Role", name: "reader", users: ["jane"] });
    await admin.post(`${RBAC}/namespaces/default/rolebindings`, binding);
    const jane = requestsOf(cluster.addUser({ name: "jane" }));
    const ask = async (spec: object): ReturnType<typeof jane.post> =>
      jane.post("/apis/authorization.k8s.io/v1/selfsubjectrulesreviews", {
        apiVersion: "authorization.k8s.io/v1",
        kind: "SelfSubjectRulesReview",
        spec,
      });
    const { status, spec } = (await ask({ namespace: "default" })).body as {
      readonly spec: object;
      readonly status: { readonly resourceRules: readonly object[]; readonly nonResourceRules: readonly object[] };
    };
    expect(spec).toEqual({});
    expect(status).toMatchObject({ incomplete: false });
    expect(status.resourceRules).toContainEqual(rule);
    expect(status.nonResourceRules).toContainEqual({
      verbs: ["get"],
      nonResourceURLs: ["/healthz", "/livez", "/readyz", "/version", "/version/"],
    });
    const elsewhere = (await ask({ namespace: "kube-system" })).body as { readonly status: typeof status };
    expect(elsewhere.status.resourceRules).not.toContainEqual(rule);
    expect(await ask({})).toMatchObject({ status: 400, body: { message: "no namespace on request" } });
    await cluster.close();
  });
});
