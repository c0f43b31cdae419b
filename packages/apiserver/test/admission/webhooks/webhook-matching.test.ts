import { createEmbeddedCluster, type EmbeddedCluster } from "@kubescaffold/cluster";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { type ConfiguredWebhook, matchWebhook } from "../../../src/admission/webhooks/webhook-matching.ts";
import type { AdmissionAttributes } from "../../../src/pipeline/extension-points.ts";
import { loadRelease, type Release } from "../../../src/release/release.ts";
import type { ApiObject } from "../../../src/storage/api-object.ts";
import { namespaceOf, requestsOf } from "../../support/cluster-requests.ts";

const ANY_RULE = { operations: ["*"], apiGroups: ["*"], apiVersions: ["*"], resources: ["*"] };

let cluster: EmbeddedCluster;

beforeAll(async () => {
  cluster = createEmbeddedCluster();
  const labelled = { ...namespaceOf("red"), metadata: { name: "red", labels: { color: "red" } } };
  await requestsOf(cluster.config).post("/api/v1/namespaces", labelled);
});

afterAll(async () => cluster.close());

function objectWith(labels: Readonly<Record<string, string>>): ApiObject {
  return { apiVersion: "v1", kind: "X", metadata: { name: "x", labels } };
}

function write(fields: Partial<AdmissionAttributes> = {}): AdmissionAttributes {
  return {
    operation: "CREATE",
    kind: { group: "apps", version: "v1", kind: "Deployment" },
    resource: { group: "apps", version: "v1", resource: "deployments" },
    subresource: "",
    isNamespaced: true,
    namespace: "red",
    name: "x",
    requestName: "",
    object: objectWith({}),
    oldObject: undefined,
    user: { name: "jane", groups: [] },
    isDryRun: false,
    options: {},
    warn: () => undefined,
    annotate: () => undefined,
    normalize: (object) => object,
    ...fields,
  };
}

function isAsked(
  webhook: object,
  attributes: AdmissionAttributes,
  release: Release = cluster.server.context.release,
): boolean {
  const complete = {
    name: "a.b.c",
    sideEffects: "None",
    admissionReviewVersions: ["v1"],
    clientConfig: {},
    ...webhook,
  };
  return matchWebhook({ ...cluster.server.context, release }, complete as ConfiguredWebhook, attributes) !== undefined;
}

const TOKEN_REVIEW = write({
  resource: { group: "authentication.k8s.io", version: "v1", resource: "tokenreviews" },
  isNamespaced: false,
  namespace: "",
});
const SCALE = write({ subresource: "scale" });
const NODE = write({ resource: { group: "", version: "v1", resource: "nodes" }, isNamespaced: false, namespace: "" });
const NAMESPACE = write({
  resource: { group: "", version: "v1", resource: "namespaces" },
  isNamespaced: false,
  namespace: "red",
  name: "red",
  object: objectWith({ color: "blue" }),
});

