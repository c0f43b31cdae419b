import { lstat, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

import { readYaml } from "@kubescaffold/k8s/yaml";
import { afterEach, describe, expect, it } from "vitest";

import { KubeconfigLockedError } from "../../src/config/errors.ts";
import { readKubeconfigFile, writeKubeconfigFile } from "../../src/config/kubeconfig-file.ts";
import { kubeconfigPaths, type PathOptions } from "../../src/config/kubeconfig-paths.ts";
import { type Kubeconfig, parseKubeconfig } from "../../src/config/kubeconfig.ts";
import { relativizeClusterPaths, relativizeUserPaths, resolveUserPaths } from "../../src/config/local-paths.ts";
import { modifyKubeconfig } from "../../src/config/modify-kubeconfig.ts";
import { goAnswers } from "../oracle/go-answers.ts";
import { type KubeconfigCase, makeKubeconfigCases } from "../oracle/kubeconfig-cases.ts";

const folders: string[] = [];

afterEach(async () => {
  await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true })));
});

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "modify-kubeconfig-"));
  folders.push(folder);
  return folder;
}

function explicit(file: string): PathOptions {
  return kubeconfigPaths({ kubeconfig: file, environment: {} });
}

describe("modifyKubeconfig", () => {
  const cases = goAnswers<KubeconfigCase, Readonly<Record<string, string>>>("modify-kubeconfig", () =>
    makeKubeconfigCases(60),
  );

  it("changes the same files in the same way as client-go, for random kubeconfigs", async () => {
    for (const [input, answer] of cases) {
      const files = await filesAfter(input);
      expect({ input, files }).toEqual({ input, files: normalizedFiles(answer) });
    }
  });

  it("preserves unknown fields of documents and entries, and the order of nothing else", async () => {
    const file = path.join(await makeFolder(), "config");
    await writeFile(
      file,
      `kind: Config\nfuture: {a: [1]}\npreferences: {colors: true}\nusers:\n- name: b\n  user: {token: t, future: {b: 1}}\n- name: a\n  user: {token: t}\n`,
    );
    await modifyKubeconfig(explicit(file), (config) => ({ ...config, currentContext: "a" }));
    expect(readYaml(await readFile(file, "utf8"))).toEqual({
      apiVersion: "v1",
      kind: "Config",
      "current-context": "a",
      future: { a: [1] },
      preferences: { colors: true },
      clusters: [],
      contexts: [],
      users: [
        { name: "a", user: { token: "t" } },
        { name: "b", user: { token: "t", future: { b: 1 } } },
      ],
    });
  });

  it("loses no change of concurrent calls, and removes its locks", async () => {
    const folder = await makeFolder();
    const file = path.join(folder, "new", "config");
    await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        modifyKubeconfig(explicit(file), (config) => ({
          ...config,
          users: new Map(config.users).set(`user-${String(index)}`, { token: String(index) }),
        })),
      ),
    );
    expect((await readKubeconfigFile(file)).users.size).toBe(10);
    expect(await readdir(path.dirname(file))).toEqual(["config"]);
  });

  it("fails if another process holds the lock, and changes nothing", async () => {
    const folder = await makeFolder();
    const file = path.join(folder, "config");
    await writeFile(`${file}.lock`, "");
    const change = modifyKubeconfig(explicit(file), (config) => ({ ...config, currentContext: "a" }), {
      lockTimeoutMs: 0,
    });
    await expect(change).rejects.toThrow(KubeconfigLockedError);
    expect(await readdir(folder)).toEqual(["config.lock"]);
  });

  it("removes its locks when the change throws", async () => {
    const folder = await makeFolder();
    const change = modifyKubeconfig(explicit(path.join(folder, "config")), () => {
      throw new TypeError("no");
    });
    await expect(change).rejects.toThrow("no");
    expect(await readdir(folder)).toEqual([]);
  });

  it("writes files that only their owner can read, through symbolic links", async () => {
    const folder = await makeFolder();
    const [file, link] = [path.join(folder, "config"), path.join(folder, "link")];
    await writeFile(file, "", { mode: 0o644 });
    await symlink(file, link);
    await modifyKubeconfig(explicit(link), (config) => ({ ...config, currentContext: "a" }));
    expect((await lstat(link)).isSymbolicLink()).toBe(true);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await readKubeconfigFile(file)).currentContext).toBe("a");
  });

  it("does not write an unchanged file", async () => {
    const file = path.join(await makeFolder(), "config");
    await writeFile(file, "# a comment\n");
    await modifyKubeconfig(explicit(file), (config) => ({ ...config }));
    expect(await readFile(file, "utf8")).toBe("# a comment\n");
  });
});

