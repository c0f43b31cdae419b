import { createServer } from "node:https";
import type { AddressInfo } from "node:net";

import { createCertificateAuthority } from "@kubescaffold/cluster";
import { describe, expect, it, onTestFinished } from "vitest";

import { createRegistryClient, type RegistryRequest } from "../../../src/image/registry/registry-client.ts";
import { TestRegistry } from "../../support/test-registry.ts";

const REQUEST: RegistryRequest = { what: "pull x", path: "x/manifests/v1", scopes: ["repository:x:pull"] };

function clientOf(
  registry: string,
  more: Partial<Parameters<typeof createRegistryClient>[0]> = {},
): {
  readonly client: ReturnType<typeof createRegistryClient>;
  readonly waits: number[];
} {
  const waits: number[] = [];
  const wait = async (ms: number): Promise<void> => void waits.push(ms);
  const client = createRegistryClient({ registry, credentials: undefined, isInsecure: false, fetch, wait, ...more });
  return { client, waits };
}

function addressOf(input: string | URL | Request): string {
  return input instanceof Request ? input.url : input.toString();
}

async function certificate(): Promise<{ readonly cert: string; readonly key: string }> {
  const authority = await createCertificateAuthority("test");
  return authority.issueServer({ dnsNames: ["localhost"], ipAddresses: ["127.0.0.1"] });
}

async function registryWith(text: string): Promise<TestRegistry> {
  const registry = await TestRegistry.start();
  registry.repository("x").manifests.set("v1", { mediaType: "application/json", bytes: Buffer.from(text) });
  return registry;
}

