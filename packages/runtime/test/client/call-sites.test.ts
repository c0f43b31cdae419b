import { readFileSync } from "node:fs";

import type { RestConfig } from "@kubescaffold/k8s";
import { Deployment } from "@kubescaffold/k8s/apps/v1";
import { ConfigMap, Pod } from "@kubescaffold/k8s/core/v1";
import { describe, expect, it, vi } from "vitest";

import {
  controllerutil,
  createClient,
  createClientset,
  createDefaultRestMapper,
  createDiscoveryClient,
  createRestClient,
  createToken,
  dryRunClient,
  evictPod,
  getScale,
  namespacedClient,
  pager,
  patch,
  podLogs,
  retry,
  type WatchingClient,
  withFieldOwner,
  withFieldValidation,
} from "../../src/index.ts";
import { silentLogger } from "../../src/log/logger.ts";
import { serverForTests } from "../support/server-for-tests.ts";

const SOURCE = readFileSync(new URL(import.meta.url), "utf8").split("\n");
const KEY = { namespace: "default", name: "web" };
const FORBIDDEN = {
  apiVersion: "v1",
  kind: "Status",
  status: "Failure",
  reason: "Forbidden",
  code: 403,
  message: "no",
};

const config: RestConfig = {
  server: "http://refusing",
  transport: async () => {
    await Promise.resolve();
    return Response.json(FORBIDDEN, { status: 403 });
  },
};
const restMapper = createDefaultRestMapper([
  { gvk: ConfigMap, scope: "namespaced" },
  { gvk: Deployment, scope: "namespaced" },
  { gvk: Pod, scope: "namespaced" },
]);
const rest = createRestClient(config, { log: silentLogger });
const succeeding = createClient(
  { server: "http://answering", transport: async () => await Promise.resolve(Response.json(map)) },
  { restMapper },
);
const plain = createClient(config, { restMapper, restClient: rest });
const discovering = createClient(config, { restClient: rest });
const wrapped: WatchingClient = withFieldValidation(
  withFieldOwner(dryRunClient(namespacedClient<WatchingClient>(plain, "default")), "tests"),
  "Strict",
);
const map = ConfigMap.create({ metadata: KEY });
const GET = { method: "GET", path: "/version" } as const;

type Calls = Readonly<Record<string, (client: WatchingClient) => unknown>>;

const REQUESTS: Calls = {
  get: (client) => client.get(ConfigMap, KEY),
  list: (client) => client.list(ConfigMap, { namespace: "default" }),
  create: (client) => client.create(map),
  update: (client) => client.update(map),
  patch: (client) => client.patch(map, patch.merge()),
  apply: (client) => client.apply(map, { fieldOwner: "tests" }),
  delete: (client) => client.delete(map),
  deleteAllOf: (client) => client.deleteAllOf(ConfigMap, { namespace: "default" }),
  watch: (client) => first(client.watch(ConfigMap)),
};

const SUBRESOURCES: Calls = {
  get: (client) => client.subResource("scale").get(map),
  create: (client) => client.subResource("eviction").create(map, map),
  update: (client) => client.status().update(map),
  patch: (client) => client.status().patch(map, patch.merge()),
  apply: (client) => client.status().apply(map, { fieldOwner: "tests" }),
};

const FUNCTIONS: Calls = {
  createOrUpdate: (client) => controllerutil.createOrUpdate(client, map),
  createOrPatch: (client) => controllerutil.createOrPatch(client, map),
  retryOnConflict: (client) => retry.retryOnConflict(retry.defaultRetry, () => client.update(map)),
  evictPod: (client) => evictPod(client, KEY),
  getScale: (client) => getScale(client, Deployment.create({ metadata: KEY, spec: { selector: {}, template: {} } })),
  createToken: (client) => createToken(client, KEY, { audiences: [] }),
  eachListItem: (client) => first(pager.createListPager((options) => client.list(Pod, options)).eachListItem()),
  podLogs: () => podLogs(rest, KEY).text(),
  clientset: () => createClientset(plain).kind(ConfigMap).namespace("default").get("web"),
  isNamespaced: () => discovering.isNamespaced(ConfigMap),
  discovered: () => discovering.get(ConfigMap, KEY),
  serverVersion: () => createDiscoveryClient(rest).serverVersion(),
  request: () => rest.request(GET),
  negotiate: () => rest.negotiate(GET),
  text: () => rest.text(GET),
  requestList: () => rest.requestList(GET, (item) => item),
  stream: () => first(rest.stream(GET)),
  bytes: () => first(rest.bytes(GET)),
};

const rows = (calls: Calls): readonly [string, Calls[string]][] => Object.entries(calls);

async function first(items: AsyncIterable<unknown>): Promise<unknown> {
  for await (const item of items) return item;
  return undefined;
}

async function failureOf(run: () => unknown): Promise<Error> {
  try {
    await run();
  } catch (error) {
    if (error instanceof Error) return error;
  }
  throw new Error("the call did not fail");
}

