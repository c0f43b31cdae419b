import { createEmbeddedCluster, type EmbeddedCluster } from "@kubescaffold/cluster";
import { afterEach, expect, it } from "vitest";

import { configMapOf, requestsOf, type Requests } from "../../support/cluster-requests.ts";

const GROUPS = "/apis/admissionregistration.k8s.io";
const GROUP = `${GROUPS}/v1beta1`;
const MAPS = "/api/v1/namespaces/default/configmaps";

let cluster: EmbeddedCluster | undefined;

afterEach(async () => cluster?.close());

function start(options: Parameters<typeof createEmbeddedCluster>[0] = {}): Requests {
  cluster = createEmbeddedCluster(options);
  return requestsOf(cluster.config);
}

function policyOf(name: string, spec: object): object {
  const rule = { apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE", "UPDATE"], resources: ["configmaps"] };
  return {
    apiVersion: "admissionregistration.k8s.io/v1beta1",
    kind: "MutatingAdmissionPolicy",
    metadata: { name },
    spec: { reinvocationPolicy: "Never", matchConstraints: { resourceRules: [rule] }, ...spec },
  };
}

async function install(admin: Requests, name: string, spec: object, version: string = "v1beta1"): Promise<void> {
  const path = `${GROUPS}/${version}`;
  const apiVersion = `admissionregistration.k8s.io/${version}`;
  const policy = { ...policyOf(name, spec), apiVersion };
  expect(await admin.post(`${path}/mutatingadmissionpolicies`, policy)).toMatchObject({ status: 201 });
  const binding = {
    apiVersion,
    kind: "MutatingAdmissionPolicyBinding",
    metadata: { name },
    spec: { policyName: name },
  };
  expect(await admin.post(`${path}/mutatingadmissionpolicybindings`, binding)).toMatchObject({ status: 201 });
}

function applied(expression: string): object {
  return { patchType: "ApplyConfiguration", applyConfiguration: { expression } };
}

it("policies are not served without the feature gate", async () => {
  const admin = start();
  expect(await admin.get(`${GROUP}/mutatingadmissionpolicies`)).toMatchObject({ status: 404 });
});

it("policies mutate in the order of their names, until their bindings are deleted", async () => {
  const admin = start({ featureGates: { MutatingAdmissionPolicy: true } });
  await install(admin, "b", { mutations: [applied("Object{data: Object.data{b: object.data.a + 'b'}}")] });
  await install(admin, "a", { mutations: [applied("Object{data: Object.data{a: 'a'}}")] });
  expect((await admin.post(MAPS, configMapOf("x"))).body["data"]).toMatchObject({ a: "a", b: "ab" });
  await admin.delete(`${GROUP}/mutatingadmissionpolicybindings/b`);
  expect((await admin.post(MAPS, configMapOf("y"))).body["data"]).not.toHaveProperty("b");
});

it.each(["1.36", "1.37"])("policies of v1 mutate by default in %s", async (kubernetesVersion) => {
  const admin = start({ kubernetesVersion });
  await install(admin, "a", { mutations: [applied("Object{data: Object.data{z: 'z'}}")] }, "v1");
  expect((await admin.post(MAPS, configMapOf("x"))).body["data"]).toMatchObject({ z: "z" });
});

it("policies are stored but do nothing without the feature gate, and if the plugin is disabled", async () => {
  const gatedVersions = ["admissionregistration.k8s.io/v1beta1"] as const;
  for (const options of [
    { kubernetesVersion: "1.35", gatedVersions },
    { kubernetesVersion: "1.37", gatedVersions, featureGates: { MutatingAdmissionPolicy: false } },
    { featureGates: { MutatingAdmissionPolicy: true }, disableAdmissionPlugins: ["MutatingAdmissionPolicy"] },
  ] as const) {
    const admin = start(options);
    await install(admin, "a", { mutations: [applied("Object{data: Object.data{z: 'z'}}")] });
    expect((await admin.post(MAPS, configMapOf("x"))).body["data"]).not.toHaveProperty("z");
    await cluster?.close();
  }
});

it("the APIService of the version is there with the version", async () => {
  const path = "/apis/apiregistration.k8s.io/v1/apiservices/v1beta1.admissionregistration.k8s.io";
  expect(await start({ featureGates: { MutatingAdmissionPolicy: true } }).get(path)).toMatchObject({ status: 200 });
  await cluster?.close();
  expect(await start().get(path)).toMatchObject({ status: 404 });
});
