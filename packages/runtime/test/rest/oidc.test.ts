import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";

import type { RestConfig } from "@kubescaffold/k8s";
import { printYaml } from "@kubescaffold/k8s/yaml";
import { FakeClock } from "@kubescaffold/platform/clock";
import { afterEach, beforeAll, beforeEach, expect, it } from "vitest";

import { readAuthProviderConfig } from "../../src/config/auth-provider-config.ts";
import { getConfig } from "../../src/config/get-config.ts";
import { kubeconfigPaths } from "../../src/config/kubeconfig-paths.ts";
import { createRestClient, type RestClient } from "../../src/rest/rest-client.ts";
import { makeCertificate, type TestCertificate } from "./certificates.ts";
import { type Answer, type RecordingServer, sendJson, startServer, until } from "./recording-server.ts";

const VERSION = { method: "GET", path: "/version" } as const;
const DISCOVERY = "/idp/.well-known/openid-configuration";
const MINUTE_MS = 60_000;

let certificate: TestCertificate;
let folder: string;
let issuer: RecordingServer;
let server: RecordingServer;
let clock: FakeClock;
/** The answers of the token endpoint, by refresh token. */
let grants: Map<string, unknown>;
let metadata: Record<string, unknown>;
let onIssuer: Answer | undefined;
let accepted: (authorization: string) => boolean;

beforeAll(async () => {
  certificate = await makeCertificate("issuer", [{ type: "ip", value: "127.0.0.1" }]);
});

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "oidc-"));
  clock = new FakeClock();
  grants = new Map();
  metadata = {};
  onIssuer = undefined;
  accepted = () => true;
  issuer = await startServer((response, request) => (onIssuer ?? answerAsIssuer)(response, request), certificate);
  server = await startServer((response, request) => {
    const { authorization = "" } = request.headers;
    sendJson(response, { gitVersion: authorization }, accepted(authorization) ? 200 : 401);
  }, certificate);
});

afterEach(async () => {
  await Promise.all([issuer.close(), server.close()]);
  await rm(folder, { recursive: true });
});

const answerAsIssuer: Answer = (response, request) => {
  if (request.url === DISCOVERY) {
    sendJson(response, { issuer: issuerUrl(), token_endpoint: `${issuer.url}/token`, ...metadata });
    return;
  }
  const answer = grants.get(new URLSearchParams(request.body).get("refresh_token") ?? "");
  if (answer === undefined) {
    sendJson(response, { error: "invalid_grant", error_description: `no grant for ${request.body}` }, 400);
    return;
  }
  sendJson(response, answer);
};

function issuerUrl(): string {
  return `${issuer.url}/idp`;
}

/** Makes a token that expires some minutes from now. */
function token(name: string, minutes: number): string {
  const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  const exp = clock.now() / 1000 + minutes * 60;
  return `${encode({ alg: "none" })}.${encode({ sub: name, exp })}.sig`;
}

async function writeKubeconfig(settings: Readonly<Record<string, string>>): Promise<string> {
  const file = path.join(folder, "config");
  const data = Buffer.from(certificate.cert).toString("base64");
  const config = {
    "idp-issuer-url": issuerUrl(),
    "client-id": "kubectl",
    "idp-certificate-authority-data": data,
    ...settings,
  };
  const document = {
    "current-context": "test",
    clusters: [{ name: "test", cluster: { server: server.url, "certificate-authority-data": data } }],
    contexts: [{ name: "test", context: { cluster: "test", user: "ann" } }],
    users: [{ name: "ann", user: { "auth-provider": { name: "oidc", config } } }],
  };
  await writeFile(file, printYaml(document));
  return file;
}

async function clientOf(settings: Readonly<Record<string, string>>): Promise<RestClient> {
  return createRestClient(await configOf(await writeKubeconfig(settings)), { clock });
}

function configOf(file: string): Promise<RestConfig> {
  return getConfig({ kubeconfig: file });
}

async function sentBy(client: RestClient): Promise<string> {
  return (await client.request<{ readonly gitVersion: string }>(VERSION)).gitVersion;
}

async function storedTokens(): Promise<Readonly<Record<string, string | undefined>>> {
  const paths = kubeconfigPaths({ kubeconfig: path.join(folder, "config"), environment: {} });
  const config = await readAuthProviderConfig(paths, "ann");
  return { id: config?.["id-token"], refresh: config?.["refresh-token"] };
}

it("sends the ID token while it is valid, without the issuer", async () => {
  const valid = token("ann", 5);
  const client = await clientOf({ "id-token": valid });
  expect(await sentBy(client)).toBe(`Bearer ${valid}`);
  expect(issuer.requests).toHaveLength(0);
});

