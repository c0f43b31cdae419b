import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { getConfig, inClusterConfig, inClusterNamespace, readKubeconfigList } from "../../src/config/get-config.ts";
import { namespaceOf, restConfigOf } from "../../src/config/rest-config-of.ts";

let root: string;
let homeFolder: string;
let emptyHome: string;
let serviceAccountFolder: string;

function kubeconfig(name: string, extra: string = ""): string {
  return `
apiVersion: v1
kind: Config
current-context: ${name}
clusters:
- name: ${name}
  cluster: { server: "https://${name}:6443" }
users:
- name: ${name}
  user: { token: ${name}-token }
contexts:
- name: ${name}
  context: { cluster: ${name}, user: ${name}, namespace: ${name}-ns }
${extra}`;
}

beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), "config-"));
  [homeFolder, emptyHome, serviceAccountFolder] = ["home", "nobody", "account"].map((name) =>
    path.join(root, name),
  ) as [string, string, string];
  await mkdir(path.join(homeFolder, ".kube"), { recursive: true });
  await mkdir(emptyHome);
  await mkdir(serviceAccountFolder);
  await Promise.all([
    writeFile(path.join(homeFolder, ".kube", "config"), kubeconfig("home")),
    writeFile(path.join(root, "flag"), kubeconfig("flag")),
    writeFile(path.join(root, "env"), kubeconfig("env")),
    writeFile(path.join(root, "other"), kubeconfig("other")),
    writeFile(path.join(serviceAccountFolder, "token"), "pod-token\n"),
    writeFile(path.join(serviceAccountFolder, "ca.crt"), "CA"),
    writeFile(path.join(serviceAccountFolder, "namespace"), "pod-ns\n"),
  ]);
});

afterAll(() => rm(root, { recursive: true }));

describe("the order in which a config is looked for", () => {
  const pod = { KUBERNETES_SERVICE_HOST: "10.96.0.1", KUBERNETES_SERVICE_PORT: "443" };

  it.each([
    ["flag, KUBECONFIG, pod and home", { flag: true, env: true, pod: true, home: true }, "https://flag:6443"],
    ["KUBECONFIG, pod and home", { flag: false, env: true, pod: true, home: true }, "https://env:6443"],
    ["pod and home", { flag: false, env: false, pod: true, home: true }, "https://10.96.0.1:443"],
    ["home alone", { flag: false, env: false, pod: false, home: true }, "https://home:6443"],
    ["flag alone", { flag: true, env: false, pod: false, home: false }, "https://flag:6443"],
    ["pod alone", { flag: false, env: false, pod: true, home: false }, "https://10.96.0.1:443"],
  ])("row 48: with %s it is the first of them", async (_title, present, server) => {
    const config = await getConfig({
      kubeconfig: present.flag ? path.join(root, "flag") : "",
      environment: { ...(present.env ? { KUBECONFIG: path.join(root, "env") } : {}), ...(present.pod ? pod : {}) },
      homeFolder: present.home ? homeFolder : emptyHome,
      serviceAccountFolder,
    });
    expect(config.server).toBe(server);
    expect(config.qps).toBeUndefined();
  });

  it("row 48: without any of them there is one error that lists the attempts, and never localhost", async () => {
    const error = await getConfig({ environment: {}, homeFolder: emptyHome, serviceAccountFolder }).catch(
      (each: unknown) => each,
    );
    expect(error).toMatchObject({ code: "CLIENT_NO_CONFIG", hint: expect.stringContaining("--kubeconfig") });
    const { message } = error as Error;
    expect(message).toContain("KUBECONFIG is not set");
    expect(message).toContain("KUBERNETES_SERVICE_HOST");
    expect(message).toContain(path.join(emptyHome, ".kube", "config"));
    expect(message).not.toContain("localhost");
  });

  it("row 48: a KUBECONFIG whose files do not exist is an error, not a reason to look elsewhere", async () => {
    const missing = path.join(root, "missing");
    const call = getConfig({ environment: { KUBECONFIG: missing, ...pod }, homeFolder, serviceAccountFolder });
    await expect(call).rejects.toMatchObject({ code: "CLIENT_NO_CONFIG", message: expect.stringContaining(missing) });
  });

  it("row 48: a flag that names no file is an error", async () => {
    const call = getConfig({ kubeconfig: path.join(root, "missing"), environment: pod, homeFolder });
    await expect(call).rejects.toMatchObject({ code: "CLIENT_UNREADABLE_CONFIG_FILE" });
  });

  it("another context can be selected, and an unknown one lists the available contexts", async () => {
    const environment = { KUBECONFIG: [path.join(root, "env"), path.join(root, "other")].join(path.delimiter) };
    expect((await getConfig({ environment, context: "other" })).server).toBe("https://other:6443");
    await expect(getConfig({ environment, context: "third" })).rejects.toMatchObject({
      message: expect.stringContaining('no context "third"'),
      hint: "available contexts: env, other",
    });
  });
});

describe("the pod's own config", () => {
  it("takes server, authority and token file from where Kubernetes puts them", async () => {
    const environment = { KUBERNETES_SERVICE_HOST: "fd00::1", KUBERNETES_SERVICE_PORT: "443" };
    expect(await inClusterConfig({ environment, serviceAccountFolder })).toEqual({
      server: "https://[fd00::1]:443",
      tls: { ca: "CA", caFile: path.join(serviceAccountFolder, "ca.crt") },
      credentials: { kind: "token-file", path: path.join(serviceAccountFolder, "token") },
    });
    expect(await inClusterNamespace({ environment, serviceAccountFolder })).toBe("pod-ns");
    expect(await inClusterNamespace({ environment, serviceAccountFolder: emptyHome })).toBeUndefined();
  });

  it("takes the namespace of the variable POD_NAMESPACE first", async () => {
    const environment = { POD_NAMESPACE: "other-ns" };
    expect(await inClusterNamespace({ environment, serviceAccountFolder })).toBe("other-ns");
    expect(await inClusterNamespace({ environment, serviceAccountFolder: emptyHome })).toBe("other-ns");
  });

  it("without a token it is not a pod", async () => {
    const environment = { KUBERNETES_SERVICE_HOST: "10.0.0.1", KUBERNETES_SERVICE_PORT: "443" };
    await expect(inClusterConfig({ environment, serviceAccountFolder: emptyHome })).rejects.toMatchObject({
      code: "CLIENT_NOT_IN_CLUSTER",
    });
  });
});

describe("a list of kubeconfigs", () => {
  it("the first file that names something counts, missing files do not", async () => {
    const second = path.join(root, "second");
    await writeFile(second, kubeconfig("env", "").replaceAll("https://env", "https://second"));
    const merged = await readKubeconfigList(
      [path.join(root, "missing"), path.join(root, "env"), second, path.join(root, "other")].join(path.delimiter),
    );
    expect(merged.currentContext).toBe("env");
    expect([...merged.clusters.keys()].toSorted()).toEqual(["env", "other"]);
    expect((await restConfigOf(merged)).server).toBe("https://env:6443");
    expect((await restConfigOf(merged, "other")).credentials).toEqual({ kind: "token", token: "other-token" });
    expect(namespaceOf(merged, "other")).toBe("other-ns");
  });

  it("a file that is not YAML is an error with its place", async () => {
    const broken = path.join(root, "broken");
    await writeFile(broken, "clusters:\n- name: [\n");
    await expect(readKubeconfigList(broken)).rejects.toThrow(broken);
  });
});
