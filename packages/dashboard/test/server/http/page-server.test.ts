import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";

import { type PageServer, startPageServer } from "../../../src/server/http/page-server.ts";
import { openPage, send, type Sent, writePage } from "../support/served-page.ts";

let server: PageServer;
const posted: unknown[] = [];

beforeEach(async () => {
  posted.length = 0;
  server = await startPageServer({
    api: {
      get: async (route, query) => ({ status: 200, body: { route, query: Object.fromEntries(query) } }),
      post: async (route, body) => {
        posted.push({ route, body });
        return { status: 204 };
      },
      stream: () => false,
    },
    pageDirectory: await writePage(),
    port: 0,
  });
});

afterEach(async () => {
  await server.close();
});

function tokenPath(): string {
  const { pathname, search } = new URL(server.newAddress());
  return `${pathname}${search}`;
}

const host = (): string => `127.0.0.1:${String(server.port)}`;

describe("the address of a page", () => {
  it("is exchanged for a cookie that scripts, other sites, and other servers of the same host cannot use", async () => {
    const { pathname } = new URL(server.newAddress());
    const { status, headers, body } = await send(server.port, tokenPath());
    expect(status).toBe(200);
    const [cookie = "", ...others] = headers["set-cookie"] ?? [];
    expect(others).toEqual([]);
    expect(cookie).toMatch(/^kubescaffold-dashboard-\d+=[\w-]{43}; Path=\/[\w-]{22}\/; HttpOnly; SameSite=Strict$/u);
    expect(cookie).toContain(`; Path=${pathname};`);
    // A browser sends no strict cookie when a file led to this address and the server redirected it.
    expect(body).toContain('<meta http-equiv="refresh" content="0; url=./">');
    expect(body).not.toContain("token");
  });

  it("has another path in each server", async () => {
    const other = await startPageServer({ api: {} as never, pageDirectory: await writePage(), port: 0 });
    onTestFinished(() => other.close());
    expect(new URL(other.newAddress()).pathname).not.toBe(new URL(server.newAddress()).pathname);
  });

  it("opens nothing with a cookie alone, under another path", async () => {
    const { cookie } = await openPage(server.newAddress());
    for (const target of ["/", "/api/kinds", "/events", "/AAAAAAAAAAAAAAAAAAAAAA/", `/${"x".repeat(5000)}/api/kinds`]) {
      expect(await send(server.port, target, { headers: { cookie } })).toMatchObject({ status: 401 });
    }
  });

  it("is valid once", async () => {
    const target = tokenPath();
    await send(server.port, target);
    const second = await send(server.port, target);
    expect([second.status, second.headers["set-cookie"]]).toEqual([401, undefined]);
  });

  it("leads back to the page where it was used", async () => {
    const address = server.newAddress();
    const page = await openPage(address);
    const { headers, status } = await page.get(`/${new URL(address).search}`);
    expect([status, headers["set-cookie"]]).toEqual([200, undefined]);
  });

  it.each(["/?token=", "/?token=wrong", "/?token=%00", `/?token=${"x".repeat(5000)}`])(
    "is needed: %s",
    async (target) => {
      const { pathname, search } = new URL(server.newAddress());
      expect(await send(server.port, `${pathname}${target.slice(1)}`)).toMatchObject({ status: 401 });
      expect(await send(server.port, `/${search}`)).toMatchObject({ status: 401 });
    },
  );

  it.each(["/", "/assets/main.js", "/events", "/api/kinds", "/api/object", "/favicon.ico"])(
    "is needed for %s",
    async (target) => {
      const { pathname } = new URL(server.newAddress());
      expect(await send(server.port, target)).toMatchObject({ status: 401 });
      expect(await send(server.port, pathname + target.slice(1))).toMatchObject({ status: 401 });
      const cookie = `kubescaffold-dashboard-${String(server.port)}=${"A".repeat(43)}`;
      expect(await send(server.port, pathname + target.slice(1), { headers: { cookie } })).toMatchObject({
        status: 401,
      });
    },
  );
});

describe("the page", () => {
  it("has a policy that allows only its own files, on all responses", async () => {
    const page = await openPage(server.newAddress());
    for (const target of ["/", "/assets/main.js", "/api/kinds", "/nothing"]) {
      const { headers } = await page.get(target);
      expect(headers).toMatchObject({
        "content-security-policy":
          "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; frame-ancestors 'none'; form-action 'none'",
        "x-content-type-options": "nosniff",
        "referrer-policy": "no-referrer",
        "cache-control": "no-store",
      });
    }
    expect((await send(server.port, "/")).headers["content-security-policy"]).toContain("default-src 'none'");
  });

  it("is served with its assets and their types", async () => {
    const page = await openPage(server.newAddress());
    expect(await page.get("/")).toMatchObject({ status: 200, headers: { "content-type": "text/html; charset=utf-8" } });
    expect(await page.get("/assets/main.js")).toMatchObject({
      status: 200,
      body: "export {};",
      headers: { "content-type": "text/javascript; charset=utf-8" },
    });
  });

  it.each([
    "/assets/../../secret.js",
    `/assets/${encodeURIComponent("../../secret.js")}`,
    "/assets/%2e%2e/%2e%2e/secret.js",
    "/../secret.js",
    "/assets/.hidden.js",
    "/assets/sub/main.js",
    String.raw`/assets/..\..\secret.js`,
    "/secret.js",
    "//secret.js",
  ])("does not lead to other files: %s", async (target) => {
    const page = await openPage(server.newAddress());
    const { status, body } = await page.get(target);
    expect(body).not.toMatch(/^(?:secret|hidden)$/u);
    expect(status).toBeGreaterThanOrEqual(400);
  });
});