it("refreshes an expired token once for concurrent requests, and stores the new ones", async () => {
  const [old, next] = [token("old", 1), token("new", 10)];
  grants.set("first", { id_token: next, refresh_token: "second" });
  const client = await clientOf({ "id-token": old, "refresh-token": "first", "extra-scopes": "groups" });
  clock.step(MINUTE_MS - 5000);
  const sent = await Promise.all(Array.from({ length: 5 }, () => sentBy(client)));
  expect(new Set(sent)).toEqual(new Set([`Bearer ${next}`]));
  expect(issuer.requests.map(({ url }) => url)).toEqual([DISCOVERY, "/token"]);
  expect(Object.fromEntries(new URLSearchParams(issuer.requests[1]?.body))).toEqual({
    grant_type: "refresh_token",
    refresh_token: "first",
    client_id: "kubectl",
  });
  expect(await storedTokens()).toEqual({ id: next, refresh: "second" });
  expect((await stat(path.join(folder, "config"))).mode & 0o777).toBe(0o600);
  expect(await readFile(path.join(folder, "config"), "utf8")).toContain("extra-scopes: groups");
  expect(await readdir(folder)).toEqual(["config"]);
});

it("sends the client secret as the issuer supports it", async () => {
  grants.set("first", { id_token: token("new", 10) });
  const settings = { "refresh-token": "first", "client-secret": "s+e" };
  await sentBy(await clientOf(settings));
  const basic = Buffer.from("kubectl:s%2Be").toString("base64");
  expect(issuer.requests[1]?.headers.authorization).toBe(`Basic ${basic}`);
  expect(issuer.requests[1]?.body).not.toContain("s%2Be");
  metadata = { token_endpoint_auth_methods_supported: ["client_secret_post"] };
  await sentBy(await clientOf(settings));
  expect(issuer.requests[3]?.headers.authorization).toBeUndefined();
  expect(issuer.requests[3]?.body).toContain("client_secret=s%2Be");
});

it("sends the client secret in the other way if the issuer does not know the client", async () => {
  grants.set("first", { id_token: token("new", 10) });
  onIssuer = (response, request) =>
    request.headers.authorization === undefined
      ? answerAsIssuer(response, request)
      : sendJson(response, { error: "invalid_client" }, 401);
  await sentBy(await clientOf({ "refresh-token": "first", "client-secret": "secret" }));
  expect(issuer.requests).toHaveLength(3);
});

it("refreshes once after a 401 response, and not again within a minute", async () => {
  const [rejected, next] = [token("rejected", 10), token("new", 10)];
  grants.set("first", { id_token: next });
  accepted = (authorization) => authorization === `Bearer ${next}`;
  const client = await clientOf({ "id-token": rejected, "refresh-token": "first" });
  expect(await sentBy(client)).toBe(`Bearer ${next}`);
  accepted = () => false;
  await expect(sentBy(client)).rejects.toMatchObject({ status: { code: 401 } });
  await expect(sentBy(client)).rejects.toMatchObject({ status: { code: 401 } });
  expect(issuer.requests).toHaveLength(2);
});

it("uses tokens that another process or a new login stored", async () => {
  const [old, stored] = [token("old", 1), token("stored", 10)];
  const client = await clientOf({ "id-token": old, "refresh-token": "first" });
  clock.step(MINUTE_MS);
  await writeKubeconfig({ "id-token": stored, "refresh-token": "second" });
  expect(await sentBy(client)).toBe(`Bearer ${stored}`);
  expect(issuer.requests).toHaveLength(0);
});

it("uses a rotated refresh token once, also for two configs of one kubeconfig", async () => {
  const next = token("new", 10);
  const file = await writeKubeconfig({ "id-token": token("old", 0), "refresh-token": "first" });
  const clients = [await configOf(file), await configOf(file)].map((config) => createRestClient(config, { clock }));
  grants.set("first", { id_token: next, refresh_token: "second" });
  const answerOnce: Answer = async (response, request) => {
    await answerAsIssuer(response, request);
    if (request.url !== DISCOVERY) grants.delete("first");
  };
  onIssuer = answerOnce;
  expect(await Promise.all(clients.map((client) => sentBy(client)))).toEqual([`Bearer ${next}`, `Bearer ${next}`]);
});

it("uses refreshed tokens that cannot be stored", async () => {
  const next = token("new", 10);
  grants.set("first", { id_token: next });
  const client = await clientOf({ "refresh-token": "first" });
  await rm(folder, { recursive: true });
  await writeFile(folder, "");
  expect(await sentBy(client)).toBe(`Bearer ${next}`);
  expect(await sentBy(client)).toBe(`Bearer ${next}`);
  expect(issuer.requests).toHaveLength(2);
});

it.each(["the first login", "a renewal"])("ends a request that waits for %s with its signal", async (which) => {
  const [first, next] = [token("first", 10), token("next", 10)];
  if (which === "a renewal") accepted = (authorization) => authorization !== `Bearer ${first}`;
  grants.set("refresh", { id_token: next });
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  onIssuer = async (response, request) => {
    await released;
    await answerAsIssuer(response, request);
  };
  const stored = which === "a renewal" ? { "id-token": first } : {};
  const client = await clientOf({ ...stored, "refresh-token": "refresh" });
  const abort = new AbortController();
  const reason = new Error("enough");
  const ended = client.request({ ...VERSION, signal: abort.signal }).catch((error: unknown) => error);
  const patient = sentBy(client);
  await until(() => issuer.requests.length > 0);
  abort.abort(reason);
  expect(await ended).toBe(reason);
  release();
  expect(await patient).toBe(`Bearer ${next}`);
});

