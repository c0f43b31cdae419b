import { readFileSync } from "node:fs";

import { describe, expect, it } from "vitest";

import { UNSUPPORTED } from "../../src/request/failures.ts";
import { TestServer } from "../support/test-server.ts";

const DOCS = new URL("../../../../docs/verification/embedded-server-differences.md", import.meta.url);

describe("UNSUPPORTED", () => {
  it("is the table in the docs", () => {
    const [, section = ""] = readFileSync(DOCS, "utf8").split("\n## Not implemented\n");
    const rows = [...section.matchAll(/^\| `([a-z-]+)` \| (.+?) \|$/gmu)];
    expect(Object.fromEntries(rows.map(([, name, text]) => [name, text]))).toEqual(UNSUPPORTED);
  });

  it.each([
    ["GET", "/api/v1/namespaces/default/pods/p/log", undefined, {}, "logs (kubectl logs)"],
    ["GET", "/api/v1/namespaces/default/pods/p/exec?command=ls", undefined, { Upgrade: "websocket" }, "exec (kubectl"],
    ["POST", "/api/v1/namespaces/default/pods/p/exec?command=ls", undefined, { Upgrade: "SPDY/3.1" }, "kubectl cp"],
    ["POST", "/api/v1/namespaces/default/pods/p/attach", undefined, { Upgrade: "SPDY/3.1" }, "kubectl attach"],
    ["GET", "/api/v1/namespaces/default/pods/p/portforward", undefined, { Upgrade: "websocket" }, "port-forward"],
    ["GET", "/api/v1/namespaces/default/pods/p/proxy/a/b", undefined, {}, "proxies to pods"],
    ["GET", "/api/v1/namespaces/default/services/s:80/proxy/", undefined, {}, "proxies to pods, services"],
    ["GET", "/api/v1/nodes/node-0/proxy/metrics", undefined, {}, "and nodes"],
    ["POST", "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", {}, {}, "no storage and no handler"],
  ])("is answered with 501: %s %s", async (method, path, body, headers: Record<string, string>, words) => {
    const answer = await new TestServer().call(method, path, body, headers);
    expect([answer.code, answer.body.reason]).toEqual([501, "NotImplemented"]);
    expect(answer.body.message).toContain(words);
  });
});
