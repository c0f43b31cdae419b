import { stripVTControlCharacters } from "node:util";

import { Deployment } from "@kubescaffold/k8s/apps/v1";
import { ConfigMap } from "@kubescaffold/k8s/core/v1";
import { afterEach, describe, expect, it, vi } from "vitest";

import { createFakeClient, type FakeClient } from "../../src/fake-client/fake-client.ts";
import { clientMatchers } from "../../src/matchers/index.ts";
import { Widget, widget } from "../fake-client/sample-kinds.ts";

expect.extend(clientMatchers);

const KEY = { namespace: "default", name: "a" };
const SHORT = { timeoutMs: 60, intervalMs: 5 };
const configMap = (data: Record<string, string> = {}): ConfigMap => ConfigMap.create({ metadata: { ...KEY }, data });

async function failureOf(assertion: Promise<void>): Promise<string> {
  const error = await assertion.then(
    () => new Error("the assertion passed"),
    (thrown: unknown) => thrown as Error,
  );
  return stripVTControlCharacters(error.message);
}

/** Runs a step after the client has read a number of times. */
function afterReads(count: number, step: (client: FakeClient) => Promise<unknown>, data = {}): FakeClient {
  let reads = 0;
  const client: FakeClient = createFakeClient({
    objects: [configMap(data)],
    interceptors: {
      client: (underlying) => ({
        get: async (kind, key, options) => {
          const object = underlying.get(kind, key, options);
          reads += 1;
          if (reads === count) await object.then(() => step(client));
          return object;
        },
      }),
    },
  });
  return client;
}

describe("toEventuallyHave", () => {
  it("waits until the object exists", async () => {
    const client = createFakeClient();
    const waiting = expect(client).toEventuallyHave(ConfigMap, KEY);
    await client.create(configMap());
    await waiting;
  });

  it("waits until the object has the fields, which may be asymmetric matchers", async () => {
    const client = afterReads(3, (inner) => inner.underlying.update(configMap({ a: "1", b: "2" })));
    await expect(client).toEventuallyHave(ConfigMap, KEY, { metadata: { uid: expect.any(String) }, data: { a: "1" } });
  });

  it("waits until the predicate returns true", async () => {
    const client = afterReads(3, (inner) => inner.underlying.update(configMap({ a: "1" })));
    await expect(client).toEventuallyHave(ConfigMap, KEY, ({ data }) => data?.["a"] === "1");
  });

  it("shows the difference between the expected fields and the last state", async () => {
    const client = createFakeClient({ objects: [configMap({ a: "1", b: "2" })] });
    const message = await failureOf(
      expect(client).toEventuallyHave(ConfigMap, KEY, { data: { a: "2" } }, { timeoutMs: 60, intervalMs: 10_000 }),
    );
    expect(message).toBe(
      [
        "expected ConfigMap default/a to eventually have the fields (1 read in 60 ms)",
        "",
        "- Expected",
        "+ Received",
        "",
        "  {",
        '    "data": {',
        '-     "a": "2",',
        '+     "a": "1",',
        "    },",
        "  }",
      ].join("\n"),
    );
  });

  it("shows the last state if a predicate is false, without managed fields", async () => {
    const client = createFakeClient();
    await client.create(configMap({ a: "1" }));
    const message = await failureOf(expect(client).toEventuallyHave(ConfigMap, KEY, () => false, SHORT));
    expect(message).toMatch(/to eventually meet the predicate \(\d+ reads in 60 ms\)\n\nlast state:\n/u);
    expect(message).toContain('"a": "1"');
    expect(message).not.toContain("managedFields");
  });

  it("shows the error of a predicate", async () => {
    const client = createFakeClient({ objects: [configMap()] });
    const failing = expect(client).toEventuallyHave(
      ConfigMap,
      KEY,
      () => {
        throw new Error("no data");
      },
      SHORT,
    );
    expect(await failureOf(failing)).toContain("but the predicate threw: no data");
  });

  it.each([
    ["undefined", undefined],
    ["a promise", Promise.resolve(true)],
    ["text", "true"],
  ])("does not accept %s from a predicate", async (_name, result) => {
    const client = createFakeClient({ objects: [configMap()] });
    const failing = expect(client).toEventuallyHave(ConfigMap, KEY, () => result as never, SHORT);
    expect(await failureOf(failing)).toContain("to eventually meet the predicate");
  });

  it("reports an absent object and a failed read", async () => {
    const client = createFakeClient();
    expect(await failureOf(expect(client).toEventuallyHave(ConfigMap, KEY, undefined, SHORT))).toContain(
      "expected ConfigMap default/a to eventually exist",
    );
    expect(await failureOf(expect(client).toEventuallyHave(ConfigMap, KEY, undefined, SHORT))).toContain(
      "but it does not exist",
    );
    expect(await failureOf(expect(client).toEventuallyHave(Widget, { name: "a" }, undefined, SHORT))).toMatch(
      /expected Widget a to eventually exist .*but the last read failed: the server does not serve kind Widget/u,
    );
  });

  it("retries failed reads", async () => {
    const client = createFakeClient({ objects: [configMap()] });
    client.server.faults.add({ kind: "error", code: 500, match: { verb: "get" }, times: 2 });
    await expect(client).toEventuallyHave(ConfigMap, KEY);
  });

  it("ends when a read does not", async () => {
    const client = createFakeClient({
      interceptors: { client: () => ({ get: () => new Promise<never>(() => {}) }) },
    });
    const failing = expect(client).toEventuallyHave(ConfigMap, KEY, undefined, SHORT);
    expect(await failureOf(failing)).toContain("but no read completed");
    await expect(failureOf(expect(client).toConsistentlyNotHave(ConfigMap, KEY, undefined, SHORT))).resolves.toContain(
      "but no read completed",
    );
  });

  it("can be canceled", async () => {
    const canceling = new AbortController();
    const client = createFakeClient();
    const waiting = expect(client).toEventuallyHave(ConfigMap, KEY, undefined, { signal: canceling.signal });
    canceling.abort(new Error("the test ends"));
    await expect(waiting).rejects.toThrow("the test ends");
  });
});

