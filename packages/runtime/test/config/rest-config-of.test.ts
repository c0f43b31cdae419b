import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { parseKubeconfig } from "../../src/config/kubeconfig.ts";
import { restConfigOf } from "../../src/config/rest-config-of.ts";

interface Parts {
  readonly cluster?: Readonly<Record<string, unknown>>;
  readonly user?: Readonly<Record<string, unknown>>;
  readonly folder?: string;
}

// JSON is YAML, so the parts need no printer.
async function resolve({ cluster, user, folder }: Parts): Promise<unknown> {
  const text = JSON.stringify({
    "current-context": "x",
    contexts: [{ name: "x", context: { cluster: "c", user: "u" } }],
    clusters: [{ name: "c", cluster: { server: "https://host:6443", ...cluster } }],
    users: [{ name: "u", user: user ?? {} }],
  });
  return restConfigOf(parseKubeconfig(text, { source: "test", ...(folder === undefined ? {} : { folder }) }));
}

const base64 = (text: string): string => Buffer.from(text).toString("base64");

describe("clusters", () => {
  it("server, authority, names and proxy are taken over", async () => {
    const config = await resolve({
      cluster: {
        server: "https://host:6443/prefix/",
        "certificate-authority-data": base64("CA"),
        "tls-server-name": "api",
        "proxy-url": "socks5://proxy:1080",
      },
    });
    expect(config).toEqual({
      server: "https://host:6443/prefix",
      tls: { ca: "CA", serverName: "api" },
      proxyUrl: "socks5://proxy:1080",
    });
  });

  it("insecure-skip-tls-verify is taken over", async () => {
    expect(await resolve({ cluster: { "insecure-skip-tls-verify": true } })).toMatchObject({
      tls: { insecureSkipTlsVerify: true },
    });
  });

  it("credentials never go to a server of plain http", async () => {
    const config = await resolve({ cluster: { server: "http://host:8080" }, user: { token: "secret" } });
    expect(config).toEqual({ server: "http://host:8080" });
  });

  it.each([
    [{ server: "" }, 'the cluster "c" has no server'],
    [{ server: "host:6443" }, "is not an address"],
    [{ server: "https://host:65536" }, "is not an address"],
    [
      { "insecure-skip-tls-verify": true, "certificate-authority-data": "YmI=" },
      "both insecure-skip-tls-verify and a certificate authority",
    ],
    [{ server: "https://[::1" }, "is not an address"],
    [{ "proxy-url": "http://proxy:x" }, "proxy-url"],
    [{ "proxy-url": "ftp://x" }, "proxy-url"],
    [{ "certificate-authority": "/a", "certificate-authority-data": "YmI=" }, "both certificate-authority and"],
  ])("%o is refused", async (cluster, message) => {
    await expect(resolve({ cluster })).rejects.toMatchObject({
      code: "CLIENT_INVALID_KUBECONFIG",
      message: expect.stringContaining(message),
    });
  });
});

