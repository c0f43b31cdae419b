import { createEmbeddedCluster } from "@kubescaffold/cluster";
import { beforeAll, describe, expect, it } from "vitest";

import { CONFIG_MAPS, configMap, TestServer } from "../support/test-server.ts";

const HEAD = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: base}\n";
const NESTED = [
  "a0: &a0 [x]",
  ...Array.from({ length: 9 }, (_, depth) => `a${depth + 1}: &a${depth + 1} [${aliases(`a${depth}`, 10)}]`),
].join("\n");
const LONG = `a: &a ${"x".repeat(30_000)}\nb: [${aliases("a", 10_000)}]\n`;
const MERGED = `a: &a {${Array.from({ length: 2000 }, (_, index) => `k${index}: 1`).join(", ")}}\nb: [${Array(2000).fill("{<<: *a}").join(", ")}]\n`;
const TEXTS = [
  ["of aliases", NESTED],
  ["of a long text", LONG],
  ["that are merged", MERGED],
  [
    "in documents",
    Array(20)
      .fill(`a: &a ${"x".repeat(3000)}\nb: [${aliases("a", 500)}]\n`)
      .join("---\n"),
  ],
] as const;

describe("aliases in bodies of YAML", () => {
  let test: TestServer;

  beforeAll(async () => {
    test = new TestServer();
    await test.post(CONFIG_MAPS, configMap("base"));
  });

  it.each(TEXTS)("are refused: %s", async (_, lines) => {
    const heap = process.memoryUsage().heapUsed;
    for (const [method, path, type, prefix] of [
      ["POST", CONFIG_MAPS, "application/yaml", "the object provided is unrecognized (must be of type ConfigMap): "],
      [
        "PUT",
        `${CONFIG_MAPS}/base`,
        "application/yaml",
        "the object provided is unrecognized (must be of type ConfigMap): ",
      ],
      ["DELETE", `${CONFIG_MAPS}/base`, "application/yaml", ""],
      ["PATCH", `${CONFIG_MAPS}/base?fieldManager=x`, "application/apply-patch+yaml", "error encoding patch: "],
    ] as const) {
      const { code, body } = await test.call(method, path, HEAD + lines, { "Content-Type": type });
      expect(code).toBe(400);
      expect(body.message).toContain(`${prefix}yaml: document contains excessive aliasing`);
    }
    expect(process.memoryUsage().heapUsed - heap).toBeLessThan(300_000_000);
    expect((await test.get(`${CONFIG_MAPS}/base`)).code).toBe(200);
  });

  it("are refused inside of what they stand for", async () => {
    const { code, body } = await test.post(CONFIG_MAPS, `${HEAD}x: &a [*a]\n`, { "Content-Type": "application/yaml" });
    expect(code).toBe(400);
    expect(body.message).toContain("(must be of type ConfigMap): yaml: anchor 'a' value contains itself (");
  });

  it("work where they stand for little", async () => {
    const text = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: shared}\ndata: {a: &a text, b: *a, c: *a}\n";
    const { code, body } = await test.post(CONFIG_MAPS, text, { "Content-Type": "application/yaml" });
    expect({ code, data: body.data }).toEqual({ code: 201, data: { a: "text", b: "text", c: "text" } });
  });

  it("do no harm when users without rights send them", async () => {
    const cluster = createEmbeddedCluster();
    const { transport, server } = cluster.addUser({ name: "nobody" });
    const url = `${server}${CONFIG_MAPS}`;
    const init = { method: "POST", body: HEAD + LONG, headers: { "Content-Type": "application/yaml" } };
    const answer = await transport?.(new Request(url, init));
    expect(answer?.status).toBeGreaterThanOrEqual(400);
    await cluster.close();
  });
});

function aliases(name: string, count: number): string {
  return Array(count).fill(`*${name}`).join(", ");
}
