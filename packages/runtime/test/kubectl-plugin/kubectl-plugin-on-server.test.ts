import { ConfigMap } from "@kubescaffold/k8s/core/v1";
import { beforeEach, describe, expect, it } from "vitest";

import { createClient } from "../../src/index.ts";
import { serverForTests } from "../support/server-for-tests.ts";
import { type PluginOutput, runSettings } from "./support/sample-plugin.ts";

const server = serverForTests();

let namespace: string;

beforeEach(async () => {
  ({ namespace } = server.on);
  const client = createClient(server.config);
  for (const [name, data] of [
    ["colors", { first: "red", second: "blue" }],
    ["sizes", { first: "<10 & more>" }],
  ] as const) {
    await client.create(ConfigMap.create({ metadata: { name, namespace, labels: { about: name } }, data }));
  }
});

async function run(line: string): Promise<PluginOutput> {
  return await runSettings(line.replaceAll("NS", namespace), { config: server.config });
}

describe("kubectl plugin on a server", () => {
  it("prints a table with aligned columns", async () => {
    const { out, err, status } = await run("list -n NS --size");
    expect({ err, status }).toEqual({ err: "", status: 0 });
    const lines = out.split("\n");
    expect(lines[0]).toMatch(/^NAME {4,}KEYS {3}AGE$/u);
    expect(lines.find((line) => line.startsWith("colors"))).toMatch(/^colors {3,}2 {6}\d+s$/u);
  });

  it("prints the columns of -o wide, the namespaces of -A, and no headers", async () => {
    expect((await run("list -n NS")).out).not.toContain("KEYS");
    expect((await run("list -n NS -o wide")).out).toMatch(/^NAME +KEYS +AGE$/mu);
    const everywhere = await run("list -A -l about=sizes --no-headers");
    expect(everywhere.out).toMatch(new RegExp(String.raw`^${namespace} {3,}sizes {3,}\d+s$`, "mu"));
    expect(everywhere.out).not.toContain("NAMESPACE");
  });

  it("prints objects in the formats of kubectl", async () => {
    const one = "-n NS -l about=colors";
    const json = JSON.parse((await run(`list ${one} -o json`)).out) as {
      readonly kind: string;
      readonly items: readonly object[];
    };
    expect(json).toMatchObject({ apiVersion: "v1", kind: "List", metadata: { resourceVersion: "" } });
    expect(json.items).toMatchObject([{ apiVersion: "v1", kind: "ConfigMap", data: { first: "red" } }]);
    expect(json.items[0]).not.toHaveProperty("metadata.managedFields");
    expect((await run(`get colors -n NS -o yaml`)).out).toMatch(/^apiVersion: v1\ndata:\n {2}first: red\n/u);
    expect((await run(`list ${one} -o name`)).out).toBe("configmap/colors\n");
    expect((await run(`get colors -n NS -o jsonpath={.data.first}`)).out).toBe("red");
    expect((await run(`list ${one} -o jsonpath={.items[*].metadata.name}`)).out).toBe("colors");
    expect((await run(`list ${one} -o custom-columns=N:.metadata.name,X:.data.none`)).out).toBe(
      "N        X\ncolors   <none>\n",
    );
  });

  it("says on standard error that there are none", async () => {
    await expect(run("list -n NS -l about=nothing")).resolves.toEqual({
      status: 0,
      out: "",
      err: `No resources found in ${namespace} namespace.\n`,
    });
    await expect(run("list -A -l about=nothing")).resolves.toMatchObject({ err: "No resources found\n" });
    expect(JSON.parse((await run("list -n NS -l about=nothing -o json")).out)).toMatchObject({ items: [] });
  });

  it("prints errors of the server like kubectl", async () => {
    await expect(run("get nothing -n NS")).resolves.toEqual({
      status: 1,
      out: "",
      err: 'Error from server (NotFound): configmaps "nothing" not found\n',
    });
    const { err, status } = await run("list -n NS -l a=b=c");
    expect(status).toBe(1);
    expect(err).toMatch(/^Error from server \(BadRequest\): /u);
  });

  it("completes names and namespaces from the cluster", async () => {
    await expect(run("__complete get -n NS c")).resolves.toMatchObject({ out: "colors\n:4\n" });
    await expect(run("__complete get -n NS colors c")).resolves.toMatchObject({ out: ":4\n" });
    await expect(run("__complete list --namespace kube-s")).resolves.toMatchObject({ out: "kube-system\n:4\n" });
  });
});

describe("kubectl plugin without a server", () => {
  const nowhere = { server: "http://127.0.0.1:1" };

  it("prints that the connection was refused, and completes nothing", async () => {
    await expect(runSettings("list", { config: nowhere })).resolves.toEqual({
      status: 1,
      out: "",
      err: "The connection to the server 127.0.0.1:1 was refused - did you specify the right host or port?\n",
    });
    await expect(runSettings("__complete get c", { config: nowhere })).resolves.toEqual({
      status: 0,
      out: ":4\n",
      err: "",
    });
  });
});
