import { beforeEach, describe, expect, it } from "vitest";

import { CONFIG_MAPS, configMap, fooCrd, FOOS, TestServer, type Body } from "../support/test-server.ts";

const names = (body: Body): readonly string[] => body.items.map((item: Body) => item.metadata.name as string);

describe("list", () => {
  let server: TestServer;

  beforeEach(async () => {
    server = new TestServer();
    for (const name of ["a", "b", "c", "d", "e"]) {
      await server.post(CONFIG_MAPS, configMap(name, { n: "1" }, { labels: name < "c" ? { k: name } : {} }));
    }
  });

  it("row 13: has a resourceVersion not below those of its items, and items in order without their kind", async () => {
    const { body } = await server.get(CONFIG_MAPS);
    expect([body.kind, body.apiVersion, names(body)]).toEqual(["ConfigMapList", "v1", ["a", "b", "c", "d", "e"]]);
    expect(body.items.every((item: Body) => item.kind === undefined && item.apiVersion === undefined)).toBe(true);
    const versions = body.items.map((item: Body) => Number(item.metadata.resourceVersion)) as number[];
    expect(Number(body.metadata.resourceVersion)).toBeGreaterThanOrEqual(Math.max(...versions));
  });

  it.each([
    ["k=a", ["a"]],
    ["k!=a", ["b", "c", "d", "e"]],
    ["k in (a,b)", ["a", "b"]],
    ["k notin (a)", ["b", "c", "d", "e"]],
    ["k", ["a", "b"]],
    ["!k", ["c", "d", "e"]],
  ])("row 88: the label selector %s chooses %j", async (selector, expected) => {
    const { body } = await server.get(`${CONFIG_MAPS}?labelSelector=${encodeURIComponent(selector)}`);
    expect(names(body)).toEqual(expected);
  });

  it("row 88: refuses a label selector that is none", async () => {
    const { code, body } = await server.get(`${CONFIG_MAPS}?labelSelector=${encodeURIComponent("a b")}`);
    expect([code, body.reason]).toEqual([400, "BadRequest"]);
    expect(body.message).toMatch(/^unable to parse requirement: /);
  });

  it("row 87: refuses fields that cannot be selected, in two wordings", async () => {
    await server.define(fooCrd());
    expect((await server.get(`${FOOS}?fieldSelector=spec.x%3D1`)).body.message).toBe(
      "field label not supported: spec.x",
    );
    expect((await server.get(`${CONFIG_MAPS}?fieldSelector=spec.x%3D1`)).body.message).toBe(
      '"spec.x" is not a known field selector: only "metadata.name", "metadata.namespace"',
    );
  });

  it("row 90: pages over one state, whatever is written meanwhile", async () => {
    const first = await server.get(`${CONFIG_MAPS}?limit=2`);
    expect([names(first.body), first.body.metadata.remainingItemCount]).toEqual([["a", "b"], 3]);
    await server.delete(`${CONFIG_MAPS}/d`);
    await server.post(CONFIG_MAPS, configMap("c2"));
    await server.put(`${CONFIG_MAPS}/c`, configMap("c", { n: "2" }));
    const second = await server.get(`${CONFIG_MAPS}?limit=2&continue=${first.body.metadata.continue as string}`);
    expect([names(second.body), second.body.items[0].data]).toEqual([["c", "d"], { n: "1" }]);
    expect(second.body.metadata.resourceVersion).toBe(first.body.metadata.resourceVersion);
    const third = await server.get(`${CONFIG_MAPS}?limit=2&continue=${second.body.metadata.continue as string}`);
    expect([names(third.body), third.body.metadata.continue]).toEqual([["e"], undefined]);
  });

  it("row 91: answers 410 with a token that goes on when the state is forgotten", async () => {
    const first = await server.get(`${CONFIG_MAPS}?limit=2`);
    await server.post(CONFIG_MAPS, configMap("c2"));
    server.server.faults.expireHistory();
    const expired = await server.get(`${CONFIG_MAPS}?limit=2&continue=${first.body.metadata.continue as string}`);
    expect([expired.code, expired.body.reason]).toEqual([410, "Expired"]);
    const rest = await server.get(`${CONFIG_MAPS}?limit=9&continue=${expired.body.metadata.continue as string}`);
    expect(names(rest.body)).toEqual(["c", "c2", "d", "e"]);
  });

  it("answers the same to pages of a list from more than ten minutes ago, while watches continue from there", async () => {
    server.server.start();
    const first = await server.get(`${CONFIG_MAPS}?limit=2`);
    await server.post(CONFIG_MAPS, configMap("c2"));
    const next = `${CONFIG_MAPS}?limit=9&continue=${first.body.metadata.continue as string}`;
    server.clock.step(5 * 60_000);
    expect(names((await server.get(next)).body)).toEqual(["c", "d", "e"]);
    server.clock.step(5 * 60_000);
    const expired = await server.get(next);
    expect([expired.code, expired.body.reason]).toEqual([410, "Expired"]);
    const { resourceVersion } = first.body.metadata as { resourceVersion: string };
    const watch = await server.watch(`${CONFIG_MAPS}?watch=1&resourceVersion=${resourceVersion}`);
    expect((await watch.take(1)).map(({ object }) => object.metadata.name as string)).toEqual(["c2"]);
    watch.stop();
    await server.server.close();
  });

  it("fills pages of a selector up to the limit", async () => {
    const first = await server.get(`${CONFIG_MAPS}?limit=2&labelSelector=%21k`);
    expect([names(first.body), first.body.metadata.remainingItemCount]).toEqual([["c", "d"], undefined]);
    const second = await server.get(
      `${CONFIG_MAPS}?limit=2&labelSelector=%21k&continue=${first.body.metadata.continue as string}`,
    );
    expect(names(second.body)).toEqual(["e"]);
  });

  it("row 92: lists exactly a past state, and refuses combinations that mean nothing", async () => {
    const { resourceVersion } = (await server.get(CONFIG_MAPS)).body.metadata as { resourceVersion: string };
    await server.delete(`${CONFIG_MAPS}/a`);
    const past = await server.get(`${CONFIG_MAPS}?resourceVersion=${resourceVersion}&resourceVersionMatch=Exact`);
    expect([names(past.body), past.body.metadata.resourceVersion]).toEqual([
      ["a", "b", "c", "d", "e"],
      resourceVersion,
    ]);
    expect((await server.get(`${CONFIG_MAPS}?resourceVersionMatch=Exact`)).body.message).toBe(
      'ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided',
    );
    expect((await server.get(`${CONFIG_MAPS}?resourceVersion=abc`)).code).toBe(400);
  });

  it("row 93: answers 504 to a resourceVersion of the future", async () => {
    const { code, body, headers } = await server.get(`${CONFIG_MAPS}?resourceVersion=9999999`);
    expect([code, body.details.causes[0].reason, headers.get("retry-after")]).toEqual([
      504,
      "ResourceVersionTooLarge",
      "1",
    ]);
  });
});

describe("numbers in the query", () => {
  it.each([
    ["limit=x", 'strconv.ParseInt: parsing "x": invalid syntax'],
    ["limit=", 'strconv.ParseInt: parsing "": invalid syntax'],
    ["limit=99999999999999999999", 'strconv.ParseInt: parsing "99999999999999999999": value out of range'],
    ["timeoutSeconds=1.5", 'strconv.ParseInt: parsing "1.5": invalid syntax'],
    ["watch=1&timeoutSeconds=0x1", 'strconv.ParseInt: parsing "0x1": invalid syntax'],
  ])("%s is 400", async (query, message) => {
    const { code, body } = await new TestServer().get(`${CONFIG_MAPS}?${query}`);
    expect([code, body.message]).toEqual([400, message]);
  });
});