it("reports a failed refresh without secrets and control characters, and repeats the error for 5 seconds", async () => {
  onIssuer = (response, request) =>
    request.url === DISCOVERY
      ? answerAsIssuer(response, request)
      : sendJson(response, { error: "invalid_grant", error_description: `\u001B[31m${request.body}` }, 400);
  const client = await clientOf({ "refresh-token": "t0p/secret", "client-secret": "als0-secret" });
  metadata = { token_endpoint_auth_methods_supported: ["client_secret_post"] };
  const error = (await sentBy(client).catch((cause: unknown) => cause)) as Error & { readonly reason?: string };
  expect(error).toMatchObject({ code: "CLIENT_OIDC", reason: "invalid_grant" });
  expect(error.message).toContain("invalid_grant");
  expect(error.message).not.toMatch(/t0p|als0-secret|\p{Cc}/u);
  await expect(sentBy(client)).rejects.toBe(error);
  expect(issuer.requests).toHaveLength(2);
  clock.step(5000);
  await expect(sentBy(client)).rejects.toMatchObject({ code: "CLIENT_OIDC" });
  expect(issuer.requests).toHaveLength(4);
});

it.each<{ readonly name: string; readonly answer: (response: ServerResponse) => void; readonly message: RegExp }>([
  {
    name: "a redirect",
    answer: (response) => void response.writeHead(307, { location: "https://evil.example/" }).end(),
    message: /redirects to https:\/\/evil\.example\/, which is not followed/u,
  },
  {
    name: "an endless answer",
    answer: (response) => {
      const write = (): void => {
        while (!response.destroyed && response.write("x".repeat(65_536)));
      };
      response.on("drain", write).on("error", () => undefined);
      write();
    },
    message: /longer than 1 MiB/u,
  },
  {
    name: "another issuer",
    answer: (response) => sendJson(response, { issuer: "https://evil.example" }),
    message: /evil/u,
  },
  { name: "a page", answer: (response) => void response.end("<html>"), message: /not JSON: <html>/u },
  { name: "an error", answer: (response) => sendJson(response, {}, 503), message: /status 503/u },
])("does not send the refresh token after $name", async ({ answer, message }) => {
  onIssuer = answer;
  const client = await clientOf({ "refresh-token": "first" });
  await expect(sentBy(client)).rejects.toThrow(message);
  expect(issuer.requests.map(({ body }) => body).join("")).toBe("");
});

it.each(["http://127.0.0.1/token", "https://user:password@127.0.0.1/token", "", "ftp://x"])(
  "does not send the refresh token to the endpoint %s",
  async (endpoint) => {
    metadata = { token_endpoint: endpoint };
    await expect(sentBy(await clientOf({ "refresh-token": "first" }))).rejects.toMatchObject({ code: "CLIENT_OIDC" });
    expect(issuer.requests).toHaveLength(1);
  },
);

it("does not follow a redirect of the token endpoint", async () => {
  onIssuer = (response, request) =>
    request.url === DISCOVERY
      ? answerAsIssuer(response, request)
      : void response.writeHead(308, { location: `${issuer.url}/elsewhere` }).end();
  await expect(sentBy(await clientOf({ "refresh-token": "first" }))).rejects.toThrow(/not followed/u);
  expect(issuer.requests).toHaveLength(2);
});

it("stops waiting for a silent issuer after 30 seconds", async () => {
  onIssuer = () => undefined;
  const sent = sentBy(await clientOf({ "refresh-token": "first" })).catch((error: unknown) => error);
  await until(() => issuer.requests.length > 0);
  clock.step(30_000);
  expect(await sent).toMatchObject({ message: expect.stringContaining("within 30 s") as string });
});

it("does not trust an issuer with another certificate authority", async () => {
  const other = await makeCertificate("other", [{ type: "ip", value: "127.0.0.1" }]);
  const client = await clientOf({
    "refresh-token": "first",
    "idp-certificate-authority-data": Buffer.from(other.cert).toString("base64"),
  });
  await expect(sentBy(client)).rejects.toThrow(/self-signed certificate/u);
});

it("reports an answer without an ID token, and a token that is none", async () => {
  grants.set("first", { access_token: "x" });
  await expect(sentBy(await clientOf({ "refresh-token": "first" }))).rejects.toThrow(/no ID token/u);
  grants.set("second", { id_token: "a\r\nb" });
  await expect(sentBy(await clientOf({ "refresh-token": "second" }))).rejects.toThrow(/no ID token/u);
});

it("reports an expired token without a refresh token", async () => {
  await expect(sentBy(await clientOf({ "id-token": token("old", 0) }))).rejects.toThrow(/no refresh token/u);
});