describe("users", () => {
  it("relative paths are meant from the kubeconfig's folder", async () => {
    const folder = await mkdtemp(path.join(tmpdir(), "kubeconfig-"));
    await Promise.all(["ca", "cert", "key"].map((name) => writeFile(path.join(folder, name), name.toUpperCase())));
    const config = await resolve({
      folder,
      cluster: { "certificate-authority": "ca" },
      user: { "client-certificate": "./cert", "client-key": "key", tokenFile: "token" },
    });
    expect(config).toMatchObject({
      tls: { ca: "CA", cert: "CERT", key: "KEY" },
      credentials: { kind: "token-file", path: path.join(folder, "token") },
    });
    const exec = { apiVersion: "client.authentication.k8s.io/v1beta1", args: null };
    const relative = await resolve({ folder, user: { exec: { ...exec, command: "./bin/login" } } });
    expect(relative).toMatchObject({ credentials: { exec: { command: path.join(folder, "bin", "login"), args: [] } } });
    const bare = await resolve({ folder, user: { exec: { ...exec, command: "login" } } });
    expect(bare).toMatchObject({ credentials: { exec: { command: "login", interactiveMode: "IfAvailable" } } });
    await rm(folder, { recursive: true });
  });

  it("a certificate file that is missing is named", async () => {
    const user = { "client-certificate": "/nowhere/cert", "client-key-data": base64("KEY") };
    await expect(resolve({ user })).rejects.toThrow("cannot read the certificate or key /nowhere/cert");
  });

  it.each([
    [{ token: "t" }, { kind: "token", token: "t" }],
    [
      { token: "t", tokenFile: "/f" },
      { kind: "token-file", path: "/f" },
    ],
    [
      { username: "ann", password: "p" },
      { kind: "basic", username: "ann", password: "p" },
    ],
    [{}, undefined],
  ])("%o gives %o", async (user, credentials) => {
    expect(((await resolve({ user })) as { readonly credentials?: unknown }).credentials).toEqual(credentials);
  });

  it("a credential program is taken over with the cluster's extension for it", async () => {
    const config = await resolve({
      cluster: { extensions: [{ name: "client.authentication.k8s.io/exec", extension: { audience: "x" } }] },
      user: {
        exec: {
          apiVersion: "client.authentication.k8s.io/v1",
          command: "login",
          args: ["--quiet"],
          env: [{ name: "A", value: "b" }],
          installHint: "buy it",
          provideClusterInfo: true,
          interactiveMode: "Never",
        },
      },
    });
    expect(config).toMatchObject({
      credentials: {
        kind: "exec",
        exec: {
          apiVersion: "client.authentication.k8s.io/v1",
          command: "login",
          args: ["--quiet"],
          env: [{ name: "A", value: "b" }],
          installHint: "buy it",
          provideClusterInfo: true,
          interactiveMode: "Never",
          clusterConfig: { audience: "x" },
        },
      },
    });
  });

  it("impersonation is taken over whole", async () => {
    const user = { as: "ann", "as-uid": "7", "as-groups": ["a", "b"], "as-user-extra": { k: ["v"] } };
    expect(await resolve({ user })).toMatchObject({
      impersonate: { userName: "ann", uid: "7", groups: ["a", "b"], extra: { k: ["v"] } },
    });
  });

  it("the auth-provider oidc becomes tokens that are refreshed", async () => {
    const config = {
      "idp-issuer-url": "https://issuer",
      "client-id": "kubectl",
      "client-secret": "",
      "id-token": "a.b.c",
      "refresh-token": "r",
      "idp-certificate-authority-data": base64("CA"),
    };
    expect(await resolve({ user: { "auth-provider": { name: "oidc", config } } })).toMatchObject({
      credentials: {
        kind: "oidc",
        oidc: { issuerUrl: "https://issuer", clientId: "kubectl", idToken: "a.b.c", refreshToken: "r", ca: "CA" },
      },
    });
  });

  it.each([
    [{ "auth-provider": { name: "oidc" } }, "has no idp-issuer-url"],
    [{ "auth-provider": { name: "oidc", config: { "idp-issuer-url": "https://x" } } }, "has no client-id"],
    [
      { "auth-provider": { name: "oidc", config: { "id-token": 1 } } },
      "users[0].user.auth-provider.config.id-token is a number",
    ],
    [
      { "auth-provider": { name: "oidc", config: { "idp-issuer-url": "http://x", "client-id": "c" } } },
      'idp-issuer-url "http://x"',
    ],
    [{ "auth-provider": { name: "oidc" }, exec: { command: "x" } }, "both an auth-provider and exec"],
    [{ "client-certificate-data": "eA==" }, "a client certificate without a key"],
    [{ "client-key": "a", "client-key-data": "YmI=" }, "both client-key and client-key-data"],
    [{ token: "t", username: "u" }, "both a token and a username or password"],
    [{ token: "t", password: "p" }, "both a token and a username or password"],
    [{ "auth-provider": { name: "gcp" } }, "auth-provider (gcp)"],
    [{ exec: { apiVersion: "client.authentication.k8s.io/v1", interactiveMode: "Never" } }, "no command"],
    [{ exec: { command: "x" } }, "no apiVersion"],
    [
      { exec: { command: "x", apiVersion: "client.authentication.k8s.io/v1" } },
      /needs interactiveMode: Never, IfAvailable, or Always(?!, not)/u,
    ],
    [
      { exec: { command: "x", apiVersion: "client.authentication.k8s.io/v1", interactiveMode: "No" } },
      'needs interactiveMode: Never, IfAvailable, or Always, not "No"',
    ],
    [
      { exec: { command: "x", apiVersion: "client.authentication.k8s.io/v1beta1", env: [{ value: "v" }] } },
      "an environment variable without a name",
    ],
    [{ "as-groups": ["a"] }, "as-uid, as-groups, or as-user-extra without as"],
    [{ "as-user-extra": { scopes: ["a"] } }, "as-uid, as-groups, or as-user-extra without as"],
  ])("%o is refused", async (user, message) => {
    await expect(resolve({ user })).rejects.toThrow(message);
  });
});

