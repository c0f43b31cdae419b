import { labelSelectorMatcher } from "@kubescaffold/k8s";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { webhookCalls, type WebhookCalls } from "../../../src/go-project/examples/webhook-calls.ts";
import type { WebhookFacts } from "../../../src/go-project/manifest-facts.ts";

type Labels = Readonly<Record<string, string>>;
type Fields = Readonly<Record<string, unknown>>;

const PODS = { group: "", plural: "pods", isNamespaced: true };

function webhookAt(path: string, fields: Fields = {}): WebhookFacts {
  const rule = { apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE", "UPDATE"], resources: ["pods"] };
  const object = { name: "pod.kb.io", clientConfig: { service: { path } }, rules: [rule], ...fields };
  return { isMutating: true, configuration: "mutating-webhook-configuration", object };
}

const rulesOf = (operations: readonly string[], resources: readonly string[] = ["pods"]): Fields => ({
  rules: [{ apiGroups: [""], apiVersions: ["v1"], operations, resources }],
});

const calls = (...webhooks: readonly WebhookFacts[]): WebhookCalls => webhookCalls(webhooks, PODS);

const KEYS = ["a", "b"];
const VALUES = ["true", "x", "y"];
const key = fc.constantFrom(...KEYS);
const values = fc.uniqueArray(fc.constantFrom(...VALUES), { minLength: 1 });
const expression = fc.oneof(
  fc.record({ key, operator: fc.constantFrom("In", "NotIn"), values }),
  fc.record({ key, operator: fc.constantFrom("Exists", "DoesNotExist") }),
);
const selectors = fc.record({
  matchLabels: fc.dictionary(key, fc.constantFrom(...VALUES), { maxKeys: 2 }),
  matchExpressions: fc.array(expression, { maxLength: 4 }),
});

// Any selector of these keys and values that selects something selects one of them.
const SOME = [undefined, ...VALUES, "other"];
const ALL_LABELS: readonly Labels[] = SOME.flatMap((a) =>
  SOME.map((b) => ({ ...(a === undefined ? {} : { a }), ...(b === undefined ? {} : { b }) })),
);

describe("webhookCalls", () => {
  it("gives labels that a selector selects, and a problem only if it selects nothing", () => {
    fc.assert(
      fc.property(selectors, (objectSelector) => {
        const matches = labelSelectorMatcher(objectSelector);
        const { labels, problem } = calls(webhookAt("/a", { objectSelector }));
        expect([matches(labels), ALL_LABELS.some((each) => matches(each))]).toEqual(
          problem === undefined ? [true, true] : [false, false],
        );
      }),
    );
  });

  it("says of several webhooks which ones the labels of the object call", () => {
    fc.assert(
      fc.property(fc.array(selectors, { minLength: 1, maxLength: 4 }), (all) => {
        const { labels, operations } = calls(
          ...all.map((objectSelector, index) => webhookAt(`/${index}`, { objectSelector })),
        );
        for (const [index, selector] of all.entries())
          expect(operations[`/${index}`]).toEqual(labelSelectorMatcher(selector)(labels) ? undefined : []);
      }),
    );
  });

  it("gives no labels that would keep a webhook from being called, for the sake of another one", () => {
    const [without, wanting] = ["DoesNotExist", "Exists"].map((operator) => ({
      objectSelector: { matchExpressions: [{ key: "a", operator }] },
    }));
    const { labels, operations } = calls(webhookAt("/a", without), webhookAt("/b", wanting));
    expect({ labels, operations }).toEqual({ labels: {}, operations: { "/b": [] } });
  });

  it.each<[string, Fields | undefined, boolean]>([
    ["no selector", undefined, true],
    ["the name of the namespace", { matchLabels: { "kubernetes.io/metadata.name": "default" } }, true],
    [
      "a list with its name",
      { matchExpressions: [{ key: "kubernetes.io/metadata.name", operator: "In", values: ["x", "default"] }] },
      true,
    ],
    ["a label that it lacks", { matchExpressions: [{ key: "control-plane", operator: "DoesNotExist" }] }, true],
    ["a label that it would need", { matchLabels: { guarded: "yes" } }, false],
    ["an operator that does not exist", { matchExpressions: [{ key: "a", operator: "Like", values: ["b"] }] }, false],
  ])("has a problem if the namespace default is not selected: %s", (_, namespaceSelector, isSelected) => {
    expect(calls(webhookAt("/a", { namespaceSelector })).problem).toBe(
      isSelected
        ? undefined
        : "the webhook pod.kb.io has a namespaceSelector that does not select the namespace default",
    );
  });

  it("takes no namespace into account for objects without one, except that a Namespace is its own", () => {
    const namespaceSelector = { matchLabels: { guarded: "yes" } };
    const rules = [{ apiGroups: [""], operations: ["DELETE"], resources: ["nodes", "namespaces"] }];
    const webhook = webhookAt("/a", { namespaceSelector, rules });
    const nodes = webhookCalls([webhook], { group: "", plural: "nodes", isNamespaced: false });
    expect(nodes).toEqual({ labels: {}, operations: { "/a": ["DELETE"] }, problem: undefined });
    const namespaces = webhookCalls([webhook], { group: "", plural: "namespaces", isNamespaced: false });
    expect(namespaces.labels).toEqual({ guarded: "yes" });
  });

  it.each<[string, Fields, readonly string[] | undefined]>([
    ["create alone", rulesOf(["CREATE"]), ["CREATE"]],
    ["create and update", rulesOf(["CREATE", "UPDATE"]), undefined],
    ["all of them", rulesOf(["*"]), undefined],
    ["update and delete", rulesOf(["UPDATE", "DELETE", "CONNECT"]), ["DELETE", "UPDATE"]],
    ["create of all resources", rulesOf(["CREATE"], ["*"]), ["CREATE"]],
  ])("says which writes call a webhook: %s", (_, fields, expected) => {
    const { operations, problem } = calls(webhookAt("/a", fields));
    expect(operations["/a"]).toEqual(expected);
    expect(problem).toBeUndefined();
  });

  it.each<[string, Fields, string]>([
    ["another resource", rulesOf(["CREATE"], ["pods/ephemeralcontainers"]), "no rule for objects of the kind"],
    ["another operation", rulesOf(["CONNECT"]), "no rule for objects of the kind"],
    ["a condition", { matchConditions: [{ name: "a", expression: "false" }] }, "matchConditions, which"],
  ])("has a problem if no write of the test calls a webhook: %s", (_, fields, expected) => {
    expect(calls(webhookAt("/a", fields)).problem).toContain(`the webhook pod.kb.io has ${expected}`);
  });

  it("demands nothing of a webhook that is not called beside one that is", () => {
    const { operations, problem } = calls(webhookAt("/a"), webhookAt("/b", rulesOf(["CREATE"], ["pods/binding"])));
    expect({ operations, problem }).toEqual({ operations: { "/b": [] }, problem: undefined });
  });
});
