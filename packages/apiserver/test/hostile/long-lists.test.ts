import { printYaml } from "@kubescaffold/k8s/yaml";
import { beforeEach, afterEach, describe, expect, it, vi } from "vitest";

import { CONFIG_MAPS, configMap, fooCrd, FOOS, TestServer } from "../support/test-server.ts";

const OBJECTS = 200;
// Each look at the clock takes a millisecond, and a turn of the event loop at most ten.
const LOOKS_PER_TURN = 10;

const TABLE = { Accept: "application/json;as=Table;v=v1;g=meta.k8s.io" };
const METADATA = { Accept: "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io" };
const CBOR = { Accept: "application/cbor" };
const PROTOBUF = { Accept: "application/vnd.kubernetes.protobuf" };
const REQUIREMENTS = Array.from({ length: 50 }, (_, index) => `k${index}!=v`).join(",");

type Send = (test: TestServer) => Promise<{ readonly code: number }>;

/** Requests about many objects, and how often each of them walks them: matching, computing, and printing. */
const REQUESTS: readonly (readonly [name: string, walks: number, send: Send])[] = [
  ["a list", 1, (test) => test.get(CONFIG_MAPS)],
  ["a list with a label selector", 2, (test) => test.get(`${CONFIG_MAPS}?labelSelector=${REQUIREMENTS}`)],
  ["a list that matches nothing", 1, (test) => test.get(`${CONFIG_MAPS}?labelSelector=k%3Dv`)],
  ["a list with a field selector", 2, (test) => test.get(`${CONFIG_MAPS}?fieldSelector=metadata.name!%3Da`)],
  ["a list in YAML", 2, (test) => test.get(CONFIG_MAPS, { Accept: "application/yaml" })],
  ["a list in protobuf", 1, (test) => test.get(CONFIG_MAPS, PROTOBUF)],
  ["a list in CBOR", 1, (test) => test.get(CONFIG_MAPS, CBOR)],
  ["a list of custom resources in CBOR", 1, (test) => test.get(FOOS, CBOR)],
  [
    "a list of metadata in CBOR",
    2,
    (test) => test.get(CONFIG_MAPS, { Accept: METADATA.Accept.replace("json", "cbor") }),
  ],
  ["a list in indented JSON", 2, (test) => test.get(`${CONFIG_MAPS}?pretty=true`)],
  ["a table", 2, (test) => test.get(CONFIG_MAPS, TABLE)],
  ["a table of custom resources", 2, (test) => test.get(FOOS, TABLE)],
  ["a list of metadata", 2, (test) => test.get(CONFIG_MAPS, METADATA)],
  ["the deletion of a collection", 2, (test) => test.delete(CONFIG_MAPS)],
];

describe("a list that is printed in parts", () => {
  it("has the text of the whole", async () => {
    const test = new TestServer();
    await test.define(fooCrd({}));
    for (const name of ["a", "b"]) {
      expect((await test.get(CONFIG_MAPS, { Accept: "application/yaml" })).code).toBe(200);
      await test.post(CONFIG_MAPS, { ...configMap(name), data: { a: "x\ny\n" } });
      await test.post(FOOS, { apiVersion: "example.com/v1", kind: "Foo", metadata: { name }, spec: {} });
      for (const path of [CONFIG_MAPS, FOOS, "/api/v1/pods"]) {
        for (const as of ["", TABLE.Accept.slice("application/json".length)]) {
          const whole: unknown = JSON.parse((await test.get(path, { Accept: `application/json${as}` })).text);
          expect((await test.get(path, { Accept: `application/yaml${as}` })).text).toBe(printYaml(whole));
          const pretty = await test.get(`${path}?pretty=true`, { Accept: `application/json${as}` });
          expect(pretty.text).toBe(`${JSON.stringify(whole, undefined, 2)}\n`);
        }
      }
    }
  });
});

describe("many objects", () => {
  let test: TestServer;

  beforeEach(async () => {
    test = new TestServer({ featureGates: { CBORServingAndStorage: true } });
    await test.define(fooCrd({}));
    // What is loaded with the first answer of a form lets others be answered, too.
    for (const headers of [PROTOBUF, CBOR, { Accept: "application/yaml" }]) await test.get(CONFIG_MAPS, headers);
    for (let index = 0; index < OBJECTS; index++) {
      await test.post(CONFIG_MAPS, configMap(`a${index}`));
      await test.post(FOOS, { apiVersion: "example.com/v1", kind: "Foo", metadata: { name: `a${index}` }, spec: {} });
    }
  });

  afterEach(() => {
    vi.restoreAllMocks();
  });

  it.each(REQUESTS)("%s lets other requests be answered in between", async (_, walks, send) => {
    let now = 0;
    vi.spyOn(performance, "now").mockImplementation(() => now++);
    const state = { isDone: false };
    let answered = 0;
    const long = send(test).finally(() => {
      state.isDone = true;
    });
    while (!state.isDone) {
      await new Promise<void>((resolve) => void setImmediate(resolve));
      expect((await test.get(`${CONFIG_MAPS}?limit=1`)).code).toBe(200);
      answered++;
    }
    expect((await long).code).toBe(200);
    expect(answered).toBeGreaterThan((OBJECTS / LOOKS_PER_TURN) * (walks - 0.5));
  });
});
