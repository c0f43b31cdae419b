import { describe, expect, it, onTestFinished } from "vitest";

import { type Release, loadRelease } from "../../src/release/release.ts";
import { inRelease } from "../../src/release/rule-release.ts";
import { signingRequestStatusErrors } from "../../src/resources/built-in/rules/certificate-status-errors.ts";
import { createServerOf } from "../../src/server/create-api-server.ts";
import type { ApiObject } from "../../src/storage/api-object.ts";
import { type Body, TestServer } from "../support/test-server.ts";

const MINORS = ["1.34", "1.35", "1.36", "1.37"] as const;
const CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";
const CLAIMS = "/apis/resource.k8s.io/v1/namespaces/default/resourceclaims";
const SLICES = "/apis/resource.k8s.io/v1/resourceslices";

describe.each(MINORS)("the rules of Kubernetes %s", (minor) => {
  const isSince = (first: (typeof MINORS)[number]): boolean => MINORS.indexOf(minor) >= MINORS.indexOf(first);

  it("name the item of an invalid owner", async () => {
    const { body } = await start(minor).post(CONFIG_MAPS, {
      metadata: { name: "a", ownerReferences: [{ apiVersion: "v1", kind: "", name: "n", uid: "u" }] },
    });
    expect(causesOf(body)).toEqual([
      isSince("1.37")
        ? "metadata.ownerReferences[0].kind: Required value: must not be empty"
        : 'metadata.ownerReferences.kind: Invalid value: "": must not be empty',
    ]);
  });

  it("report a new finalizer of an object that is deleted once or twice", async () => {
    const server = start(minor);
    const path = "/apis/coordination.k8s.io/v1/namespaces/default/leases";
    await server.post(path, { metadata: { name: "l", finalizers: ["example.com/a"] }, spec: {} });
    await server.call("DELETE", `${path}/l`);
    const patch = { metadata: { finalizers: ["example.com/a", "example.com/b"] } };
    const headers = { "Content-Type": "application/merge-patch+json" };
    const { body } = await server.call("PATCH", `${path}/l`, patch, headers);
    expect(causesOf(body)).toHaveLength(isSince("1.37") ? 1 : 2);
  });

  it("drop the fields of features for devices that are off", async () => {
    const server = start(minor);
    const device = { name: "d", allowMultipleAllocations: true, taints: [{ key: "a", effect: "NoSchedule" }] };
    const pool = { name: "p", generation: 1, resourceSliceCount: 1 };
    const spec = { driver: "gpu.example.com", nodeName: "n", pool, devices: [device] };
    const { code, body } = await server.post(SLICES, { metadata: { name: "s" }, spec });
    expect(code).toBe(201);
    expect(Object.keys(body.spec.devices[0]).toSorted()).toEqual(
      isSince("1.36") ? ["allowMultipleAllocations", "name", "taints"] : ["name"],
    );
  });

  it("refuse a patch that is not JSON before they look up its object", async () => {
    const headers = { "Content-Type": "application/merge-patch+json" };
    const { code, body } = await start(minor).call("PATCH", `${CONFIG_MAPS}/absent`, '{"a"', headers);
    expect([code, body.message]).toEqual(
      isSince("1.37") ? [400, "invalid JSON patch"] : [404, 'configmaps "absent" not found'],
    );
  });

  it("check the metadata of a scale", async () => {
    const server = start(minor);
    const path = "/apis/apps/v1/namespaces/default/deployments";
    const template = { metadata: { labels: { app: "a" } }, spec: { containers: [{ name: "a", image: "a" }] } };
    const spec = { selector: { matchLabels: { app: "a" } }, template };
    await server.post(path, { metadata: { name: "d" }, spec });
    const scale = { kind: "Scale", apiVersion: "autoscaling/v1", metadata: { name: "d", labels: { "a b": "c" } } };
    const { code, body } = await server.call("PUT", `${path}/d/scale`, { ...scale, spec: { replicas: 2 } });
    const refused = [422, 'Scale.autoscaling "d" is invalid: metadata.labels: Invalid value: "a b": '];
    const message = code === 200 ? "" : String(body.message).replace(/(?<="a b": ).*$/u, "");
    expect([code, message]).toEqual(isSince("1.37") ? [200, ""] : refused);
  });

  it("check the generation that a condition of an autoscaler was observed at", async () => {
    const server = start(minor);
    const path = "/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers";
    const scaleTargetRef = { apiVersion: "apps/v1", kind: "Deployment", name: "d" };
    const { body: stored } = await server.post(path, {
      metadata: { name: "h" },
      spec: { maxReplicas: 1, scaleTargetRef },
    });
    const conditions = [{ type: "AbleToScale", status: "True", observedGeneration: -1 }];
    const status = { currentReplicas: 0, desiredReplicas: 0, conditions };
    const { code, body } = await server.call("PUT", `${path}/h/status`, { ...stored, status });
    const cause = "status.conditions[0].observedGeneration: Invalid value: -1: must be greater than or equal to 0";
    expect([code, code === 422 ? causesOf(body) : []]).toEqual(isSince("1.37") ? [422, [cause]] : [200, []]);
  });

  it("refuse the users of files that are no IDs, whatever their feature", async () => {
    const serviceAccountToken = { path: "t", user: -5 };
    const downwardAPI = { items: [{ path: "n", fieldRef: { fieldPath: "metadata.name" } }] };
    const volumes = [{ name: "v", projected: { sources: [{ downwardAPI, serviceAccountToken }] } }];
    const spec = { containers: [{ name: "a", image: "a" }], volumes };
    const { body } = await start(minor).post("/api/v1/namespaces/default/podtemplates", {
      metadata: { name: "p" },
      template: { spec },
    });
    const source = "template.spec.volumes[0].projected.sources[0]";
    expect(causesOf(body)).toEqual([
      ...(isSince("1.37")
        ? [`${source}.serviceAccountToken.user: Invalid value: -5: must be between 0 and 2147483647, inclusive`]
        : []),
      `${source}: Forbidden: may not specify more than 1 volume type per source`,
    ]);
  });

  it("refuse the health of devices of ephemeral containers", async () => {
    const server = start(minor);
    const path = "/api/v1/namespaces/default/pods";
    await server.post("/api/v1/namespaces/default/serviceaccounts", { metadata: { name: "default" } });
    const { body: stored } = await server.post(path, {
      metadata: { name: "p" },
      spec: { containers: [{ name: "a", image: "a" }] },
    });
    const named = { name: "e", image: "a", imageID: "", ready: false, restartCount: 0 };
    const ephemeralContainerStatuses = [{ ...named, allocatedResourcesStatus: [{ name: "claim:a" }] }];
    const status = { ...stored.status, ephemeralContainerStatuses };
    const { code, body } = await server.call("PUT", `${path}/p/status`, { ...stored, status });
    const place = "status.ephemeralContainerStatuses[0].allocatedResourcesStatus";
    // The feature is off by default until 1.35.
    expect([code, code === 422 ? causesOf(body) : []]).toEqual(
      isSince("1.36") ? [422, [`${place}: Forbidden: must not be specified in container status`]] : [200, []],
    );
  });

  it("keep the owners of an object that cannot be compared", async () => {
    const server = start(minor);
    const path = "/api/v1/namespaces/default/serviceaccounts";
    const query = "fieldManager=owner";
    await server.post(`${path}?${query}`, { metadata: { name: "s" }, secrets: [{ name: "a" }] });
    const headers = { "Content-Type": "application/merge-patch+json" };
    const { body } = await server.call("PATCH", `${path}/s?${query}`, { secrets: [{}, { name: "b" }] }, headers);
    const owned = { "f:secrets": { ".": {}, 'k:{"name":"a"}': {} } };
    expect(body.metadata.managedFields?.map((entry: Body) => entry["fieldsV1"])).toEqual(
      isSince("1.37") ? [owned] : undefined,
    );
  });

  it("read a total of 0 beside the average of an object's metric", async () => {
    const server = start(minor);
    const [v1, v2] = ["v1", "v2"].map(
      (version) => `/apis/autoscaling/${version}/namespaces/default/horizontalpodautoscalers`,
    );
    const describedObject = { apiVersion: "v1", kind: "Service", name: "web" };
    const target = { type: "AverageValue", averageValue: "10" };
    const metrics = [{ type: "Object", object: { describedObject, metric: { name: "load" }, target } }];
    const spec = { maxReplicas: 5, scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "d" }, metrics };
    await server.post(String(v2), { metadata: { name: "h" }, spec });
    const headers = { "Content-Type": "application/merge-patch+json" };
    const { code } = await server.call("PATCH", `${String(v1)}/h`, { metadata: { labels: { a: "b" } } }, headers);
    expect(code).toBe(isSince("1.36") ? 200 : 422);
  });

  it("name what an apply configuration with a repeated key is", async () => {
    const headers = { "Content-Type": "application/apply-patch+yaml" };
    const text = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  a: b\n  a: c\n";
    const path = `${CONFIG_MAPS}/a?fieldManager=m&fieldValidation=Strict`;
    const { body } = await start(minor).call("PATCH", path, text, headers);
    expect(body.message).toContain(isSince("1.37") ? "error strict decoding patch: " : "error strict decoding YAML: ");
  });

  it("check a name to generate in updates of network policies", async () => {
    const server = start(minor);
    const path = "/apis/networking.k8s.io/v1/namespaces/default/networkpolicies";
    await server.post(path, { metadata: { name: "p" }, spec: { podSelector: {} } });
    const patch = { metadata: { generateName: "Not Valid-" } };
    const headers = { "Content-Type": "application/merge-patch+json" };
    expect((await server.call("PATCH", `${path}/p`, patch, headers)).code).toBe(isSince("1.36") ? 200 : 422);
  });

  it("take empty resources of a whole Pod for none", async () => {
    const containers = [{ name: "c", image: "i", resources: { requests: { cpu: "1" } } }];
    const spec = { resources: {}, containers, serviceAccountName: "s", automountServiceAccountToken: false };
    const { body } = await start(minor).post("/api/v1/namespaces/default/pods?dryRun=All", {
      metadata: { name: "p" },
      spec,
    });
    expect(body.status.qosClass).toBe(isSince("1.37") ? "Burstable" : "BestEffort");
  });

  it("show that a request for a certificate is both approved and denied", () => {
    const request = (conditions: readonly object[]): ApiObject => ({
      apiVersion: "certificates.k8s.io/v1",
      kind: "CertificateSigningRequest",
      metadata: {},
      status: { conditions },
    });
    const both = ["Approved", "Denied"].map((type) => ({ type, status: "True" }));
    const errors = inRelease(releaseOf(minor), () =>
      signingRequestStatusErrors(request(both), request([]), "approval"),
    );
    expect(errors).toHaveLength(1);
    expect(JSON.stringify(errors)).toContain(
      isSince("1.37") ? "must specify at most one of: " : "Approved and Denied conditions are mutually exclusive",
    );
  });

  it("show a consumer of a claim that is named twice", async () => {
    const server = start(minor);
    await server.post(CLAIMS, { metadata: { name: "c" }, spec: { devices: { requests: [] } } });
    const reservedFor = ["a", "b"].map((name) => ({ resource: "pods", name, uid: "u" }));
    const headers = { "Content-Type": "application/merge-patch+json" };
    const { body } = await server.call("PATCH", `${CLAIMS}/c/status`, { status: { reservedFor } }, headers);
    const shown = causesOf(body).find((cause) => cause.includes("Duplicate"));
    expect(shown).toBe(
      `status.reservedFor[1]${isSince("1.35") ? "" : ".uid"}: Duplicate value: ${isSince("1.37") ? '{"resource":"pods","name":"b","uid":"u"}' : '"u"'}`,
    );
  });

  it("require an attribute of a constraint where there are two kinds of them", async () => {
    const devices = { requests: [], constraints: [{}] };
    const { body } = await start(minor).post(CLAIMS, { metadata: { name: "c" }, spec: { devices } });
    expect(causesOf(body)).toEqual([
      isSince("1.36")
        ? 'spec.devices.constraints[0]: Required value: exactly one of "matchAttribute" or "distinctAttribute" is required, but multiple fields are set'
        : "spec.devices.constraints[0].matchAttribute: Required value",
    ]);
  });

  it("count the length of a name in characters until 1.34", async () => {
    const labels = { ["x".repeat(64)]: "" };
    const { body } = await start(minor).post(CONFIG_MAPS, { metadata: { name: "a", labels } });
    const [cause = ""] = causesOf(body);
    expect(cause.split("must be ").at(-1)).toBe(`no more than 63 ${isSince("1.35") ? "bytes" : "characters"}`);
  });

  it("drop the tolerance of an autoscaler, and status fields, of features that are off", async () => {
    const server = start(minor);
    const target = { apiVersion: "apps/v1", kind: "Deployment", name: "d" };
    const spec = { maxReplicas: 2, scaleTargetRef: target };
    const behavior = { scaleUp: { tolerance: "100m" } };
    const path = "/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers";
    const created = await server.post(path, { metadata: { name: "a" }, spec: { ...spec, behavior } });
    expect(created.body.spec.behavior.scaleUp.tolerance).toBe(isSince("1.35") ? "100m" : undefined);
    const sets = "/apis/apps/v1/namespaces/default/replicasets";
    const labels = { a: "b" };
    const template = { metadata: { labels }, spec: { containers: [{ name: "c", image: "i" }] } };
    await server.post(sets, { metadata: { name: "s" }, spec: { selector: { matchLabels: labels }, template } });
    const set = await server.call(
      "PATCH",
      `${sets}/s/status`,
      { status: { terminatingReplicas: 1 } },
      { "Content-Type": "application/merge-patch+json" },
    );
    expect(set.body.status.terminatingReplicas).toBe(isSince("1.35") ? 1 : undefined);
    const attachments = "/apis/storage.k8s.io/v1/volumeattachments";
    const source = { persistentVolumeName: "v" };
    await server.post(attachments, { metadata: { name: "v" }, spec: { attacher: "a", nodeName: "n", source } });
    const status = { attached: false, attachError: { errorCode: 1 } };
    const attachment = await server.call(
      "PATCH",
      `${attachments}/v/status`,
      { status },
      { "Content-Type": "application/merge-patch+json" },
    );
    expect(attachment.body.status.attachError.errorCode).toBe(isSince("1.35") ? 1 : undefined);
  });

  it("drop the period of updates of a CSIDriver where the feature is off", async () => {
    const spec = { nodeAllocatableUpdatePeriodSeconds: 1 };
    const path = "/apis/storage.k8s.io/v1/csidrivers";
    const { code, body } = await start(minor).post(path, { metadata: { name: "a" }, spec });
    expect(code).toBe(isSince("1.35") ? 422 : 201);
    expect(body.spec?.nodeAllocatableUpdatePeriodSeconds).toBeUndefined();
  });

  it("let the number of volumes of a Node's driver change where the feature is on", async () => {
    const server = start(minor);
    const path = "/apis/storage.k8s.io/v1/csinodes";
    const driver = { name: "d", nodeID: "n", topologyKeys: [] };
    await server.post(path, { metadata: { name: "n" }, spec: { drivers: [driver] } });
    const drivers = [{ ...driver, allocatable: { count: 1 } }];
    const headers = { "Content-Type": "application/merge-patch+json" };
    const { code } = await server.call("PATCH", `${path}/n`, { spec: { drivers } }, headers);
    expect(code).toBe(isSince("1.35") ? 200 : 422);
  });

  it("look at both kinds of a request for devices as far as they are declared", async () => {
    const request = { name: "r", exactly: { deviceClassName: "c", allocationMode: "Some" } };
    const requests = [{ ...request, firstAvailable: [{ name: "a", deviceClassName: "c", allocationMode: "None" }] }];
    const { body } = await start(minor).post(CLAIMS, { metadata: { name: "c" }, spec: { devices: { requests } } });
    const isSilent = isSince("1.35") && !isSince("1.37");
    expect(causesOf(body).filter((cause) => cause.includes("allocationMode: Unsupported value"))).toHaveLength(
      isSilent ? 0 : 2,
    );
  });

  it("name the sources of variables and the operators of tolerations that the release has", async () => {
    const spec = {
      containers: [{ name: "c", image: "i", env: [{ name: "V", valueFrom: {} }] }],
      tolerations: [{ key: "k", operator: "Lt", value: "1" }],
    };
    const { body } = await start(minor).post("/api/v1/namespaces/default/pods", { metadata: { name: "a" }, spec });
    const texts = causesOf(body).join("\n");
    expect(texts).toContain(isSince("1.35") ? "or `fileKeyRef`" : "or `secretKeyRef`");
    expect(texts).toContain(`supported values: "Equal", "Exists"${isSince("1.35") ? ', "Lt", "Gt"' : ""}`);
  });

  it("take the names of Services that the release allows", async () => {
    const server = start(minor);
    const service = { metadata: { name: "1a" }, spec: { ports: [{ port: 80 }] } };
    const { code } = await server.post("/api/v1/namespaces/default/services", service);
    expect(code).toBe(isSince("1.36") ? 201 : 422);
  });

  it("print the columns of definitions", async () => {
    const headers = { Accept: "application/json;as=Table;v=v1;g=meta.k8s.io" };
    const path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    const { body } = await start(minor).call("GET", path, undefined, headers);
    const names = (body.columnDefinitions as readonly Body[]).map(({ name }) => name);
    expect(names).toEqual(
      isSince("1.37")
        ? ["Name", "Scope", "Versions", "Created At", "Group", "Kind", "ShortNames", "Established"]
        : ["Name", "Created At"],
    );
  });
});

function causesOf({ details }: Body): readonly string[] {
  return (details.causes as readonly Body[]).map(({ field, message }) => `${String(field)}: ${String(message)}`);
}

function releaseOf(minor: string): Release {
  const release = loadRelease(minor);
  if (release === undefined) throw new Error(`there is no release ${minor}`);
  return release;
}

function start(minor: string): TestServer {
  const release = releaseOf(minor);
  const server = new TestServer({}, (options) => createServerOf(release, options));
  onTestFinished(async () => await server.server.close());
  return server;
}
