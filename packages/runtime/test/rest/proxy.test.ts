import { createServer } from "node:http";
import { connect, type AddressInfo } from "node:net";

import { afterEach, describe, expect, it } from "vitest";

import { proxyFor } from "../../src/rest/pool-sender.ts";
import { createRestClient } from "../../src/rest/rest-client.ts";
import { sendJson, startServer } from "./recording-server.ts";

const cleanUps: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) {
    await cleanUp();
  }
});

describe("choosing a proxy", () => {
  const environment = {
    HTTPS_PROXY: "http://proxy:1",
    http_proxy: "proxy:2",
    NO_PROXY:
      "10.0.0.0/8,.svc,plain.host,h:99,fd00::/8,2001:db8::1,[2001:db8::2]:99,192.0.2.7,tls:443,1.2.3.4/x,/,fe80::/200",
  };

  it.each([
    ["https://example.com", "http://proxy:1"],
    ["http://example.com", "http://proxy:2"],
    ["https://10.96.0.1:443", undefined],
    ["https://11.96.0.1:443", "http://proxy:1"],
    ["https://api.svc", undefined],
    ["https://svc", "http://proxy:1"],
    ["https://plain.host", undefined],
    ["https://sub.plain.host", undefined],
    ["https://notplain.host", "http://proxy:1"],
    ["https://h:99", undefined],
    ["https://h:98", "http://proxy:1"],
    ["https://tls", undefined],
    ["http://tls", "http://proxy:2"],
    ["https://[fd12::1]:6443", undefined],
    ["https://[fe80::1]:6443", "http://proxy:1"],
    ["https://[2001:db8::1]:6443", undefined],
    ["https://[2001:db8:0::1]", undefined],
    ["https://[2001:db8::2]:99", undefined],
    ["https://[2001:db8::2]:98", "http://proxy:1"],
    ["https://192.0.2.7:6443", undefined],
    ["https://192.0.2.8:6443", "http://proxy:1"],
    ["https://localhost:6443", undefined],
    ["https://127.0.0.1:6443", undefined],
    ["https://[::1]:6443", undefined],
  ])("%s goes through %s", (server, expected) => {
    expect(proxyFor({ server }, environment)).toBe(expected);
  });

  it("the config's proxy counts more than the environment, also for this machine", () => {
    expect(proxyFor({ server: "https://localhost", proxyUrl: "http://mine:3" }, environment)).toBe("http://mine:3");
    expect(proxyFor({ server: "https://example.com" }, { NO_PROXY: "*", HTTPS_PROXY: "http://p" })).toBeUndefined();
    expect(proxyFor({ server: "https://example.com" }, {})).toBeUndefined();
  });
});

describe("using a proxy", () => {
  it("requests reach the server through the proxy of the config", async () => {
    const server = await startServer((response) => sendJson(response, { ok: true }));
    cleanUps.push(() => server.close());
    let passed = 0;
    const proxy = createServer((request, response) => {
      passed += 1;
      void fetch(request.url ?? "").then(async (answer) => response.end(await answer.text()));
    });
    proxy.on("connect", (request, socket, head) => {
      passed += 1;
      const [host = "", port = ""] = (request.url ?? "").split(":");
      const upstream = connect(Number(port), host, () => {
        socket.write("HTTP/1.1 200 OK\r\n\r\n");
        upstream.write(head);
        upstream.pipe(socket).pipe(upstream);
      });
      upstream.on("error", () => socket.destroy());
      socket.on("error", () => upstream.destroy());
    });
    await new Promise<void>((resolve) => {
      proxy.listen(0, "127.0.0.1", resolve);
    });
    cleanUps.push(
      () =>
        new Promise((resolve) => {
          proxy.close(() => resolve());
          proxy.closeAllConnections();
        }),
    );
    const proxyUrl = `http://127.0.0.1:${String((proxy.address() as AddressInfo).port)}`;
    const client = createRestClient({ server: server.url, proxyUrl });
    cleanUps.push(() => client.close());
    expect(await client.request({ method: "GET", path: "/version" })).toEqual({ ok: true });
    expect(passed).toBe(1);
  });

  it("requests fail for a proxy whose address is not a URL", async () => {
    const client = createRestClient({ server: "http://192.0.2.1", proxyUrl: "http://[" });
    cleanUps.push(() => client.close());
    await expect(client.request({ method: "GET", path: "/version" })).rejects.toMatchObject({
      code: "CLIENT_INVALID_CONFIG",
      message: 'cannot use the rest config: the address of the proxy "http://[" is not a URL',
    });
  });
});
