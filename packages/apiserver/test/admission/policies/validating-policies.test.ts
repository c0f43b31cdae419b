import { createEmbeddedCluster, type EmbeddedCluster } from "@kubescaffold/cluster";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { configMapOf, namespaceOf, requestsOf, type Requests } from "../../support/cluster-requests.ts";

const loads = vi.hoisted(() => {
  // What other files of this worker have loaded is reloaded.
  vi.resetModules();
  return { count: 0 };
});
vi.mock("@kubescaffold/schema/cel", async (original) => {
  loads.count += 1;
  return original();
});

const GROUP = "/apis/admissionregistration.k8s.io/v1";
const MAPS = "/api/v1/namespaces/red/configmaps";

let cluster: EmbeddedCluster;
let admin: Requests;

beforeEach(async () => {
  cluster = createEmbeddedCluster();
  admin = requestsOf(cluster.config);
  await admin.post("/api/v1/namespaces", namespaceOf("red"));
});

afterEach(async () => cluster.close());

function policyOf(name: string, spec: object): object {
  const rule = { apiGroups: [""], apiVersions: ["v1"], operations: ["*"], resources: ["configmaps"] };
  return {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingAdmissionPolicy",
    metadata: { name },
    spec: { matchConstraints: { resourceRules: [rule] }, ...spec },
  };
}

function bindingOf(name: string, spec: object = {}): object {
  return {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingAdmissionPolicyBinding",
    metadata: { name },
    spec: { policyName: name, validationActions: ["Deny"], ...spec },
  };
}

async function install(name: string, spec: object, binding: object = {}): Promise<void> {
  expect(await admin.post(`${GROUP}/validatingadmissionpolicies`, policyOf(name, spec))).toMatchObject({ status: 201 });
  expect(await admin.post(`${GROUP}/validatingadmissionpolicybindings`, bindingOf(name, binding))).toMatchObject({
    status: 201,
  });
}

const NEVER = { validations: [{ expression: "false" }] };

describe("ValidatingAdmissionPolicies", () => {
  it("load CEL with the first policy", async () => {
    await admin.post(MAPS, configMapOf("a"));
    expect(loads.count).toBe(0);
    await install("never", NEVER);
    expect(loads.count).toBe(1);
  });

  it("concern neither policies nor their bindings, but other kinds of their group", async () => {
    const rule = {
      apiGroups: ["admissionregistration.k8s.io"],
      apiVersions: ["*"],
      operations: ["*"],
      resources: ["*"],
    };
    await install("never", { ...NEVER, matchConstraints: { resourceRules: [rule] } });
    await install("other", NEVER);
    const webhooks = {
      apiVersion: "admissionregistration.k8s.io/v1",
      kind: "ValidatingWebhookConfiguration",
      metadata: { name: "w" },
    };
    expect(await admin.post(`${GROUP}/validatingwebhookconfigurations`, webhooks)).toMatchObject({ status: 422 });
  });

  it("deny from their binding on, until it is deleted", async () => {
    await install("never", NEVER);
    expect(await admin.post(MAPS, configMapOf("a"))).toMatchObject({ status: 422 });
    await admin.delete(`${GROUP}/validatingadmissionpolicybindings/never`);
    expect(await admin.post(MAPS, configMapOf("a"))).toMatchObject({ status: 201 });
  });

  it("obey a change of their expressions at once", async () => {
    await install("changing", NEVER);
    const path = `${GROUP}/validatingadmissionpolicies/changing`;
    await admin.patch(path, { spec: { validations: [{ expression: "object.data.a == '1'" }] } });
    expect(await admin.post(MAPS, configMapOf("a"))).toMatchObject({ status: 201 });
    expect(await admin.patch(`${MAPS}/a`, { data: { a: "2" } })).toMatchObject({
      status: 422,
      body: { message: expect.stringContaining("failed expression: object.data.a == '1'") as string },
    });
  });

  it("are evaluated in the order of their names, and the first denial is returned", async () => {
    await install("b", { validations: [{ expression: "false", message: "second" }] });
    await install("a", { validations: [{ expression: "false", message: "first" }] });
    const { body } = await admin.post(MAPS, configMapOf("x"));
    expect(body["message"]).toContain("denied request: first");
  });

  it("see what mutating plugins and defaults have made of an object", async () => {
    const resourceRules = [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["pods"] }];
    await install("pods", {
      matchConstraints: { resourceRules },
      validations: [{ expression: "object.spec.priority == 0 && object.spec.restartPolicy != 'Always'" }],
    });
    const pod = {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: "p" },
      spec: { containers: [{ name: "c", image: "c" }] },
    };
    expect(await admin.post("/api/v1/namespaces/red/pods", pod)).toMatchObject({ status: 422 });
    const never = { ...pod, spec: { ...pod.spec, restartPolicy: "Never" } };
    expect(await admin.post("/api/v1/namespaces/red/pods", never)).toMatchObject({ status: 201 });
  });

  it("do not concern reviews, which would keep everyone out", async () => {
    const resourceRules = [{ apiGroups: ["*"], apiVersions: ["*"], operations: ["*"], resources: ["*"] }];
    await install("all", { matchConstraints: { resourceRules }, ...NEVER });
    const review = {
      apiVersion: "authorization.k8s.io/v1",
      kind: "SelfSubjectAccessReview",
      spec: { resourceAttributes: { verb: "get", resource: "pods" } },
    };
    expect(await admin.post("/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", review)).toMatchObject({
      status: 201,
    });
    expect(await admin.post("/api/v1/namespaces", namespaceOf("blue"))).toMatchObject({ status: 422 });
  });

  it("deny if an audit annotation cannot be evaluated, whatever the actions are", async () => {
    const auditAnnotations = [{ key: "size", valueExpression: "string(object.data.missing)" }];
    await install("audit", { auditAnnotations }, { validationActions: ["Audit"] });
    const { status, body } = await admin.post(MAPS, configMapOf("x"));
    expect([status, body["message"]]).toEqual([422, expect.stringContaining("no such key: missing")]);
  });
});