describe("writeKubeconfigFile", () => {
  it("replaces the contents, and creates folders", async () => {
    const file = path.join(await makeFolder(), ".kube", "config");
    const kubeconfig = parseKubeconfig("clusters: [{name: a, cluster: {server: 'https://a'}}]", { source: "test" });
    await writeKubeconfigFile(file, kubeconfig);
    expect(await readKubeconfigFile(file)).toEqual({ ...kubeconfig, source: file, files: [file] });
  });

  it("names the file that cannot be written", async () => {
    const folder = await makeFolder();
    await mkdir(path.join(folder, "config"));
    const write = writeKubeconfigFile(path.join(folder, "config"), parseKubeconfig("", { source: "test" }));
    await expect(write).rejects.toMatchObject({ code: "CLIENT_UNWRITABLE_CONFIG_FILE" });
    expect(await readdir(folder)).toEqual(["config"]);
  });
});

describe("local paths", () => {
  it("are relative below the folder, and absolute outside of it", () => {
    const relative = (file: string): string | undefined =>
      relativizeClusterPaths({ "certificate-authority": file }, "/home/me/.kube")["certificate-authority"];
    expect(relative("/home/me/.kube/certs/ca.crt")).toBe("certs/ca.crt");
    expect(relative("certs/../ca.crt")).toBe("ca.crt");
    expect(relative("/home/me/ca.crt")).toBe("/home/me/ca.crt");
    expect(relative("")).toBe("");
  });

  it("include commands with a folder, and no others", () => {
    const resolved = (command: string): string | undefined =>
      resolveUserPaths({ exec: { command } }, "/home/me").exec?.command;
    expect(resolved("aws")).toBe("aws");
    expect(resolved("bin/aws")).toBe("/home/me/bin/aws");
    expect(relativizeUserPaths({ exec: { command: "/home/me/bin/aws" } }, "/home/me").exec?.command).toBe("bin/aws");
  });
});

async function filesAfter(input: KubeconfigCase): Promise<unknown> {
  const parent = await makeFolder();
  const root = path.join(parent, "root");
  await mkdir(root);
  const change = JSON.parse(JSON.stringify(input).replaceAll("ROOT", root)) as KubeconfigCase;
  for (const [name, text] of Object.entries(change.files)) {
    await writeFile(path.join(root, name), text);
  }
  const paths = kubeconfigPaths({
    kubeconfig: change.explicit === "" ? "" : path.join(root, change.explicit),
    environment: { KUBECONFIG: change.kubeconfig.map((name) => path.join(root, name)).join(path.delimiter) },
  });
  await modifyKubeconfig(paths, (config) => applied(config, change), { relativizePaths: change.relativize });
  const texts: Record<string, string> = {};
  for (const name of await readdir(root)) {
    texts[name] = (await readFile(path.join(root, name), "utf8")).replaceAll(root, "ROOT").replaceAll(parent, "PARENT");
  }
  return normalizedFiles(texts);
}

function applied(config: Kubeconfig, change: KubeconfigCase): Kubeconfig {
  const wanted = parseKubeconfig(change.set, { source: "set" });
  const entries = <V>(list: "clusters" | "users" | "contexts", current: ReadonlyMap<string, V>): Map<string, V> => {
    const result = new Map<string, V>([...current, ...(wanted[list] as unknown as ReadonlyMap<string, V>)]);
    for (const name of change.delete[list]) result.delete(name);
    return result;
  };
  return {
    ...config,
    currentContext: change.currentContext ?? config.currentContext,
    clusters: entries("clusters", config.clusters),
    users: entries("users", config.users),
    contexts: entries("contexts", config.contexts),
  };
}

// Go prints empty values of required fields, and drops those of optional ones; entries have no order.
function normalizedFiles(files: Readonly<Record<string, string>>): unknown {
  return Object.fromEntries(Object.entries(files).map(([name, text]) => [name, withoutEmpty(readYaml(text))]));
}

function withoutEmpty(value: unknown): unknown {
  if (Array.isArray(value)) {
    const items = value.map((item) => withoutEmpty(item));
    return items.toSorted((left, right) => (nameOf(left) < nameOf(right) ? -1 : nameOf(left) > nameOf(right) ? 1 : 0));
  }
  if (typeof value !== "object" || value === null) {
    return value;
  }
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, field]) => [name, withoutEmpty(field)] as const)
      .filter(([, field]) => !isEmpty(field)),
  );
}

function nameOf(entry: unknown): string {
  const name = (entry as { readonly name?: unknown } | null)?.name;
  return typeof name === "string" ? name : "";
}

function isEmpty(value: unknown): boolean {
  const isObject = typeof value === "object" && value !== null;
  return isObject ? Object.keys(value).length === 0 : [null, undefined, "", false].includes(value as never);
}
