import { beforeEach, describe, expect, it } from "vitest";

import { CONFIG_MAPS, configMap, foo, fooCrd, FOOS, TestServer } from "../support/test-server.ts";

const PODS = "/api/v1/namespaces/default/pods";
const pod = (name: string, spec: object = {}): object => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name },
  spec: { containers: [{ name: "c", image: "i" }], ...spec },
});

function bodyOf(path: string): object {
  if (path === FOOS) return {};
  return path.endsWith("leases")
    ? { kind: "Lease", apiVersion: "coordination.k8s.io/v1", spec: {} }
    : { kind: "Endpoints", apiVersion: "v1" };
}

describe("delete", () => {
  let server: TestServer;

  beforeEach(async () => {
    server = new TestServer();
    await server.define(fooCrd());
  });

  it("row 3: answers 404 for what does not exist", async () => {
    const { code, body } = await server.delete(`${FOOS}/zz`);
    expect([code, body.message, body.details]).toEqual([
      404,
      'foos.example.com "zz" not found',
      { name: "zz", group: "example.com", kind: "foos" },
    ]);
  });

  it.each([
    [9_007_199_254_740_993n, "9007199254740994"],
    [2n ** 63n - 1n, "-9223372036854775808"],
  ])("counts the generation %s of an object with finalizers with all digits", async (generation, next) => {
    const metadata = { name: "large", generation, finalizers: ["example.com/x"] };
    expect((await server.post(CONFIG_MAPS, { metadata })).code).toBe(201);
    const { code, text } = await server.delete(`${CONFIG_MAPS}/large`);
    expect([code, /"generation":(-?\d+)/.exec(text)?.[1]]).toEqual([200, next]);
  });

  it("row 14: marks an object with finalizers and returns it", async () => {
    await server.post(FOOS, foo("f", {}, { finalizers: ["example.com/x"] }));
    const { code, body } = await server.delete(`${FOOS}/f`);
    expect([
      code,
      body.metadata.deletionTimestamp,
      body.metadata.deletionGracePeriodSeconds,
      body.metadata.generation,
    ]).toEqual([200, "2026-01-01T00:00:00Z", 0, 2]);
    expect((await server.delete(`${FOOS}/f`)).body).toEqual(body);
  });

  it("rows 15 and 16: ends with the last finalizer, which the one event still shows", async () => {
    await server.post(FOOS, foo("f", {}, { finalizers: ["example.com/x"] }));
    await server.delete(`${FOOS}/f`);
    const { resourceVersion } = (await server.get(FOOS)).body.metadata;
    const watch = await server.watch(`${FOOS}?watch=1&resourceVersion=${resourceVersion}`);
    const { code, body } = await server.patch(`${FOOS}/f`, { metadata: { finalizers: null } });
    expect([code, body.metadata.finalizers]).toEqual([200, undefined]);
    await server.post(FOOS, foo("next"));
    const [event, next] = await watch.take(2);
    watch.stop();
    expect([event?.type, event?.object.metadata.finalizers]).toEqual(["DELETED", ["example.com/x"]]);
    expect(Number(event?.object.metadata.resourceVersion)).toBe(Number(resourceVersion) + 1);
    expect(next?.object.metadata.name).toBe("next");
    expect((await server.get(`${FOOS}/f`)).code).toBe(404);
  });

  it("row 17: answers with a status that names the uid", async () => {
    const created = await server.post(FOOS, foo("a"));
    const { code, body } = await server.delete(`${FOOS}/a`);
    expect([code, body]).toEqual([
      200,
      {
        kind: "Status",
        apiVersion: "v1",
        metadata: {},
        status: "Success",
        details: { name: "a", group: "example.com", kind: "foos", uid: created.body.metadata.uid },
      },
    ]);
  });

  it("row 49: deletes nothing on a dry run", async () => {
    await server.post(FOOS, foo("a"));
    expect((await server.delete(`${FOOS}/a?dryRun=All`)).code).toBe(200);
    expect((await server.get(`${FOOS}/a`)).code).toBe(200);
  });

  it("row 111: refuses preconditions that do not hold", async () => {
    await server.post(FOOS, foo("a"));
    const { code, body } = await server.delete(`${FOOS}/a`, { preconditions: { uid: "x" } });
    expect([code, body.details.kind]).toEqual([409, "Foo"]);
    expect(body.message).toContain(
      'on Foo.example.com "a": the UID in the precondition (x) does not match the UID in record',
    );
  });

  it("row 112: adds the finalizer of the policy", async () => {
    await server.post(FOOS, foo("a"));
    await server.post(FOOS, foo("b"));
    const foreground = await server.delete(`${FOOS}/a`, { propagationPolicy: "Foreground" });
    const orphan = await server.delete(`${FOOS}/b`, { propagationPolicy: "Orphan" });
    expect([foreground.body.metadata.finalizers, orphan.body.metadata.finalizers]).toEqual([
      ["foregroundDeletion"],
      ["orphan"],
    ]);
  });

  it("row 112: refuses a policy that does not exist", async () => {
    await server.post(FOOS, foo("a"));
    const { code, body } = await server.delete(`${FOOS}/a`, { propagationPolicy: "X" });
    expect([code, body.message]).toEqual([
      422,
      'DeleteOptions.meta.k8s.io "" is invalid: propagationPolicy: Unsupported value: "X": supported values: "Foreground", "Background", "Orphan", "nil"',
    ]);
  });

  it("row 117: deletes what the selector chooses and returns it as it was", async () => {
    await server.post(CONFIG_MAPS, configMap("a", {}, { labels: { k: "v" } }));
    await server.post(CONFIG_MAPS, configMap("b", {}, { labels: { k: "v" }, finalizers: ["example.com/x"] }));
    await server.post(CONFIG_MAPS, configMap("c"));
    const { code, body } = await server.delete(`${CONFIG_MAPS}?labelSelector=k%3Dv`);
    expect([code, body.kind, body.items.map((item: { metadata: { name: string } }) => item.metadata.name)]).toEqual([
      200,
      "ConfigMapList",
      ["a", "b"],
    ]);
    expect(body.items[1].metadata.deletionTimestamp).toBeUndefined();
    const left = (await server.get(CONFIG_MAPS)).body.items;
    expect(left.map((item: { metadata: { name: string } }) => item.metadata.name)).toEqual(["b", "c"]);
    expect(left[0].metadata.deletionTimestamp).toBeDefined();
  });

  it("refuses a version of a marked pod whose last finalizer the request removes", async () => {
    const metadata = { name: "a", finalizers: ["example.com/hold", "orphan"] };
    await server.post(PODS, { ...pod("a"), metadata });
    await server.delete(`${PODS}/a`);
    const { body } = await server.patch(`${PODS}/a`, { metadata: { finalizers: ["orphan"] } });
    const { resourceVersion } = body.metadata;
    const options = { propagationPolicy: "Background", preconditions: { resourceVersion } };
    expect((await server.delete(`${PODS}/a`, options)).body.message).toBe(
      `Operation cannot be fulfilled on pods "a": StorageError: invalid object, Code: 4, Key: /registry/pods/default/a, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: ResourceVersion in precondition: , ResourceVersion in object meta: ${resourceVersion}`,
    );
    const { uid } = body.metadata;
    expect((await server.delete(`${PODS}/a`, { ...options, preconditions: { uid } })).code).toBe(200);
  });

  it.each([
    ["/apis/coordination.k8s.io/v1/namespaces/default/leases", "leases/default/a"],
    ["/api/v1/namespaces/default/endpoints", "services/endpoints/default/a"],
    [FOOS, "example.com/foos/default/a"],
  ])("names the place in the storage of an object of %s that has another version", async (path, key) => {
    const { body } = await server.post(path, { ...foo("a", {}, { finalizers: ["orphan"] }), ...bodyOf(path) });
    const preconditions = { resourceVersion: body.metadata.resourceVersion };
    const answer = await server.delete(`${path}/a`, { propagationPolicy: "Background", preconditions });
    expect(answer.body.message).toContain(`Key: /registry/${key}, ResourceVersion: 0`);
  });

  it("takes an unscheduled pod away at once and gives a scheduled one its grace period", async () => {
    await server.post(PODS, pod("free"));
    await server.post(PODS, pod("bound", { nodeName: "n" }));
    expect((await server.delete(`${PODS}/free`)).body.metadata.deletionGracePeriodSeconds).toBe(0);
    expect((await server.get(`${PODS}/free`)).code).toBe(404);
    const { body } = await server.delete(`${PODS}/bound`);
    expect([body.metadata.deletionGracePeriodSeconds, body.metadata.deletionTimestamp]).toEqual([
      30,
      "2026-01-01T00:00:30Z",
    ]);
    await server.delete(`${PODS}/bound`, { gracePeriodSeconds: 0 });
    expect((await server.get(`${PODS}/bound`)).code).toBe(404);
  });

  it.each([
    ["without a grace period", {}, []],
    ["before its grace period is over", { nodeName: "n" }, [undefined]],
  ])("gives requests a turn between the mark and the removal of a pod: %s", async (_, spec, earlier) => {
    await server.post(PODS, pod("going", spec));
    for (const gracePeriodSeconds of earlier) await server.delete(`${PODS}/going`, { gracePeriodSeconds });
    const answers: Promise<{ readonly code: number; readonly grace: unknown }>[] = [];
    server.server.context.objects.observe({ group: "", resource: "pods" }, ({ kind }) => {
      const read = async (): Promise<{ readonly code: number; readonly grace: unknown }> => {
        await new Promise<void>((resolve) => setImmediate(resolve));
        const { code, body } = await server.get(`${PODS}/going`);
        return { code, grace: body.metadata.deletionGracePeriodSeconds };
      };
      if (kind === "modified") answers.push(read());
    });
    expect((await server.delete(`${PODS}/going`, { gracePeriodSeconds: 0 })).code).toBe(200);
    expect(await Promise.all(answers)).toEqual([{ code: 200, grace: 0 }]);
    expect((await server.get(`${PODS}/going`)).code).toBe(404);
  });

  it("does not remove another pod that has the name of a marked one", async () => {
    await server.post(PODS, pod("going", { nodeName: "n" }));
    await server.delete(`${PODS}/going`);
    const replaced = new Promise<number>((resolve) => {
      const stop = server.server.context.objects.observe({ group: "", resource: "pods" }, ({ kind }) => {
        if (kind !== "modified") return;
        stop();
        setImmediate(() => {
          void server
            .delete(`${PODS}/going`, { gracePeriodSeconds: 0 })
            .then(async () => await server.post(PODS, pod("going")))
            .then(({ code }) => resolve(code));
        });
      });
    });
    const [first] = await Promise.all([server.delete(`${PODS}/going`, { gracePeriodSeconds: 0 }), replaced]);
    expect(first.code).toBe(200);
    expect(await replaced).toBe(201);
    expect((await server.get(`${PODS}/going`)).code).toBe(200);
  });
});
