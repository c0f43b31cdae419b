import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { createEmbeddedCluster, type EmbeddedCluster } from "../../../src/cluster/embedded-cluster.ts";
import { requestsOf } from "../../cluster/cluster-requests.ts";

const GROUP = "admissionregistration.k8s.io/v1";

let cluster: EmbeddedCluster;

beforeEach(() => {
  cluster = createEmbeddedCluster();
});

afterEach(async () => cluster.close());

describe("a cluster without admission policies", () => {
  it("stores policies, and refuses the bindings by which they would count", async () => {
    const admin = requestsOf(cluster.config);
    const meta = { apiVersion: GROUP, metadata: { name: "p" } };
    const policy = {
      ...meta,
      kind: "ValidatingAdmissionPolicy",
      spec: {
        matchConstraints: {
          resourceRules: [{ operations: ["CREATE"], apiGroups: [""], apiVersions: ["v1"], resources: ["pods"] }],
        },
        validations: [{ expression: "false" }],
      },
    };
    expect(await admin.post(`/apis/${GROUP}/validatingadmissionpolicies`, policy)).toMatchObject({ status: 201 });
    const binding = {
      ...meta,
      kind: "ValidatingAdmissionPolicyBinding",
      spec: { policyName: "p", validationActions: ["Deny"] },
    };
    const refused = await admin.post(`/apis/${GROUP}/validatingadmissionpolicybindings`, binding);
    expect(refused).toMatchObject({ status: 501, body: { reason: "NotImplemented" } });
    expect(refused.body["message"]).toContain("ValidatingAdmissionPolicy");
  });
});
