import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";

import { type Clock, FakeClock, realClock, type Timer } from "@kubescaffold/platform/clock";
import { afterEach, describe, expect, it } from "vitest";

import type { ServiceResolver } from "../../src/http/service-address.ts";
import { WebhookClient } from "../../src/http/webhook-client.ts";
import { startReviewServer, type Reviewer, type ReviewServer } from "../admission/webhooks/review-server.ts";

const BODY = JSON.stringify({ request: { uid: "u" } });
const cleanUps: (() => unknown)[] = [];

afterEach(async () => {
  for (const work of cleanUps.splice(0).toReversed()) await work();
});

async function serve(reviewer: Reviewer, dnsNames?: readonly string[]): Promise<ReviewServer> {
  const server = await startReviewServer(reviewer, dnsNames);
  cleanUps.push(async () => server.close());
  return server;
}

function clientWith(clock = realClock, resolve: ServiceResolver = () => undefined): WebhookClient {
  const client = new WebhookClient(clock, resolve);
  cleanUps.push(() => client.close());
  return client;
}

// Each timer for an answer is followed by one for the wait after it, which is over at once.
function impatientClock(waits: number[]): Clock {
  let [passedMs, timers] = [0, 0];
  return {
    now: () => passedMs,
    monotonic: () => passedMs,
    setTimeout: (callback, delayMs) => {
      timers += 1;
      if (timers % 2 === 0) {
        waits.push(delayMs);
        passedMs += delayMs;
        setImmediate(callback);
      }
      const timer: Timer = { cancel: () => undefined, unref: () => timer };
      return timer;
    },
  };
}

function refusing(code: number, contentType: string, text: string): Reviewer {
  return (_request, response) => {
    response.writeHead(code, { "content-type": contentType }).end(text);
    return undefined;
  };
}