describe("fields without a value", () => {
  it("are absent", async () => {
    const user = { token: null, tokenFile: null, username: null, as: null, "as-groups": null, exec: null };
    const cluster = { "certificate-authority-data": null, "proxy-url": null, "insecure-skip-tls-verify": null };
    expect(await resolve({ cluster, user: { ...user, "auth-provider": null } })).toEqual({
      server: "https://host:6443",
    });
  });

  it("of an exec plugin are absent", async () => {
    const exec = { apiVersion: "client.authentication.k8s.io/v1beta1", command: "login" };
    const optional = { args: null, env: [{ name: "A", value: null }], installHint: null, interactiveMode: null };
    expect(await resolve({ user: { exec: { ...exec, ...optional } } })).toMatchObject({
      credentials: { exec: { args: [], env: [{ name: "A" }], interactiveMode: "IfAvailable" } },
    });
  });
});

describe("base64 data", () => {
  it("may contain line breaks", async () => {
    const data = base64("a long certificate").replace(/(.{8})/gu, "$1\r\n");
    const config = await resolve({ cluster: { "certificate-authority-data": data } });
    expect(config).toMatchObject({ tls: { ca: "a long certificate" } });
  });
});

describe("servers", () => {
  it.each([
    ["https://host:6443//", "https://host:6443"],
    ["https://host/a/b/?x=1#y", "https://host/a/b"],
    ["https://[fd00::1]:6443/", "https://[fd00::1]:6443"],
  ])("%s becomes %s", async (server, expected) => {
    expect(await resolve({ cluster: { server } })).toEqual({ server: expected });
  });
});

describe("kubeconfigs of another form", () => {
  it.each([
    ["kind: Pod", 'it has the kind "Pod"'],
    ["apiVersion: v2", 'and the apiVersion "v2"'],
    ["users: [{name: u, user: {token: 12345}}]", "users[0].user.token is a number where a string is expected"],
    ["clusters: [{name: c, cluster: {server: 5}}]", "clusters[0].cluster.server is a number"],
    ["clusters: [{name: c, cluster: []}]", "clusters[0].cluster is a list where a mapping is expected"],
    ["clusters: [{name: c, cluster: {insecure-skip-tls-verify: 'true'}}]", "is a string where true or false is"],
    ["clusters: [{name: c, cluster: {certificate-authority-data: 'not base64'}}]", "certificate-authority-data is not"],
    ["users: [{name: u, user: {as-groups: a}}]", "users[0].user.as-groups is a string where a list is expected"],
    ["users: [{name: u, user: {as-user-extra: {a: [1]}}}]", "users[0].user.as-user-extra.a[0] is a number"],
    ["users: [{name: u, user: {exec: {args: [1]}}}]", "users[0].user.exec.args[0] is a number"],
    ["contexts: [{name: x, context: {namespace: 1}}]", "contexts[0].context.namespace is a number"],
    ["clusters: [{name: c}, {name: c}]", 'clusters[1] has the name "c" of a previous entry'],
    ["- a", "the document is not a mapping"],
    ["clusters: 5", "clusters is not a list"],
    ["users: [5]", "users[0] is not a mapping"],
    ["current-context: 5", "current-context is 5 where a string is expected"],
  ])("%s is refused", (text, message) => {
    expect(() => parseKubeconfig(text, { source: "test" })).toThrow(message);
  });

  it("is refused without printing a secret", () => {
    const text = "users: [{name: u, user: {token: 81549300}}]";
    expect(() => parseKubeconfig(text, { source: "test" })).toThrow(expect.not.stringContaining("81549300"));
  });

  it.each([
    ["", "it has no current-context"],
    ["current-context: x", 'it has no context "x"'],
    ["current-context: x\ncontexts: [{name: x, context: {cluster: c}}]", 'there is no cluster "c"'],
    [
      "current-context: x\ncontexts: [{name: x, context: {cluster: c, user: u}}]\nclusters: [{name: c, cluster: {server: 'https://a'}}]",
      'there is no user "u"',
    ],
  ])("%j cannot be used", async (text, message) => {
    await expect(restConfigOf(parseKubeconfig(text, { source: "test" }))).rejects.toThrow(message);
  });
});
