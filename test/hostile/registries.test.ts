import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

import { describe, expect, it, onTestFinished } from "vitest";

import type { Send } from "../../src/http/request.ts";
import { digestOf } from "../../src/image/descriptor.ts";
import { OCI_LAYER_GZIP, OCI_MANIFEST } from "../../src/image/media-type.ts";
import { pullImage } from "../../src/image/registry/pull-image.ts";
import { createRegistryClient, type RegistryOptions } from "../../src/image/registry/registry-client.ts";

const PASSWORD = { kind: "password", username: "user", password: "s3cret" } as const;
const REQUEST = { what: "pull app", path: "app/manifests/v1", scopes: ["repository:app:pull"] } as const;

interface Seen {
  readonly method: string;
  readonly path: string;
  readonly authorization: string | undefined;
  readonly body: string;
}

interface HostileServer {
  readonly host: string;
  readonly url: string;
  readonly seen: Seen[];
}

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

// A server that records all that it receives.
async function startServer(answer: Answer): Promise<HostileServer> {
  const seen: Seen[] = [];
  const server = createServer((request, response) => void record(seen, request).then(() => answer(request, response)));
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const host = `127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  return { host, url: `http://${host}`, seen };
}

async function record(seen: Seen[], request: IncomingMessage): Promise<void> {
  const { method = "", url: path = "" } = request;
  const { authorization } = request.headers;
  seen.push({ method, path, authorization, body: (await buffer(request)).toString("utf8") });
}

function challenge(realm: string): Answer {
  return (_, response) =>
    void response.writeHead(401, { "www-authenticate": `Bearer realm="${realm}",service="registry"` }).end();
}

function redirect(status: number, location: string): Answer {
  return (_, response) => void response.writeHead(status, { location }).end();
}

function token(_: IncomingMessage, response: ServerResponse): void {
  response.end(JSON.stringify({ token: "stolen" }));
}

function clientOf(registry: string, more: Partial<RegistryOptions> = {}): ReturnType<typeof createRegistryClient> {
  const wait = async (): Promise<void> => undefined;
  return createRegistryClient({ registry, credentials: PASSWORD, isInsecure: false, fetch, wait, ...more });
}

function secretsIn(...servers: readonly HostileServer[]): readonly string[] {
  return servers.flatMap(({ seen }) =>
    seen.flatMap(({ authorization = "", body }) => [authorization, body].filter(Boolean)),
  );
}

describe("a server that the registry redirects to", () => {
  it.each([301, 302, 303, 307, 308])("gets no password for its own challenge after a %i", async (status) => {
    const service = await startServer(token);
    const target = await startServer(challenge(`${service.url}/token`));
    const registry = await startServer(redirect(status, `${target.url}/elsewhere`));
    await expect(clientOf(registry.host).send(REQUEST)).rejects.toMatchObject({ code: "IMAGE_REGISTRY_UNAUTHORIZED" });
    expect(secretsIn(service, target, registry)).toEqual([]);
    expect(service.seen).toEqual([]);
  });

  it("gets no password for a basic challenge", async () => {
    const target = await startServer(
      (_, response) => void response.writeHead(401, { "www-authenticate": 'Basic realm="x"' }).end(),
    );
    const registry = await startServer(redirect(307, `${target.url}/elsewhere`));
    await expect(clientOf(registry.host).send(REQUEST)).rejects.toMatchObject({ code: "IMAGE_REGISTRY_UNAUTHORIZED" });
    expect(secretsIn(target, registry)).toEqual([]);
  });

  it("gets no token, and neither does the registry when the redirect leads back to it", async () => {
    const target = await startServer((request, response) =>
      redirect(307, `${registry.url}/v2/back`)(request, response),
    );
    const registry: HostileServer = await startServer((request, response) => {
      if (request.url === "/token?service=registry&scope=repository%3Aapp%3Apull") token(request, response);
      else if (request.url === "/v2/back") response.end("found");
      else if (request.headers.authorization === undefined) challenge(`${registry.url}/token`)(request, response);
      else redirect(307, `${target.url}/elsewhere`)(request, response);
    });
    await clientOf(registry.host).send(REQUEST);
    expect(target.seen.map(({ authorization }) => authorization)).toEqual([undefined]);
    expect(registry.seen.map(({ path, authorization }) => [path.split("?")[0], authorization?.split(" ")[0]])).toEqual([
      ["/v2/app/manifests/v1", undefined],
      ["/token", "Basic"],
      ["/v2/app/manifests/v1", "Bearer"],
      ["/v2/back", undefined],
    ]);
  });

  it("gets no password for a challenge when uploads go to it", async () => {
    const service = await startServer(token);
    const target = await startServer(challenge(`${service.url}/token`));
    const registry = await startServer(token);
    const upload = { ...REQUEST, method: "PUT", path: `${target.url}/upload`, body: Buffer.from("layer") };
    await expect(clientOf(registry.host).send(upload)).rejects.toMatchObject({ code: "IMAGE_REGISTRY_UNAUTHORIZED" });
    expect(service.seen).toEqual([]);
    expect(target.seen).toEqual([{ method: "PUT", path: "/upload", authorization: undefined, body: "layer" }]);
  });
});