describe("matchWebhook by rules", () => {
  it.each([
    ["1.36", true],
    ["1.37", false],
  ] as const)("of %s asks about reviews of access: %s", (minor, expected) => {
    const release = loadRelease(minor);
    if (release === undefined) throw new TypeError(`no release ${minor}`);
    expect(isAsked({ rules: [ANY_RULE] }, TOKEN_REVIEW, release)).toBe(expected);
  });

  it.each<readonly [object, AdmissionAttributes, boolean]>([
    [ANY_RULE, write(), true],
    [{ ...ANY_RULE, operations: ["UPDATE", "DELETE"] }, write(), false],
    [{ ...ANY_RULE, apiGroups: [""] }, write(), false],
    [{ ...ANY_RULE, apiVersions: ["v2"] }, write(), false],
    [{ ...ANY_RULE, resources: ["pods", "deployments"] }, write(), true],
    [{ ...ANY_RULE, resources: ["pods"] }, write(), false],
    [ANY_RULE, SCALE, false],
    [{ ...ANY_RULE, resources: ["deployments"] }, SCALE, false],
    [{ ...ANY_RULE, resources: ["deployments/scale"] }, SCALE, true],
    [{ ...ANY_RULE, resources: ["deployments/*"] }, SCALE, true],
    [{ ...ANY_RULE, resources: ["deployments/*"] }, write(), true],
    [{ ...ANY_RULE, resources: ["*/scale"] }, SCALE, true],
    [{ ...ANY_RULE, resources: ["*/status"] }, SCALE, false],
    [{ ...ANY_RULE, resources: ["*/*"] }, SCALE, true],
    [{ ...ANY_RULE, scope: "Namespaced" }, write(), true],
    [{ ...ANY_RULE, scope: "Cluster" }, write(), false],
    [{ ...ANY_RULE, scope: "Cluster" }, NODE, true],
    [{ ...ANY_RULE, scope: "Namespaced" }, NODE, false],
    [{ ...ANY_RULE, scope: "Cluster" }, NAMESPACE, true],
    [{ ...ANY_RULE, scope: "Namespaced" }, NAMESPACE, false],
  ])("%# %o", (rule, attributes, expected) => {
    expect(isAsked({ rules: [rule] }, attributes)).toBe(expected);
  });

  it("never asks about webhook configurations themselves", () => {
    const resource = {
      group: "admissionregistration.k8s.io",
      version: "v1",
      resource: "validatingwebhookconfigurations",
    };
    expect(isAsked({ rules: [ANY_RULE] }, write({ resource, isNamespaced: false, namespace: "" }))).toBe(false);
  });

  it("asks in the version of the rule, unless the policy is Exact", () => {
    const attributes = write({
      kind: { group: "autoscaling", version: "v2", kind: "HorizontalPodAutoscaler" },
      resource: { group: "autoscaling", version: "v2", resource: "horizontalpodautoscalers" },
    });
    const webhook = {
      rules: [{ ...ANY_RULE, apiGroups: ["autoscaling"], apiVersions: ["v1"] }],
    } as unknown as ConfiguredWebhook;
    expect(matchWebhook(cluster.server.context, webhook, attributes)).toEqual({
      kind: { group: "autoscaling", version: "v1", kind: "HorizontalPodAutoscaler" },
      resource: { group: "autoscaling", version: "v1", resource: "horizontalpodautoscalers" },
    });
    expect(isAsked({ ...webhook, matchPolicy: "Exact" }, attributes)).toBe(false);
    expect(isAsked(webhook, { ...attributes, subresource: "status" })).toBe(false);
    const ofStatus = { rules: [{ ...webhook.rules?.[0], resources: ["horizontalpodautoscalers/status"] }] };
    expect(isAsked(ofStatus, { ...attributes, subresource: "status" })).toBe(true);
    expect(isAsked(ofStatus, { ...attributes, subresource: "scale" })).toBe(false);
  });
});

describe("matchWebhook by selectors", () => {
  const red = { matchLabels: { color: "red" } };
  const blue = { matchLabels: { color: "blue" } };
  const rules = [ANY_RULE];

  it("selects by the labels of the object's namespace; what has none is always selected", () => {
    expect(isAsked({ rules, namespaceSelector: red }, write())).toBe(true);
    expect(isAsked({ rules, namespaceSelector: blue }, write())).toBe(false);
    expect(isAsked({ rules, namespaceSelector: blue }, NODE)).toBe(true);
  });

  it("selects namespaces by their own labels, deleted ones by those they had", () => {
    expect(isAsked({ rules, namespaceSelector: blue }, NAMESPACE)).toBe(true);
    const deletion = {
      ...NAMESPACE,
      operation: "DELETE",
      object: undefined,
      oldObject: objectWith({ color: "red" }),
    } as const;
    expect(isAsked({ rules, namespaceSelector: blue }, deletion)).toBe(false);
    expect(isAsked({ rules, namespaceSelector: red }, deletion)).toBe(true);
  });

  it("selects by the labels that an object has or had", () => {
    const update = write({ operation: "UPDATE", object: objectWith({}), oldObject: objectWith({ color: "red" }) });
    expect(isAsked({ rules, objectSelector: red }, update)).toBe(true);
    expect(isAsked({ rules, objectSelector: red }, write())).toBe(false);
    const without = { matchExpressions: [{ key: "color", operator: "DoesNotExist" }] };
    expect(isAsked({ rules, objectSelector: without }, write())).toBe(true);
    expect(isAsked({ rules, objectSelector: {} }, write())).toBe(true);
  });
});
