import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { createEmbeddedCluster, type EmbeddedCluster } from "@kubescaffold/cluster";
import { afterEach, describe, expect, it } from "vitest";

import type { AuditEvent } from "../../src/audit/audit-event.ts";
import type { AuditPolicy, AuditPolicyRule } from "../../src/audit/audit-policy.ts";
import { configMapOf, type Requests, requestsOf } from "../support/cluster-requests.ts";

const CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";

let cluster: EmbeddedCluster;

afterEach(async () => cluster.close());

function logging(policy: AuditPolicy): { readonly events: AuditEvent[]; readonly admin: Requests } {
  const events: AuditEvent[] = [];
  cluster = createEmbeddedCluster({ audit: { policy, onEvent: (event) => events.push(event) } });
  return { events, admin: requestsOf(cluster.config) };
}

const ruleOf = (rule: Partial<AuditPolicyRule>): AuditPolicy => ({ rules: [{ level: "Metadata", ...rule }] });

describe("the audit log", () => {
  it("has an event when a request is received, and one when its response is complete", async () => {
    const { events, admin } = logging(ruleOf({}));
    await admin.post(CONFIG_MAPS, configMapOf("one"));
    expect(events.map(({ stage }) => stage)).toEqual(["RequestReceived", "ResponseComplete"]);
    const [received, complete] = events;
    expect(complete?.auditID).toBe(received?.auditID);
    expect(complete).toMatchObject({
      level: "Metadata",
      verb: "create",
      requestURI: CONFIG_MAPS,
      user: { username: "kubernetes-admin", groups: ["system:masters", "system:authenticated"] },
      objectRef: { resource: "configmaps", namespace: "default", name: "one", apiVersion: "v1" },
      responseStatus: { code: 201 },
      annotations: { "authorization.k8s.io/decision": "allow" },
    });
    expect(complete).not.toHaveProperty("requestObject");
  });

  it("has objects by its level, without field owners if the policy omits them", async () => {
    const { events, admin } = logging(ruleOf({ level: "RequestResponse", omitManagedFields: true }));
    await admin.post(CONFIG_MAPS, configMapOf("one"));
    const last = events.at(-1) as { requestObject: object; responseObject: { metadata: object } };
    expect(last.requestObject).toMatchObject({ kind: "ConfigMap", data: { a: "1" } });
    expect(last.responseObject).toMatchObject({ metadata: { name: "one", uid: expect.any(String) as string } });
    expect(last.responseObject.metadata).not.toHaveProperty("managedFields");
  });

  it("has applied objects with integers beyond 2^53", async () => {
    const { events } = logging(ruleOf({ level: "Request", omitStages: ["RequestReceived"] }));
    const seconds = 2n ** 53n + 1n;
    const { status } = await requestsOf(cluster.config, [["content-type", "application/apply-patch+yaml"]]).patch(
      "/apis/batch/v1/namespaces/default/jobs/one?fieldManager=me",
      {
        apiVersion: "batch/v1",
        kind: "Job",
        metadata: { name: "one" },
        spec: {
          activeDeadlineSeconds: seconds,
          template: { spec: { restartPolicy: "Never", containers: [{ name: "c", image: "app:1" }] } },
        },
      },
    );
    expect(status).toBe(201);
    expect(events).toMatchObject([{ requestObject: { kind: "Job", spec: { activeDeadlineSeconds: seconds } } }]);
  });

  it("has statuses, also those that are indented", async () => {
    const { events, admin } = logging(ruleOf({ verbs: ["delete"], omitStages: ["RequestReceived"] }));
    await admin.post(CONFIG_MAPS, configMapOf("one"));
    await admin.delete(`${CONFIG_MAPS}/one?pretty=true`);
    expect(events).toMatchObject([{ responseStatus: { code: 200, status: "Success", details: { name: "one" } } }]);
  });

  it("has responses without a body, also at the level of objects", async () => {
    const { events } = logging(ruleOf({ level: "RequestResponse", omitStages: ["RequestReceived"] }));
    const { transport, credentials } = cluster.config;
    const headers = {
      authorization: `Bearer ${credentials?.kind === "token" ? credentials.token : ""}`,
      accept: "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList",
    };
    const first = await transport?.(new Request("http://cluster/apis", { headers }));
    const known = { ...headers, "if-none-match": first?.headers.get("etag") ?? "" };
    expect(await transport?.(new Request("http://cluster/apis", { headers: known }))).toMatchObject({ status: 304 });
    expect(events.map(({ responseStatus }) => responseStatus?.code)).toEqual([200, 304]);
  });

  it("has both stages of a watch, the second one when it ends", async () => {
    const { events } = logging(ruleOf({ omitStages: ["RequestReceived"] }));
    const { transport, credentials } = cluster.config;
    const token = credentials?.kind === "token" ? credentials.token : "";
    const headers = { authorization: `Bearer ${token}` };
    const response = await transport?.(new Request(`http://cluster${CONFIG_MAPS}?watch=1`, { headers }));
    expect(events.map(({ stage }) => stage)).toEqual(["ResponseStarted"]);
    await response?.body?.cancel();
    await expect.poll(() => events.map(({ stage }) => stage)).toEqual(["ResponseStarted", "ResponseComplete"]);
  });

  it("has the first matching rule decide", async () => {
    const { events, admin } = logging({
      rules: [
        { level: "None", verbs: ["get"], resources: [{ resources: ["configmaps"], resourceNames: ["secret"] }] },
        { level: "Request", resources: [{ resources: ["configmaps"] }], omitStages: ["RequestReceived"] },
        { level: "None" },
      ],
    });
    await admin.get(`${CONFIG_MAPS}/secret`);
    await admin.get(`${CONFIG_MAPS}/other`);
    await admin.get("/version");
    expect(events.map(({ level, requestURI }) => [level, requestURI])).toEqual([["Request", `${CONFIG_MAPS}/other`]]);
  });

  it("has denied requests with the user that they impersonate", async () => {
    const { events } = logging(ruleOf({ omitStages: ["RequestReceived"] }));
    await requestsOf(cluster.config, [["impersonate-user", "jane"]]).get(CONFIG_MAPS);
    expect(events).toMatchObject([
      {
        user: { username: "kubernetes-admin" },
        impersonatedUser: { username: "jane", groups: ["system:authenticated"] },
        responseStatus: { code: 403, reason: "Forbidden" },
        annotations: { "authorization.k8s.io/decision": "forbid", "authorization.k8s.io/reason": "" },
      },
    ]);
  });

  it("is a file with a line for each event", async () => {
    const folder = mkdtempSync(path.join(tmpdir(), "kubescaffold-audit-"));
    const file = path.join(folder, "logs", "audit.log");
    cluster = createEmbeddedCluster({ audit: { policy: ruleOf({}), path: file } });
    await requestsOf(cluster.config).get("/version");
    const lines = readFileSync(file, "utf8").trimEnd().split("\n");
    expect(lines.map((line) => (JSON.parse(line) as AuditEvent).stage)).toEqual([
      "RequestReceived",
      "ResponseComplete",
    ]);
    rmSync(folder, { recursive: true });
  });

  it("refuses an invalid policy when the server listens", async () => {
    const rule = { level: "Everything", nonResourceURLs: ["x"] } as unknown as AuditPolicyRule;
    cluster = createEmbeddedCluster({ audit: { policy: { rules: [rule] } } });
    await expect(cluster.listen()).rejects.toMatchObject({
      code: "APISERVER_AUDIT_POLICY",
      message: expect.stringContaining("rules[0].level: Unsupported value") as string,
    });
  });

  it("cannot be opened in a file that is no folder", async () => {
    cluster = createEmbeddedCluster({ audit: { policy: ruleOf({}), path: path.join(process.execPath, "audit.log") } });
    await expect(cluster.listen()).rejects.toMatchObject({ code: "APISERVER_AUDIT_LOG" });
  });
});
