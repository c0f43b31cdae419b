import { describe, expect, it } from "vitest";

import { silentLogger as log } from "../../../src/log/logger.ts";
import { createMetricsRegistry } from "../../../src/metrics/registry.ts";
import type { Victims } from "../../../src/webhook/scheduler-extender/extender-handlers.ts";
import {
  bindWebhook,
  filterWebhook,
  preemptWebhook,
  prioritizeWebhook,
} from "../../../src/webhook/scheduler-extender/extender-webhooks.ts";
import type { WebhookHandler } from "../../../src/webhook/webhook-handler.ts";

const POD = { metadata: { namespace: "default", name: "web" }, spec: { containers: [] } };
const BY_NAME = { Pod: POD, Nodes: null, NodeNames: ["a", "b"] };
const WHOLE = { Pod: POD, Nodes: { metadata: {}, items: [nodeOf("a"), nodeOf("b")] }, NodeNames: null };
const BINDING = { PodName: "web", PodNamespace: "default", PodUID: "7", Node: "a" };
const VICTIMS = {
  Pod: POD,
  NodeNameToMetaVictims: { a: { Pods: [{ UID: "1" }, { UID: "2" }], NumPDBViolations: 1 } },
};

function nodeOf(name: string): object {
  return { metadata: { name, labels: { zone: name } } };
}

async function post(
  webhook: WebhookHandler,
  body: unknown,
): Promise<{ readonly status: number; readonly answer: unknown }> {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const headers = { "content-type": "application/json" };
  const request = new Request("https://localhost/x", { method: "POST", body: text, headers });
  const response = await webhook(request, { registry: createMetricsRegistry() });
  const answer = await response.text();
  return { status: response.status, answer: response.status === 200 ? JSON.parse(answer) : answer.trim() };
}

const failsWith = (error: unknown) => () => {
  throw error;
};
const defect = failsWith(new ReferenceError("x is not defined"));

describe("filterWebhook", () => {
  it("answers names with names, and nodes with nodes", async () => {
    const webhook = filterWebhook({ handler: () => ({ nodeNames: ["b", "b"], unresolvable: { a: "too old" } }), log });
    const rest = { FailedNodes: {}, FailedAndUnresolvableNodes: { a: "too old" }, Error: "" };
    expect(await post(webhook, BY_NAME)).toEqual({ status: 200, answer: { NodeNames: ["b"], ...rest } });
    expect(await post(webhook, WHOLE)).toEqual({ status: 200, answer: { Nodes: { items: [nodeOf("b")] }, ...rest } });
  });

  it("gives the handler the names in both cases", async () => {
    const given: unknown[] = [];
    const webhook = filterWebhook({
      log,
      handler: ({ nodeNames, nodes }) => {
        given.push([nodeNames, nodes?.length]);
        return { nodeNames };
      },
    });
    await post(webhook, BY_NAME);
    await post(webhook, WHOLE);
    expect(given).toEqual([
      [["a", "b"], undefined],
      [["a", "b"], 2],
    ]);
  });

  it.each([
    ["throws", failsWith(new Error("no license server")), "no license server"],
    ["has a defect", defect, "the handler failed"],
    ["returns nothing", () => undefined, "the handler failed"],
    [
      "returns another node",
      () => ({ nodeNames: ["c"] }),
      "the handler returned the node c, which is not in the request",
    ],
    [
      "fails another node",
      () => ({ nodeNames: [], failed: { c: "x" } }),
      "the handler returned the node c, which is not in the request",
    ],
  ])("answers an error if the handler %s", async (_, handler, message) => {
    expect(await post(filterWebhook({ handler: handler as never, log }), BY_NAME)).toEqual({
      status: 200,
      answer: { Error: message },
    });
  });

  it.each([
    ["nothing", ""],
    ["broken JSON", "{"],
    ["a list", []],
    ["no Pod", { NodeNames: ["a"] }],
    ["neither nodes nor names", { Pod: POD }],
    ["names that are a text", { Pod: POD, NodeNames: "a" }],
    ["nodes without names", { Pod: POD, Nodes: { items: [{}] } }],
    ["nodes that are a text", { Pod: POD, Nodes: "a" }],
  ])("answers an error for %s", async (_, body) => {
    const { status, answer } = await post(filterWebhook({ handler: failsWith(new Error("called")), log }), body);
    expect(status).toBe(200);
    expect(answer).toEqual({ Error: expect.not.stringContaining("called") as string });
  });
});