describe("createRegistryClient", () => {
  it("asks again when the registry stumbles or breaks off, and waits longer each time", async () => {
    const registry = await registryWith("found");
    const faults = [{ kind: "status", status: 503 }, { kind: "cut" }, { kind: "status", status: 500 }] as const;
    registry.fault = () => faults[registry.seen.length - 1];
    const { client, waits } = clientOf(registry.host);
    const { bytes } = await client.send(REQUEST);
    expect(Buffer.from(bytes).toString()).toBe("found");
    expect(waits).toEqual([500, 1000, 2000]);
  });

  it("waits as long as the registry asks for, within reason", async () => {
    const registry = await registryWith("found");
    const after = ["7", "3600"];
    registry.fault = () => {
      const seconds = after[registry.seen.length - 1];
      return seconds === undefined ? undefined : { kind: "status", status: 429, headers: { "retry-after": seconds } };
    };
    const { client, waits } = clientOf(registry.host);
    await client.send(REQUEST);
    expect(waits).toEqual([7000, 30_000]);
  });

  it("gives up after five attempts", async () => {
    const registry = await registryWith("found");
    registry.fault = () => ({ kind: "status", status: 502 });
    const { client } = clientOf(registry.host);
    await expect(client.send(REQUEST)).rejects.toMatchObject({
      code: "IMAGE_REGISTRY_FAILED",
      message: "cannot pull x: the registry responded with 502",
    });
    expect(registry.seen).toHaveLength(5);
  });

  it.each([
    [401, "IMAGE_REGISTRY_UNAUTHORIZED"],
    [403, "IMAGE_REGISTRY_DENIED"],
    [404, "IMAGE_REGISTRY_NOT_FOUND"],
    [400, "IMAGE_REGISTRY_FAILED"],
  ])("asks once when the registry responded with %i, which is %s", async (status, code) => {
    const registry = await registryWith("found");
    registry.fault = () => ({ kind: "status", status });
    await expect(clientOf(registry.host).client.send(REQUEST)).rejects.toMatchObject({ code });
    expect(registry.seen).toHaveLength(1);
  });

  it("says what the registry says", async () => {
    const registry = await TestRegistry.start();
    await expect(clientOf(registry.host).client.send(REQUEST)).rejects.toThrow(
      "cannot pull x: the registry responded with 404 (MANIFEST_UNKNOWN: v1)",
    );
  });

  it("says that nothing answers", async () => {
    const registry = await TestRegistry.start();
    registry.fault = () => ({ kind: "cut" });
    await expect(clientOf(registry.host).client.send(REQUEST)).rejects.toMatchObject({
      code: "IMAGE_REGISTRY_UNREACHABLE",
    });
  });

  it("does not ask again for a host that there is not", async () => {
    const missing = (): Promise<Response> =>
      Promise.reject(new TypeError("fetch failed", { cause: Object.assign(new Error("no"), { code: "ENOTFOUND" }) }));
    const { client, waits } = clientOf("registry.invalid", { fetch: missing });
    await expect(client.send(REQUEST)).rejects.toMatchObject({
      code: "IMAGE_REGISTRY_UNREACHABLE",
      message: "cannot pull x: the registry does not respond (ENOTFOUND)",
    });
    expect(waits).toEqual([]);
  });

  it("does not trust a certificate that nobody vouches for", async () => {
    const server = createServer(await certificate(), (_, response) => void response.end("secret"));
    await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    // This machine is spoken to without TLS, so the address is put right on the way.
    const secure: typeof fetch = (url, init) => fetch(addressOf(url).replace(/^http:/u, "https:"), init);
    const { client, waits } = clientOf(host, { fetch: secure });
    await expect(client.send(REQUEST)).rejects.toMatchObject({
      code: "IMAGE_REGISTRY_TLS",
      hint: expect.stringContaining("NODE_EXTRA_CA_CERTS") as unknown,
    });
    expect(waits).toEqual([]);
  });

  it("buys one token for requests of the same rights, and another when it is no longer taken", async () => {
    const registry = await registryWith("found");
    registry.auth = { kind: "bearer", username: "u", password: "p", anonymousPull: true };
    const { client } = clientOf(registry.host);
    const tokens = (): number => registry.seen.filter(({ path }) => path.startsWith("/token")).length;
    await client.send(REQUEST);
    await client.send(REQUEST);
    expect(tokens()).toBe(1);
    registry.forgetTokens();
    await client.send(REQUEST);
    expect(tokens()).toBe(2);
  });

  it("says so when the password is wrong, and sends it to no service without encryption", async () => {
    const registry = await registryWith("found");
    registry.auth = { kind: "bearer", username: "u", password: "p", anonymousPull: false };
    const credentials = { kind: "password", username: "u", password: "wrong" } as const;
    await expect(clientOf(registry.host, { credentials }).client.send(REQUEST)).rejects.toMatchObject({
      code: "IMAGE_REGISTRY_UNAUTHORIZED",
    });
    const asked: string[] = [];
    const foreign: typeof fetch = async (url) => {
      asked.push(addressOf(url));
      const headers = { "www-authenticate": 'Bearer realm="http://elsewhere.example/token"' };
      return new Response("", { status: 401, headers });
    };
    await expect(clientOf("registry.example", { credentials, fetch: foreign }).client.send(REQUEST)).rejects.toThrow(
      "without encryption",
    );
    expect(asked).toEqual(["https://registry.example/v2/x/manifests/v1"]);
  });

  it("shows its token to the registry alone, not to the server that an upload goes to", async () => {
    const seen: (string | null)[] = [];
    const recording: typeof fetch = async (url, init) => {
      const authorization = new Headers(init?.headers).get("authorization");
      seen.push(authorization);
      const isOwn = addressOf(url).startsWith("https://registry.example/");
      const headers = { "www-authenticate": 'Basic realm="x"' };
      return isOwn && authorization === null
        ? new Response("", { status: 401, headers })
        : new Response("", { status: 201 });
    };
    const credentials = { kind: "password", username: "u", password: "p" } as const;
    const { client } = clientOf("registry.example", { credentials, fetch: recording });
    await client.send(REQUEST);
    await client.send({ ...REQUEST, path: "https://uploads.example/1", method: "PUT" });
    expect(seen).toEqual([null, "Basic dTpw", null]);
  });
});