describe("a service of tokens", () => {
  it("that the registry names gets the password", async () => {
    const service = await startServer(token);
    const registry = await startServer((request, response) => {
      if (request.headers.authorization === "Bearer stolen") response.end("found");
      else challenge(`${service.url}/token`)(request, response);
    });
    const { bytes } = await clientOf(registry.host).send(REQUEST);
    expect(Buffer.from(bytes).toString()).toBe("found");
    expect(service.seen.map(({ authorization }) => authorization)).toEqual([
      `Basic ${Buffer.from("user:s3cret").toString("base64")}`,
    ]);
  });

  it("does not take the password along when it redirects elsewhere", async () => {
    const target = await startServer(token);
    const service = await startServer(redirect(302, `${target.url}/token`));
    const registry = await startServer(challenge(`${service.url}/token`));
    await expect(clientOf(registry.host).send(REQUEST)).rejects.toMatchObject({ code: "IMAGE_REGISTRY_UNAUTHORIZED" });
    expect(secretsIn(target)).toEqual([]);
  });

  it("does not take an identity token along when it redirects elsewhere", async () => {
    const target = await startServer(token);
    const service = await startServer(redirect(307, `${target.url}/token`));
    const registry = await startServer(challenge(`${service.url}/token`));
    const credentials = { kind: "identity-token", token: "s3cret" } as const;
    await expect(clientOf(registry.host, { credentials }).send(REQUEST)).rejects.toMatchObject({
      code: "IMAGE_REGISTRY_UNSAFE",
    });
    expect(target.seen).toEqual([]);
  });

  it.each([
    "http://127.0.0.1:1/token",
    "http://tokens.example/token",
    "ftp://tokens.example/token",
    "https://user:password@tokens.example/token",
  ])("at %s gets nothing of a registry that speaks HTTPS", async (realm) => {
    const asked: string[] = [];
    const send: Send = async (url) => {
      asked.push(url);
      return new Response("", { status: 401, headers: { "www-authenticate": `Bearer realm="${realm}"` } });
    };
    await expect(clientOf("registry.example", { fetch: send }).send(REQUEST)).rejects.toMatchObject({
      code: "IMAGE_REGISTRY_UNAUTHORIZED",
    });
    expect(asked).toEqual(["https://registry.example/v2/app/manifests/v1"]);
  });

  it.each([
    ["nothing that is JSON", "<html>"],
    ["no text as the token", '{"token":{"a":1}}'],
    ["a token with a line end", '{"token":"a\\r\\nX-Evil: 1"}'],
  ])("answers with %s, which is no token", async (_, body) => {
    const service = await startServer((__, response) => void response.end(body));
    const registry = await startServer(challenge(`${service.url}/token`));
    await expect(clientOf(registry.host).send(REQUEST)).rejects.toMatchObject({
      code: "IMAGE_REGISTRY_UNAUTHORIZED",
      message: expect.stringContaining("responded without a token") as unknown,
    });
  });

  it("may not answer with more than a token", async () => {
    const service = await startServer((_, response) => void response.end(`{"token":"${"a".repeat(2 ** 21)}"}`));
    const registry = await startServer(challenge(`${service.url}/token`));
    await expect(clientOf(registry.host).send(REQUEST)).rejects.toMatchObject({ code: "IMAGE_REGISTRY_UNSAFE" });
  });
});