describe("prioritizeWebhook", () => {
  it("answers a score for each node", async () => {
    expect(await post(prioritizeWebhook({ handler: () => ({ b: 10 }), log }), BY_NAME)).toEqual({
      status: 200,
      answer: [
        { Host: "a", Score: 0 },
        { Host: "b", Score: 10 },
      ],
    });
  });

  it.each([11, -1, 1.5, Number.NaN, "7", null])("fails for the score %s", async (score) => {
    const { status, answer } = await post(prioritizeWebhook({ handler: () => ({ b: score as number }), log }), WHOLE);
    expect(status).toBe(500);
    expect(answer).toContain("scores are whole numbers from 0 to 10");
  });

  it("fails for a node that is not in the request, for a defect, and for another body", async () => {
    expect(await post(prioritizeWebhook({ handler: () => ({ c: 1 }), log }), BY_NAME)).toMatchObject({ status: 500 });
    expect(await post(prioritizeWebhook({ handler: defect, log }), BY_NAME)).toEqual({
      status: 500,
      answer: "the handler failed",
    });
    expect(await post(prioritizeWebhook({ handler: () => ({}), log }), {})).toMatchObject({ status: 400 });
  });
});

describe("bindWebhook", () => {
  it("answers no error, or that of the handler", async () => {
    const given: unknown[] = [];
    const webhook = bindWebhook({ handler: (request) => void given.push(request), log });
    expect(await post(webhook, BINDING)).toEqual({ status: 200, answer: { Error: "" } });
    expect(given).toEqual([{ namespace: "default", name: "web", uid: "7", nodeName: "a" }]);
    const failing = bindWebhook({ handler: failsWith(new Error("node is gone")), log });
    expect(await post(failing, BINDING)).toEqual({ status: 200, answer: { Error: "node is gone" } });
  });

  it.each(Object.keys(BINDING))("answers an error without %s", async (field) => {
    const { answer } = await post(bindWebhook({ handler: () => undefined, log }), { ...BINDING, [field]: undefined });
    expect(answer).toEqual({ Error: "PodNamespace, PodName, PodUID, and Node must be texts" });
  });
});

describe("preemptWebhook", () => {
  const left = (victims: readonly (readonly [string, Victims])[]): WebhookHandler =>
    preemptWebhook({ handler: () => new Map(victims), log });

  it("answers the victims that are left", async () => {
    expect(await post(left([["a", { podUids: ["2"], pdbViolations: 0 }]]), VICTIMS)).toEqual({
      status: 200,
      answer: { NodeNameToMetaVictims: { a: { Pods: [{ UID: "2" }], NumPDBViolations: 0 } } },
    });
  });

  it("gives the handler the Pods that it receives", async () => {
    const pod = { metadata: { name: "low", uid: "1" } };
    const body = {
      Pod: POD,
      NodeNameToVictims: { a: { Pods: [pod], NumPDBViolations: 1 } },
      NodeNameToMetaVictims: null,
    };
    let given: unknown;
    const webhook = preemptWebhook({
      log,
      handler: ({ victims, pods }) => {
        given = [[...victims], [...pods]];
        return victims;
      },
    });
    await post(webhook, body);
    expect(given).toEqual([[["a", { podUids: ["1"], pdbViolations: 1 }]], [["1", pod]]]);
  });

  it.each([
    ["another node", [["b", { podUids: [], pdbViolations: 0 }]]],
    ["another Pod", [["a", { podUids: ["3"], pdbViolations: 0 }]]],
  ] as const)("fails for %s", async (_, victims) => {
    const { status, answer } = await post(left(victims), VICTIMS);
    expect(status).toBe(500);
    expect(answer).toContain("which is not in the request");
  });

  it.each([
    ["victims that are a list", { Pod: POD, NodeNameToMetaVictims: [] }],
    ["victims of a node that are a text", { Pod: POD, NodeNameToMetaVictims: { a: "x" } }],
    ["Pods that are a text", { Pod: POD, NodeNameToMetaVictims: { a: { Pods: "x" } } }],
    ["a Pod without a UID", { Pod: POD, NodeNameToMetaVictims: { a: { Pods: [{}] } } }],
    ["no Pod", { NodeNameToMetaVictims: {} }],
  ])("refuses %s", async (_, body) => {
    expect(await post(left([]), body)).toMatchObject({ status: 400 });
  });
});
