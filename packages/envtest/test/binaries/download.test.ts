import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";

import { describe, expect, onTestFinished, test } from "vitest";

import { download, type Fetch, requireSecure } from "../../src/binaries/download.ts";

async function startServer(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
}

function redirecting(targets: Readonly<Record<string, string>>, asked: string[]): Fetch {
  return async (url) => {
    asked.push(url);
    const location = targets[url];
    return location === undefined ? new Response("found") : new Response("", { status: 302, headers: { location } });
  };
}

describe("a download", () => {
  test("follows redirects, also to other servers", async () => {
    const asked: string[] = [];
    const fetch = redirecting({ "https://a.example/x": "/y", "https://a.example/y": "https://b.example/z" }, asked);
    expect(Buffer.from(await download("https://a.example/x", fetch, { maxBytes: 5 })).toString()).toBe("found");
    expect(asked).toEqual(["https://a.example/x", "https://a.example/y", "https://b.example/z"]);
  });

  test("never leaves HTTPS for HTTP", async () => {
    const asked: string[] = [];
    const fetch = redirecting({ "https://a.example/x": "http://a.example/x" }, asked);
    await expect(download("https://a.example/x", fetch, { maxBytes: 5 })).rejects.toMatchObject({
      code: "ENVTEST_DOWNLOAD",
      message: expect.stringContaining("it is not encrypted"),
    });
    expect(asked).toEqual(["https://a.example/x"]);
  });

  test("ends after five redirects", async () => {
    const url = await startServer((_, response) => response.writeHead(302, { location: "/" }).end());
    await expect(download(url, fetch, { maxBytes: 5 })).rejects.toThrow("it redirects more than 5 times");
  });

  test.each([{ "content-length": "6" }, {}])(
    "ends where the response is too long, with headers %o",
    async (headers) => {
      const url = await startServer((_, response) => {
        response.writeHead(200, headers);
        response.write("12345");
        response.end("6");
      });
      await expect(download(url, fetch, { maxBytes: 5 })).rejects.toThrow("the response is longer than 5 bytes");
    },
  );

  test.each([
    ["no headers", false],
    ["a part of the answer", true],
  ])("ends where the server sends %s and nothing else", async (_, begins) => {
    const url = await startServer((__, response) => {
      if (begins) response.writeHead(200).write("1");
    });
    await expect(download(url, fetch, { maxBytes: 5, idleMs: 50 })).rejects.toThrow("sent nothing for 50 ms");
  });
});

describe("an address that an index names", () => {
  test.each(["http://a.example/x", "file:///etc/passwd", "no address"])("of HTTPS is not %s", (url) => {
    expect(() => requireSecure(url, "https://a.example/index.yaml")).toThrow("it is not encrypted");
  });

  test("of HTTP may have none either", () => {
    expect(requireSecure("http://a.example/x", "http://a.example/index.yaml")).toBe("http://a.example/x");
  });
});