describe("hostile requests", () => {
  it.each(["evil.example.com", "evil.example.com:80", "127.0.0.1.evil.example.com", "127.0.0.1", "localhost:1"])(
    "with the host %j are refused, also with a token",
    async (other) => {
      expect(await send(server.port, tokenPath(), { headers: { host: other } })).toMatchObject({ status: 421 });
      const page = await openPage(server.newAddress());
      const headers = { host: other, cookie: page.cookie };
      expect(await send(server.port, `${page.base}/api/kinds`, { headers })).toMatchObject({ status: 421 });
    },
  );

  it("are not those of the host localhost", async () => {
    const page = await openPage(server.newAddress());
    const headers = { host: `localhost:${String(server.port)}`, cookie: page.cookie };
    expect(await send(server.port, `${page.base}/api/kinds`, { headers })).toMatchObject({ status: 200 });
  });

  it.each(["cross-site", "same-site"])("of a page that is %s are refused", async (site) => {
    const page = await openPage(server.newAddress());
    for (const target of ["/", "/api/kinds", "/events"]) {
      const headers = { cookie: page.cookie, "sec-fetch-site": site };
      expect(await send(server.port, page.base + target, { headers })).toMatchObject({ status: 403 });
    }
  });

  it.each<[string, Record<string, string>]>([
    ["without an origin", { origin: "" }],
    ["of another origin", { origin: "http://evil.example.com" }],
    ["of another port", { origin: "http://127.0.0.1:1" }],
    ["of a sandboxed frame", { origin: "null" }],
    ["of a form", { "content-type": "text/plain" }],
    ["of a form with parameters", { "content-type": "application/x-www-form-urlencoded" }],
    ["without the header of the page", { "x-kubescaffold-dashboard": "" }],
  ])("that write, %s, are refused", async (_, changed) => {
    const page = await openPage(server.newAddress());
    const headers = {
      cookie: page.cookie,
      origin: `http://${host()}`,
      "content-type": "application/json",
      "x-kubescaffold-dashboard": "1",
      ...changed,
    };
    const sent: Sent = { method: "POST", headers: withoutEmpty(headers), body: "{}" };
    expect(await send(server.port, `${page.base}/api/delete`, sent)).toMatchObject({ status: 403 });
    expect(posted).toEqual([]);
  });

  it.each(["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"])("with the method %s are refused", async (method) => {
    const page = await openPage(server.newAddress());
    expect(
      await send(server.port, `${page.base}/api/delete`, { method, headers: { cookie: page.cookie } }),
    ).toMatchObject({
      status: 405,
    });
  });

  it("with a body that is too large or no JSON are refused", async () => {
    const page = await openPage(server.newAddress());
    const headers = {
      cookie: page.cookie,
      origin: `http://${host()}`,
      "content-type": "application/json",
      "x-kubescaffold-dashboard": "1",
    };
    const sent = (body: string): Sent => ({ method: "POST", headers, body });
    expect(await send(server.port, `${page.base}/api/apply`, sent("{"))).toMatchObject({ status: 400 });
    const large = await send(server.port, `${page.base}/api/apply`, sent(`"${"x".repeat(3 * 1024 * 1024)}"`)).catch(
      () => undefined,
    );
    expect(large?.status ?? 413).toBe(413);
    expect(posted).toEqual([]);
  });

  it("without an origin of the page do not keep its own from being served", async () => {
    const page = await openPage(server.newAddress());
    expect(await page.post("/api/apply", { text: "a" })).toMatchObject({ status: 204 });
    expect(posted).toEqual([{ route: "apply", body: { text: "a" } }]);
  });
});

it("fails with its port when that is in use", async () => {
  const options = { api: {} as never, pageDirectory: "/nothing", port: server.port };
  await expect(startPageServer(options)).rejects.toMatchObject({ code: "ENVTEST_DASHBOARD_LISTEN" });
});

it("ends its sessions when it closes", async () => {
  const page = await openPage(server.newAddress());
  const closed = server.close();
  await closed;
  await expect(page.get("/")).rejects.toThrow("ECONNREFUSED");
  server = await startPageServer({ api: {} as never, pageDirectory: await writePage(), port: 0 });
});

function withoutEmpty(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== ""));
}