describe("a registry", () => {
  it("that speaks HTTPS may not redirect to HTTP", async () => {
    const target = await startServer((_, response) => void response.end("found"));
    const registry = await startServer(redirect(302, `${target.url}/blob`));
    // The name stands for a registry with a certificate.
    const send: Send = (url, init) => fetch(url.replace("https://registry.example", registry.url), init);
    await expect(clientOf("registry.example", { fetch: send }).send(REQUEST)).rejects.toMatchObject({
      code: "IMAGE_REGISTRY_UNSAFE",
      message: expect.stringContaining("without encryption") as unknown,
    });
    expect(target.seen).toEqual([]);
  });

  it("that speaks HTTPS may not take uploads over HTTP", async () => {
    const target = await startServer((_, response) => void response.end());
    const upload = { ...REQUEST, method: "PUT", path: `${target.url}/upload`, body: Buffer.from("layer") };
    await expect(clientOf("registry.example").send(upload)).rejects.toMatchObject({ code: "IMAGE_REGISTRY_UNSAFE" });
    expect(target.seen).toEqual([]);
  });

  it("may redirect five times and no more", async () => {
    const registry: HostileServer = await startServer(({ url = "" }, response) => {
      const left = Number(new URL(url, registry.url).searchParams.get("left") ?? "6");
      if (left === 0) response.end("found");
      else response.writeHead(302, { location: `/v2/x?left=${String(left - 1)}` }).end();
    });
    const client = clientOf(registry.host);
    expect(await client.send({ ...REQUEST, path: "x?left=5" })).toMatchObject({ status: 200 });
    await expect(client.send({ ...REQUEST, path: "x?left=6" })).rejects.toMatchObject({
      code: "IMAGE_REGISTRY_UNSAFE",
      message: expect.stringContaining("redirects more than 5 times") as unknown,
    });
  });

  it.each(["file:///etc/passwd", "data:text/plain,x", "ftp://x/y", "http://user:password@127.0.0.1/x", "http://["])(
    "may not redirect to %s",
    async (location) => {
      const registry = await startServer(redirect(302, location));
      await expect(clientOf(registry.host).send(REQUEST)).rejects.toMatchObject({ code: "IMAGE_REGISTRY_UNSAFE" });
    },
  );

  it.each([
    ["states a length beyond that of manifests", { "content-length": String(5 * 2 ** 20) }],
    ["goes on after the length of manifests", {}],
  ])("is left when it %s", async (_, headers) => {
    const registry = await startServer((__, response) => endless(response, headers));
    await expect(clientOf(registry.host).send(REQUEST)).rejects.toMatchObject({
      code: "IMAGE_REGISTRY_UNSAFE",
      message: expect.stringContaining("exceeds 4194304 bytes") as unknown,
    });
    expect(registry.seen).toHaveLength(1);
  });

  it("is left when its failure has no end", async () => {
    const registry = await startServer((_, response) => {
      response.statusCode = 403;
      endless(response);
    });
    await expect(clientOf(registry.host).send(REQUEST)).rejects.toMatchObject({ code: "IMAGE_REGISTRY_DENIED" });
  });

  it("may send a blob of the length of its descriptor, and no more", async () => {
    const layer = Buffer.from("layer");
    const registry = await startServer(({ url = "" }, response) => {
      if (url.includes("/manifests/")) response.end(JSON.stringify({ schemaVersion: 2, mediaType: OCI_MANIFEST }));
      else if (url.endsWith(digestOf(layer))) response.end(layer);
      else endless(response);
    });
    const reference = { registry: registry.host, repository: "app", tag: "v1" };
    const cache = { read: () => undefined, write: () => undefined };
    const image = await pullImage(clientOf(registry.host), reference, cache);
    const descriptor = { mediaType: OCI_LAYER_GZIP, digest: digestOf(layer), size: layer.byteLength };
    expect(Buffer.from(await image.readBlob(descriptor)).toString()).toBe("layer");
    const other = { ...descriptor, digest: digestOf(Buffer.from("other")) };
    await expect(image.readBlob(other)).rejects.toMatchObject({ code: "IMAGE_REGISTRY_UNSAFE" });
    const foreign = await startServer((_, response) => void response.end(layer));
    const elsewhere = { ...descriptor, urls: [`${foreign.url}/layer`] };
    await image.readBlob(elsewhere);
    expect(foreign.seen).toEqual([]);
  });

  it.each([
    ["no headers", () => undefined],
    ["a body that stops", (response: ServerResponse) => void response.writeHead(200).write("begun")],
  ])("is left when it sends %s", async (_, answer) => {
    const registry = await startServer((__, response) => answer(response));
    const timeouts = { headersMs: 50, idleMs: 50 };
    await expect(clientOf(registry.host, { timeouts }).send(REQUEST)).rejects.toMatchObject({
      code: "IMAGE_REGISTRY_UNREACHABLE",
      message: expect.stringContaining("for 50 ms") as unknown,
    });
  });

  it("cannot make the terminal obey what it says", async () => {
    const message = "\u001B]0;owned\u0007\u009B2J";
    const registry = await startServer(
      (_, response) => void response.writeHead(404).end(JSON.stringify({ errors: [{ code: "X", message }] })),
    );
    const error: unknown = await clientOf(registry.host)
      .send(REQUEST)
      .catch((cause: unknown) => cause);
    expect((error as Error).message).not.toMatch(/\p{Cc}/u);
  });
});

// Writes for as long as somebody reads.
function endless(response: ServerResponse, headers: Readonly<Record<string, string>> = {}): void {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  const part = Buffer.alloc(65_536);
  const go = (): void => {
    while (!response.destroyed) if (!response.write(part)) break;
  };
  response.on("drain", go).on("error", () => undefined);
  go();
}