describe("toEventuallyNotHave", () => {
  it("waits until the object is deleted", async () => {
    const client = afterReads(3, (inner) => inner.underlying.delete(configMap()));
    await expect(client).toEventuallyNotHave(ConfigMap, KEY);
  });

  it("waits until the object differs from the fields", async () => {
    const client = afterReads(3, (inner) => inner.underlying.update(configMap({ a: "2" })), { a: "1" });
    await expect(client).toEventuallyNotHave(ConfigMap, KEY, { data: { a: "1" } });
  });

  it("shows the object that still exists, and does not count a failed read as absence", async () => {
    const client = createFakeClient({ objects: [widget("a", { metadata: { finalizers: ["example.com/a"] } })] });
    await client.delete(widget("a"));
    const message = await failureOf(expect(client).toEventuallyNotHave(Widget, KEY, undefined, SHORT));
    expect(message).toContain("expected Widget default/a to eventually not exist");
    expect(message).toContain("example.com/a");
    client.server.faults.add({ kind: "error", code: 500, match: { verb: "get" } });
    expect(await failureOf(expect(client).toEventuallyNotHave(Widget, KEY, undefined, SHORT))).toContain(
      "but the last read failed",
    );
  });
});

describe("toConsistentlyHave", () => {
  it("passes if the state lasts", async () => {
    const client = createFakeClient({ objects: [configMap({ a: "1" })] });
    await expect(client).toConsistentlyHave(ConfigMap, KEY, { data: { a: "1" } }, SHORT);
    await expect(client).toConsistentlyHave(ConfigMap, KEY, ({ data }) => data?.["a"] === "1", SHORT);
  });

  it("fails as soon as the state changes, and shows the change", async () => {
    const change = (inner: FakeClient): Promise<unknown> => inner.underlying.update(configMap({ a: "2" }));
    const fields = await failureOf(
      expect(afterReads(2, change, { a: "1" })).toConsistentlyHave(ConfigMap, KEY, { data: { a: "1" } }),
    );
    expect(fields).toMatch(/to consistently have the fields \(3 reads in \d+ ms\)\n\n- Expected\n\+ Received/u);
    const predicate = await failureOf(
      expect(afterReads(2, change, { a: "1" })).toConsistentlyHave(ConfigMap, KEY, ({ data }) => data?.["a"] === "1"),
    );
    expect(predicate).toMatch(/- Before +- \d+|- Before/u);
    expect(predicate).toMatch(/-\s+"a": "1",\n\+\s+"a": "2",/u);
  });

  it("fails if the object is deleted", async () => {
    const client = afterReads(2, (inner) => inner.underlying.delete(configMap()));
    expect(await failureOf(expect(client).toConsistentlyHave(ConfigMap, KEY))).toContain("but it does not exist");
  });
});

describe("toConsistentlyNotHave", () => {
  it("passes if the object never exists", async () => {
    await expect(createFakeClient()).toConsistentlyNotHave(Deployment, KEY, undefined, SHORT);
  });

  it("fails as soon as it exists", async () => {
    const client = createFakeClient();
    const failing = failureOf(expect(client).toConsistentlyNotHave(ConfigMap, KEY, undefined, { timeoutMs: 20_000 }));
    await client.create(configMap({ a: "1" }));
    expect(await failing).toContain("expected ConfigMap default/a to consistently not exist");
  });
});

describe("matchers of clients", () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it("wait in real time if a test replaces the timers", async () => {
    vi.useFakeTimers();
    const failing = expect(createFakeClient()).toEventuallyHave(ConfigMap, KEY, undefined, SHORT);
    expect(await failureOf(failing)).toContain("but it does not exist");
  });

  it("refuse .not and values other than clients", async () => {
    const client = createFakeClient();
    await expect(expect(client).not.toEventuallyHave(ConfigMap, KEY)).rejects.toThrow("have no .not");
    await expect(expect("client").toEventuallyHave(ConfigMap, KEY)).rejects.toThrow(
      'expected a client or a cache, got "client"',
    );
  });

  it("have the types of the kind", async () => {
    const client = createFakeClient({ objects: [configMap()] });
    // @ts-expect-error -- a ConfigMap has no spec.
    await expect(client).toEventuallyNotHave(ConfigMap, KEY, { spec: { replicas: 1 } });
    // @ts-expect-error -- a predicate returns a boolean.
    await expect(client).toEventuallyNotHave(ConfigMap, KEY, ({ data }) => data?.["a"]);
  });
});
