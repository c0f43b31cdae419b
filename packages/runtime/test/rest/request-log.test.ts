import { execFileSync } from "node:child_process";

import type { RestConfig } from "@kubescaffold/k8s";
import { afterEach, describe, expect, it } from "vitest";

import { withLogger } from "../../src/log/call-scope.ts";
import { createRecordingLogger, type LogRecord } from "../../src/log/logger.ts";
import { type RequestLogDetail, requestLogDetails } from "../../src/rest/request-log.ts";
import { createRestClient } from "../../src/rest/rest-client.ts";
import { sendJson, startServer, type RecordingServer } from "./recording-server.ts";

const cleanUps: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});

async function requestOnce(
  requestLog: readonly RequestLogDetail[],
  config: Partial<RestConfig> = {},
): Promise<{ readonly records: readonly LogRecord[]; readonly server: RecordingServer }> {
  const server = await startServer((response) => {
    response.setHeader("x-kubernetes-pf-flowschema-uid", "flow-1");
    response.setHeader("x-kubernetes-pf-prioritylevel-uid", "level-1");
    response.setHeader("set-cookie", "session=secret");
    sendJson(response, {}, 201);
  });
  const log = createRecordingLogger();
  const credentials = { kind: "token", token: "secret" } as const;
  const client = createRestClient({ server: server.url, credentials, ...config }, { log, requestLog });
  cleanUps.push(
    () => server.close(),
    () => client.close(),
  );
  await client.request({ method: "POST", path: "/api/v1/pods", query: { a: "it's" }, body: { secret: "secret" } });
  expect(JSON.stringify(log.records)).not.toContain('secret"');
  return { records: log.records, server };
}

describe("requestLog", () => {
  it("logs nothing by default", async () => {
    expect((await requestOnce([])).records).toEqual([]);
  });

  it("logs URL, time, status, and the levels of priority and fairness, as Go clients at verbosity 6", async () => {
    const { records, server } = await requestOnce(requestLogDetails(6));
    expect(records).toMatchObject([
      {
        name: "rest",
        message: "response",
        fields: {
          verb: "POST",
          url: `${server.url}/api/v1/pods?a=it%27s`,
          milliseconds: expect.any(Number) as number,
          status: 201,
          flowSchema: "flow-1",
          priorityLevel: "level-1",
        },
      },
    ]);
  });

  it("masks credentials and cookies in headers", async () => {
    const { records } = await requestOnce(requestLogDetails(8));
    expect(records.map(({ message, fields }) => [message, fields["headers"]])).toMatchObject([
      ["request", { authorization: "Bearer <masked>", "content-type": "application/json" }],
      ["response", { "set-cookie": "<masked>", "content-type": "application/json" }],
    ]);
    const proxied = await requestOnce(["request-headers"], { credentials: { kind: "anonymous" } });
    expect(proxied.records[0]?.fields["headers"]).not.toHaveProperty("authorization");
  });

  it("logs a curl command that a shell reads as the same request, without the token", async () => {
    const { records, server } = await requestOnce(requestLogDetails(9), { userAgent: "it's $HOME `me`" });
    const command = String(records[0]?.fields["curlCommand"]);
    const words = execFileSync("sh", ["-c", `printf '%s\\n' ${command}`], { encoding: "utf8" })
      .trim()
      .split("\n");
    expect(words.slice(0, 3)).toEqual(["curl", "-v", "-XPOST"]);
    expect(words).toEqual(expect.arrayContaining(["user-agent: it's $HOME `me`", "authorization: Bearer <masked>"]));
    expect(words.at(-1)).toBe(`${server.url}/api/v1/pods?a=it%27s`);
  });

  it("logs requests without a response, with the logger of the reconcile", async () => {
    const log = createRecordingLogger();
    const client = createRestClient({ server: "http://127.0.0.1:1" }, { requestLog: ["url-timing"] });
    cleanUps.push(() => client.close());
    const call = withLogger(log, () => client.request({ method: "POST", path: "/api" }));
    await expect(call).rejects.toMatchObject({ code: "CLIENT_UNREACHABLE" });
    expect(log.records).toMatchObject([{ message: "no response", fields: { url: "http://127.0.0.1:1/api" } }]);
  });

  it.each([
    [0, 0],
    [5, 0],
    [7, 3],
    [10, 4],
  ])("verbosity %i has %i details", (verbosity, details) => {
    expect(requestLogDetails(verbosity)).toHaveLength(details);
  });
});

describe("authProxyUser", () => {
  it("becomes the headers of an authenticating proxy, beside impersonation", async () => {
    const { server } = await requestOnce([], {
      authProxyUser: { userName: "ann", uid: "7", groups: ["a", "b"], extra: { "Acme.com/Role": ["x", "y"] } },
      impersonate: { userName: "bob" },
    });
    expect(server.requests[0]?.headers).toMatchObject({
      "x-remote-user": "ann",
      "x-remote-uid": "7",
      "x-remote-group": "a, b",
      "x-remote-extra-acme.com%2frole": "x, y",
      "impersonate-user": "bob",
    });
  });
});