/** Returns the line of this file that the first frame of a stack names, and checks that no frame is the product's. */
function lineOf({ stack = "" }: Error): string {
  const [frame = "", ...others] = stack.split("\n").filter((line) => line.startsWith("    at "));
  expect([frame, ...others].filter((each) => /\/packages\/[a-z0-9]+\/src\//u.test(each))).toEqual([]);
  const line = /call-sites\.test\.ts:(?<line>\d+)/u.exec(frame)?.groups?.["line"];
  return SOURCE[Number(line) - 1] ?? `no line of this file: ${stack}`;
}

describe("guarantee 29: a request that fails names the line that made it", () => {
  it("the table has all methods of a client that send requests", () => {
    const methods = Object.keys(wrapped).filter((name) => typeof wrapped[name as keyof WatchingClient] === "function");
    expect(methods.toSorted()).toEqual([...Object.keys(REQUESTS), "isNamespaced", "status", "subResource"].toSorted());
    expect(Object.keys(SUBRESOURCES)).toEqual(Object.keys(plain.subResource("scale")));
  });

  it.each(rows(REQUESTS))("%s of a client, and of one with four wrappers", async (name, call = () => undefined) => {
    for (const client of [plain, wrapped]) {
      const error = await failureOf(async () => call(client));
      expect(error).toMatchObject({ name: "StatusError", code: "CLIENT_STATUS" });
      expect(lineOf(error)).toContain(`client.${name}(`);
    }
  });

  it.each(rows(SUBRESOURCES))("%s of a subresource", async (name, call = () => undefined) => {
    for (const client of [plain, wrapped]) {
      const line = lineOf(await failureOf(async () => call(client)));
      expect(line).toMatch(new RegExp(`\\.(?:status|subResource)\\(.*\\)\\.${name}\\(`, "u"));
    }
  });

  it.each(rows(FUNCTIONS))("%s", async (name, call = () => undefined) => {
    expect(lineOf(await failureOf(async () => call(plain)))).toContain(`  ${name}: `);
  });

  it("keeps the limit of the program, and records nothing where it has none", async () => {
    const limit = Error.stackTraceLimit;
    try {
      Error.stackTraceLimit = 2;
      const error = await failureOf(async () => plain.get(ConfigMap, KEY));
      expect(error.stack?.split("\n").filter((line) => line.startsWith("    at "))).toHaveLength(2);
      expect(Error.stackTraceLimit).toBe(2);
      Error.stackTraceLimit = 0;
      expect((await failureOf(async () => plain.get(ConfigMap, KEY))).stack).not.toContain("    at ");
    } finally {
      Error.stackTraceLimit = limit;
    }
  });

  it("names the line that awaits one of thousands of calls, of which few places are recorded", async () => {
    const record = vi.spyOn(Error, "captureStackTrace");
    const isOfClient = (error: Error): boolean => lineOf(error).includes("await plain.get(");
    try {
      const startedAt = performance.now();
      let named = 0;
      for (let index = 0; index < 2000; index += 1) {
        const error = await failureOf(async () => {
          await plain.get(ConfigMap, KEY);
        });
        if (index % 100 === 0 && isOfClient(error)) named += 1;
      }
      expect(named).toBe(20);
      // Each failure of the other calls records its own place, once.
      const seconds = (performance.now() - startedAt) / 1000;
      expect(record.mock.calls.length).toBeGreaterThanOrEqual(2000);
      expect(record.mock.calls.length).toBeLessThanOrEqual(2000 + 100 + Math.ceil(seconds * 100));
    } finally {
      record.mockRestore();
    }
  });

  it("records places of few of thousands of calls that succeed", async () => {
    const record = vi.spyOn(Error, "captureStackTrace");
    try {
      const startedAt = performance.now();
      for (let index = 0; index < 2000; index += 1) await succeeding.get(ConfigMap, KEY);
      const seconds = (performance.now() - startedAt) / 1000;
      expect(record.mock.calls.length).toBeGreaterThan(0);
      expect(record.mock.calls.length).toBeLessThanOrEqual(100 + Math.ceil(seconds * 100));
    } finally {
      record.mockRestore();
    }
  });

  it("the reason of a signal stays as it is", async () => {
    const reason = new Error("the user's own");
    const { stack } = reason;
    const error = await failureOf(() => plain.get(ConfigMap, KEY, { signal: AbortSignal.abort(reason) }));
    expect([error, error.stack]).toEqual([reason, stack]);
  });
});

describe("guarantee 29: a request that fails in a reconciler", () => {
  const server = serverForTests();

  it("names the line in the reconciler, although the frames of the controller are around it", async () => {
    const stacks: Error[] = [];
    const load = async (): Promise<unknown> => {
      await Promise.resolve();
      return await server.on.live.get(ConfigMap, { namespace: server.on.namespace, name: "missing" });
    };
    await server.start(async () => {
      stacks.push(await failureOf(load));
      return {};
    });
    await server.on.write("a");
    await expect.poll(() => stacks.length).toBeGreaterThan(0);
    for (const error of stacks) expect(lineOf(error)).toContain("server.on.live.get(");
  });
});
