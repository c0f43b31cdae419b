import { isNotFound } from "@kubescaffold/k8s";
import { describe, expect, it } from "vitest";

import type { LiveClient } from "../../src/client/client.ts";
import { createClient } from "../../src/client/create-client.ts";
import { createFakeApi } from "./fake-api.ts";

const POD = { group: "", version: "v1", kind: "Pod" };
const KEY = { namespace: "a", name: "b" };

function clientOf(body: string, status = 200): LiveClient {
  const answer = (): Response => new Response(body, { status, headers: { "content-type": "application/json" } });
  return createClient(createFakeApi({ answer }).config);
}

async function failureOf(call: Promise<unknown>): Promise<unknown> {
  return await call.then(
    (value) => ({ value }),
    (error: unknown) => error,
  );
}

const LIST = '{"kind":"PodList","metadata":{"resourceVersion":"1"},"items":';

describe("a list", () => {
  it.each([
    ["", "it is empty"],
    ['{"kind":"Status","status":"Success"}', 'it is not a list, but of the kind "Status"'],
    ['{"kind":"Secret","metadata":{"name":"b"}}', 'it is not a list, but of the kind "Secret"'],
    [`${LIST}{"a":1}}`, "its items are not a list"],
    [`${LIST}[null]}`, "an item of the list is not an object"],
    [`${LIST}[{"metadata":{}},5]}`, "an item of the list is not an object"],
  ])("guarantee 24: that is %j is refused, not taken for an empty one", async (body, message) => {
    expect(await failureOf(clientOf(body).list(POD))).toMatchObject({
      code: "CLIENT_UNEXPECTED_ANSWER",
      message: `cannot use the response to GET /api/v1/pods: ${message}`,
    });
  });

  it.each(["null", "[]", "5", '"x"', "<html>login</html>", `${LIST}[{"metadata":{}},]}`, `${LIST}[,]}`, `${LIST}[`])(
    "that is %j is refused with its start",
    async (body) => {
      expect(await failureOf(clientOf(body).list(POD))).toMatchObject({
        code: "CLIENT_UNREADABLE_ANSWER",
        message: expect.stringContaining(JSON.stringify(body)),
      });
    },
  );

  it.each([`${LIST}null}`, `${LIST}[]}`, '{"kind":"PodList","apiVersion":"v1"}', '{"metadata":{}}'])(
    "that is %j is empty",
    async (body) => {
      expect((await clientOf(body).list(POD)).items).toEqual([]);
    },
  );

  it("gives its items their kind, although the key is escaped", async () => {
    const list = await clientOf(String.raw`{"kind":"PodList","it\u0065ms":[{"metadata":{"name":"a"}}]}`).list(POD);
    expect(list.items).toEqual([{ apiVersion: "v1", kind: "Pod", metadata: { name: "a" } }]);
  });
});

describe("an object", () => {
  it.each([
    ["", "it is empty"],
    ["null", "it is not an object"],
    ["[]", "it is not an object"],
    ["5", "it is not an object"],
    ['{"kind":"Secret","metadata":{"name":"b"}}', 'it is of the kind "Secret", not Pod'],
    ['{"kind":"Status","status":"Success"}', 'it is of the kind "Status", not Pod'],
  ])("that is %j is refused", async (body, message) => {
    const client = clientOf(body);
    expect(await failureOf(client.get(POD, KEY))).toMatchObject({
      code: "CLIENT_UNEXPECTED_ANSWER",
      message: `cannot use the response to GET /api/v1/namespaces/a/pods/b: ${message}`,
    });
    const object = { apiVersion: "v1", kind: "Pod", metadata: KEY };
    expect(await failureOf(client.update(object))).toMatchObject({ code: "CLIENT_UNEXPECTED_ANSWER" });
  });

  it("without a code in its status is a failure with the code of the response", async () => {
    const error = await failureOf(clientOf('{"kind":"Status","status":"Failure"}', 404).get(POD, KEY));
    expect(isNotFound(error)).toBe(true);
    expect(error).toMatchObject({ message: "the server responded with 404 Unknown" });
  });
});

describe("a watch", () => {
  const eventsOf = async (body: string): Promise<unknown> => {
    const events: unknown[] = [];
    for await (const event of clientOf(body).watch(POD)) events.push(event);
    return events;
  };

  it("that is cut, or not JSON, fails with the start of the event", async () => {
    expect(await failureOf(eventsOf("<html>login</html>"))).toMatchObject({
      code: "CLIENT_UNREACHABLE",
      message: expect.stringContaining('the response ended in the middle of an event: "<html>login</html>"'),
    });
  });

  it.each([
    '{"type":5,"object":{"metadata":{},"n":9007199254740993}}\n',
    `{"type":"ADDED","object":{"spec":${"[".repeat(50_000)}${"]".repeat(50_000)}}}\n`,
    "null\n",
    "[]\n",
    '{"type":"ADDED","object":null}\n',
  ])("with an event that is none fails (%#)", async (body) => {
    expect(await failureOf(eventsOf(body))).toMatchObject({ code: "CLIENT_UNREADABLE_EVENT" });
  });
});
