import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { definePluginCommand, type KubectlPlugin } from "../../src/kubectl-plugin/index.ts";
import { runPlugin, runSettings } from "./support/sample-plugin.ts";

let folder: string;
let kubeconfig: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "kubectl-plugin-"));
  kubeconfig = path.join(folder, "config");
  await writeFile(
    kubeconfig,
    `apiVersion: v1
kind: Config
current-context: first
clusters:
- { name: one, cluster: { server: "https://one.example:6443" } }
- { name: two, cluster: { server: "https://two.example:6443" } }
users:
- { name: ada, user: { token: ada-token } }
- { name: bob, user: { token: bob-token } }
contexts:
- { name: first, context: { cluster: one, user: ada, namespace: team } }
- { name: second, context: { cluster: two, user: bob } }
`,
  );
});

afterAll(() => rm(folder, { recursive: true }));

// Prints which cluster the flags select.
const where: KubectlPlugin = {
  name: "where",
  summary: "Prints the cluster.",
  commands: [
    definePluginCommand({
      usage: "am [words...]",
      summary: "Print the cluster",
      selectsObjects: true,
      flags: [{ name: "loud", kind: "boolean", help: "print loudly" }],
      run: async ({ args, connect, flags, kubectl, write }) => {
        const { config, namespace, selection } = await connect();
        write(
          JSON.stringify({
            args,
            server: config.server,
            user: config.credentials,
            namespace,
            selection,
            timeoutMs: config.timeoutMs,
            tls: config.tls,
            impersonate: config.impersonate,
            loud: flags.loud,
            all: kubectl["all-namespaces"],
          }),
        );
      },
    }),
  ],
};

async function selected(line: string): Promise<Record<string, unknown>> {
  const { out, err, status } = await runPlugin(where, line.split(" "), { environment: { KUBECONFIG: kubeconfig } });
  expect(err).toBe("");
  expect(status).toBe(0);
  return JSON.parse(out) as Record<string, unknown>;
}