describe("WebhookClient", () => {
  it("posts to a URL, tells its timeout, and returns what came back", async () => {
    const server = await serve(() => ({ allowed: true }));
    const clientConfig = { url: `${server.url}/check?a=b`, caBundle: server.caBundle };
    const text = await clientWith().call({ clientConfig, body: BODY, timeoutSeconds: 7 });
    expect(JSON.parse(text)).toMatchObject({ response: { uid: "u", allowed: true } });
    expect(server.calls[0]?.url).toBe("/check?a=b&timeout=7s");
  });

  it("reaches a service where the resolver says, and checks the certificate for the service's name", async () => {
    const server = await serve(() => ({ allowed: true }), ["hook.default.svc"]);
    const asked: unknown[] = [];
    const client = clientWith(realClock, (service) => {
      asked.push(service);
      return { host: "127.0.0.1", port: server.port };
    });
    const call = async (name: string): Promise<string> =>
      client.call({
        clientConfig: { service: { namespace: "default", name, path: "/check" }, caBundle: server.caBundle },
        body: BODY,
        timeoutSeconds: 10,
      });
    expect(await call("hook")).toContain("allowed");
    expect(asked).toEqual([{ namespace: "default", name: "hook", port: 443 }]);
    await expect(call("other")).rejects.toThrow(
      'Post "https://other.default.svc:443/check?timeout=10s": tls: failed to verify certificate: x509: certificate is valid for hook.default.svc, not other.default.svc',
    );
  });

  it("fails when the answer is larger than 64 MiB", async () => {
    const chunk = Buffer.alloc(1024 * 1024, " ");
    const server = await serve((_request, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      const write = (): void => {
        while (!response.destroyed && response.write(chunk));
      };
      response.on("drain", write);
      write();
      return undefined;
    });
    const clientConfig = { url: server.url, caBundle: server.caBundle };
    await expect(clientWith().call({ clientConfig, body: BODY, timeoutSeconds: 30 })).rejects.toThrow(
      /the response exceeds 67108864 bytes$/u,
    );
  });

  it("fails when nobody knows the service", async () => {
    const clientConfig = { service: { namespace: "default", name: "hook", port: 8443 } };
    await expect(clientWith().call({ clientConfig, body: BODY, timeoutSeconds: 10 })).rejects.toMatchObject({
      code: "APISERVER_WEBHOOK_CALL",
      message: 'Post "https://hook.default.svc:8443/": service "hook" has no address',
    });
  });

  it("does not trust a certificate of another authority", async () => {
    const [server, other] = [await serve(() => ({ allowed: true })), await serve(() => ({ allowed: true }))];
    for (const caBundle of [other.caBundle, undefined]) {
      const clientConfig = { url: server.url, ...(caBundle === undefined ? {} : { caBundle }) };
      await expect(clientWith().call({ clientConfig, body: BODY, timeoutSeconds: 10 })).rejects.toThrow(
        "tls: failed to verify certificate: x509: certificate signed by unknown authority",
      );
    }
    expect(server.calls).toEqual([]);
  });

  it.each([
    [
      500,
      "text/plain",
      " out of order\n",
      'an error on the server ("out of order") has prevented the request from succeeding',
    ],
    [
      500,
      "application/json",
      "out of order",
      'an error on the server ("unknown") has prevented the request from succeeding',
    ],
    [503, "application/json", '{"kind":"Status","status":"Failure","message":"closed"}', "closed"],
    [
      503,
      "application/json",
      '{"kind":"Status","message":"closed"}',
      "the server is currently unable to handle the request",
    ],
    [
      207,
      "application/json",
      "{}",
      "the server responded with the status code 207 but did not return more information",
    ],
    [404, "text/plain", "", "the server could not find the requested resource"],
    [418, "text/plain", "", "the server responded with the status code 418 but did not return more information"],
  ])("fails on a %s of %s as client-go words it", async (code, contentType, text, message) => {
    const server = await serve(refusing(code, contentType, text));
    const clientConfig = { url: server.url, caBundle: server.caBundle };
    await expect(clientWith().call({ clientConfig, body: BODY, timeoutSeconds: 10 })).rejects.toThrow(message);
  });

  it("gives up when the time of the server's clock is over", async () => {
    const clock = new FakeClock();
    const server = await serve(() => {
      clock.step(3000);
      return undefined;
    });
    const clientConfig = { url: server.url, caBundle: server.caBundle };
    await expect(clientWith(clock).call({ clientConfig, body: BODY, timeoutSeconds: 3 })).rejects.toThrow(
      `Post "${server.url}/?timeout=3s": context deadline exceeded`,
    );
  });

  it("repeats a request whose answer says after how many seconds, ten times at most", async () => {
    const waits: number[] = [];
    const server = await serve((_request, response) => {
      response.writeHead(503, { "retry-after": "3" }).end();
      return undefined;
    });
    const clientConfig = { url: server.url, caBundle: server.caBundle };
    const call = clientWith(impatientClock(waits)).call({ clientConfig, body: BODY, timeoutSeconds: 60 });
    await expect(call).rejects.toThrow("the server is currently unable to handle the request");
    expect({ calls: server.calls.length, waits }).toEqual({ calls: 11, waits: Array.from({ length: 10 }, () => 3000) });
  });

  it("repeats a request for as long as the call may take", async () => {
    const waits: number[] = [];
    const server = await serve((_request, response) => {
      response.writeHead(429, { "retry-after": "7" }).end();
      return undefined;
    });
    const clientConfig = { url: server.url, caBundle: server.caBundle };
    const call = clientWith(impatientClock(waits)).call({ clientConfig, body: BODY, timeoutSeconds: 10 });
    await expect(call).rejects.toThrow(`Post "${server.url}/?timeout=10s": context deadline exceeded`);
    expect({ calls: server.calls.length, waits }).toEqual({ calls: 2, waits: [7000, 3000] });
  });

  it("says that nobody listens", async () => {
    const unused = createServer().listen(0, "127.0.0.1");
    await once(unused, "listening");
    const { port } = unused.address() as AddressInfo;
    await new Promise((resolve) => unused.close(resolve));
    const call = clientWith().call({
      clientConfig: { url: `https://127.0.0.1:${String(port)}` },
      body: BODY,
      timeoutSeconds: 10,
    });
    await expect(call).rejects.toThrow(`dial tcp 127.0.0.1:${String(port)}: connect: connection refused`);
  });

  it("asks again when a connection that it kept has been closed", async () => {
    let isFirst = true;
    const server = await serve((_request, response) => {
      if (isFirst) return { allowed: true };
      isFirst = true;
      response.socket?.destroy();
      return undefined;
    });
    const client = clientWith();
    const call = async (): Promise<string> =>
      client.call({ clientConfig: { url: server.url, caBundle: server.caBundle }, body: BODY, timeoutSeconds: 10 });
    await call();
    isFirst = false;
    expect(await call()).toContain("allowed");
    expect(server.calls).toHaveLength(3);
  });
});
