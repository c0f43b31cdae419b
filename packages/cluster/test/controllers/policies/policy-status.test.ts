import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { requestsOf, type Requests } from "../../../../apiserver/test/support/cluster-requests.ts";
import { createEmbeddedCluster, type EmbeddedCluster } from "../../../src/cluster/embedded-cluster.ts";

const PATH = "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies";

let cluster: EmbeddedCluster;
let admin: Requests;

beforeEach(() => {
  cluster = createEmbeddedCluster();
  cluster.server.start();
  admin = requestsOf(cluster.config);
});

afterEach(async () => cluster.close());

function policyOf(expression: string): object {
  const rule = { apiGroups: ["apps"], apiVersions: ["v1"], operations: ["*"], resources: ["deployments"] };
  return {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingAdmissionPolicy",
    metadata: { name: "p" },
    spec: { matchConstraints: { resourceRules: [rule] }, validations: [{ expression }] },
  };
}

describe("the status of policies", () => {
  it("has a warning for each expression that does not fit the types, until it is corrected", async () => {
    await admin.post(PATH, policyOf("object.spec.none == 1"));
    await cluster.server.idle();
    expect((await admin.get(`${PATH}/p`)).body["status"]).toMatchObject({
      observedGeneration: 1,
      typeChecking: { expressionWarnings: [{ fieldRef: "spec.validations[0].expression" }] },
    });
    await admin.patch(`${PATH}/p`, { spec: { validations: [{ expression: "object.spec.replicas == 1" }] } });
    await cluster.server.idle();
    expect((await admin.get(`${PATH}/p`)).body["status"]).toEqual({ observedGeneration: 2 });
  });

  it("is written only by its controller", async () => {
    await admin.post(PATH, { ...policyOf("true"), status: { observedGeneration: 7 } });
    await cluster.server.idle();
    expect((await admin.get(`${PATH}/p`)).body["status"]).toEqual({ observedGeneration: 1, typeChecking: {} });
  });
});