describe("arguments of a kubectl plugin", () => {
  it.each([
    ["am", { server: "https://one.example:6443", namespace: "team", selection: { namespace: "team" } }],
    ["--context second am", { server: "https://two.example:6443", namespace: "default" }],
    ["am --context=second", { server: "https://two.example:6443" }],
    ["am --cluster two", { server: "https://two.example:6443", user: { kind: "token", token: "ada-token" } }],
    ["am --user bob", { server: "https://one.example:6443", user: { kind: "token", token: "bob-token" } }],
    ["am -n other", { namespace: "other", selection: { namespace: "other" } }],
    ["am -nx", { namespace: "x" }],
    ["am -n=other", { namespace: "other" }],
    ["-n other am", { namespace: "other" }],
    ["am -A", { selection: {}, all: true }],
    ["am -A=false", { selection: { namespace: "team" } }],
    ["am -An other", { selection: {}, namespace: "other" }],
    ["am --all-namespaces=true", { selection: {} }],
    ["am -l app=x,tier!=y", { selection: { namespace: "team", labelSelector: "app=x,tier!=y" } }],
    ["am --request-timeout 2m", { timeoutMs: 120_000 }],
    ["am --request-timeout=5", { timeoutMs: 5000 }],
    ["am --server https://three.example", { server: "https://three.example", namespace: "team" }],
    ["am -s three.example:8080", { server: "http://three.example:8080" }],
    ["am --token mine", { user: { kind: "token", token: "mine" } }],
    ["am --insecure-skip-tls-verify", { tls: { insecureSkipTlsVerify: true } }],
    ["am --tls-server-name api", { tls: { serverName: "api" } }],
    [
      "am --as eve --as-group one --as-group two --as-uid 7",
      { impersonate: { userName: "eve", groups: ["one", "two"], uid: "7" } },
    ],
    ["am --loud a b", { loud: true, args: ["a", "b"] }],
    ["am a --loud -- -b", { loud: true, args: ["a", "-b"] }],
  ])("%s", async (line, expected) => {
    await expect(selected(line)).resolves.toMatchObject(expected);
  });

  it("needs no kubeconfig with --server", async () => {
    const { out, err } = await runPlugin(where, ["am", "-s", "https://three.example", "--token", "mine"], {
      environment: { KUBECONFIG: path.join(folder, "none") },
    });
    expect(err).toBe("");
    expect(JSON.parse(out)).toMatchObject({
      server: "https://three.example",
      user: { token: "mine" },
      namespace: "default",
    });
  });

  it("rejects a command whose flag has a name of kubectl's flags", async () => {
    const command = definePluginCommand({
      usage: "clash",
      summary: "Clash",
      flags: [{ name: "node", short: "n", kind: "string", help: "name of a node" }],
      run: () => undefined,
    });
    await expect(runPlugin({ ...where, commands: [command] }, ["clash"])).resolves.toMatchObject({
      status: 1,
      err: expect.stringContaining("error: cannot define the command clash: it has two flags -n\n"),
    });
  });

  it("sets no time limit for 0", async () => {
    await expect(selected("am --request-timeout 0")).resolves.not.toHaveProperty("timeoutMs");
  });

  it.each([
    ["am --context third", "Error in configuration: context was not found for specified context: third\n"],
    ["am --cluster three", 'error: no server found for cluster "three"\n'],
    ["am --user eve", 'error: auth info "eve" does not exist\n'],
    [
      "am --request-timeout soon",
      'error: invalid value "soon" for --request-timeout: use a number of seconds, or a duration such as 1s, 2m, or 3h\n',
    ],
    ["am --colour", "error: unknown flag: --colour\nSee 'kubectl where am --help' for usage.\n"],
    ["am -x", "error: unknown shorthand flag: 'x' in -x\nSee 'kubectl where am --help' for usage.\n"],
    ["am --namespace", "error: flag needs an argument: --namespace\nSee 'kubectl where am --help' for usage.\n"],
    ["am -n", "error: flag needs an argument: 'n' in -n\nSee 'kubectl where am --help' for usage.\n"],
    ["is", 'error: unknown command "is" for "kubectl where"\nSee \'kubectl where --help\' for usage.\n'],
  ])("rejects %s", async (line, message) => {
    const found = await runPlugin(where, line.split(" "), { environment: { KUBECONFIG: kubeconfig } });
    expect(found).toEqual({ status: 1, out: "", err: message });
  });

  it.each([
    ["get", "error: missing required argument 'name'\nSee 'kubectl settings get --help' for usage.\n"],
    [
      "list -o table",
      'error: unable to match a printer suitable for the output format "table", allowed formats are: custom-columns,json,jsonpath,name,wide,yaml\n',
    ],
    ["list -o jsonpath=", "error: template format specified but no template given\n"],
    [
      "list -o custom-columns=NAME",
      "error: unexpected custom-columns spec: NAME, expected <header>:<json-path-expr>\n",
    ],
  ])("rejects %s", async (line, message) => {
    await expect(runSettings(line)).resolves.toEqual({ status: 1, out: "", err: message });
  });

  it("prints the commands and flags as help, without a command and with --help", async () => {
    const found = await runSettings("");
    expect(found).toMatchObject({ status: 0, err: "" });
    expect(found.out).toContain("Usage: kubectl settings [options] [command]");
    expect(found.out).toContain("Works with the settings of a namespace.");
    expect(found.out).toMatch(/get .*<name> +Print one setting/u);
    await expect(runSettings("--help")).resolves.toEqual(found);
    const ofList = await runSettings("list -h");
    expect(ofList.out).toContain("Usage: kubectl settings list [options]");
    expect(ofList.out).toContain("kubectl settings list -A");
    for (const flag of ["-z, --size", "-o, --output", "-A, --all-namespaces", "-l, --selector", "--request-timeout"])
      expect(ofList.out).toContain(flag);
  });
});

describe("completion of a kubectl plugin", () => {
  async function completed(...words: readonly string[]): Promise<string> {
    const { out, err, status } = await runPlugin(where, ["__complete", ...words], {
      environment: { KUBECONFIG: kubeconfig },
    });
    expect({ err, status }).toEqual({ err: "", status: 0 });
    return out;
  }

  it.each([
    [[""], "am\tPrint the cluster\n:4\n"],
    [["x"], ":4\n"],
    [["am", "--lo"], "--loud\tprint loudly\n:4\n"],
    [["am", "--context", ""], "first\nsecond\n:4\n"],
    [["am", "--context=s"], "--context=second\n:4\n"],
    [["am", "--cluster", "t"], "two\n:4\n"],
    [["am", "--user", ""], "ada\nbob\n:4\n"],
    [["am", "--kubeconfig", ""], ":0\n"],
    [["am", ""], ":4\n"],
  ])("%s", async (words, expected) => {
    await expect(completed(...words)).resolves.toBe(expected);
  });

  it("offers the output formats, and the values of a flag", async () => {
    await expect(runPlugin(where, ["__complete", "am", "--nothing", "x", ""])).resolves.toMatchObject({ out: ":4\n" });
    await expect(runSettings("__complete list -o j")).resolves.toMatchObject({ out: "json\njsonpath=\n:6\n" });
    await expect(runSettings("__complete get --key f")).resolves.toMatchObject({ out: "first\n:4\n" });
  });
});
