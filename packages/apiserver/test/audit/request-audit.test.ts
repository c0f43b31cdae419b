import { describe, expect, it } from "vitest";

import type { AuditEvent } from "../../src/audit/audit-event.ts";
import type { AuditLevel } from "../../src/audit/audit-policy.ts";
import { RequestAudit } from "../../src/audit/request-audit.ts";
import type { RequestInfo } from "../../src/request/request-context.ts";
import type { ServerRequest, ServerResponse } from "../../src/request/server-request.ts";

const STATUS = '{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"NotFound","code":404}';
const POD = '{"kind":"Pod","apiVersion":"v1"}';

/** Creates the audit of a request for a Pod, with the events that it logs. */
function auditAt(level: AuditLevel): { readonly audit: RequestAudit; readonly events: AuditEvent[] } {
  const events: AuditEvent[] = [];
  const request = { path: "/x", query: new URLSearchParams(), header: () => undefined } as unknown as ServerRequest;
  const info = { isResourceRequest: true, verb: "get", resource: "pods", path: "/x" } as RequestInfo;
  const audit = new RequestAudit({
    terms: { level, omitStages: [], omitManagedFields: false },
    subject: { request, info, user: undefined, auditId: "1" },
    sink: (event) => {
      events.push(event);
      return undefined;
    },
    now: () => "2026-01-01T00:00:00.000000Z",
  });
  return { audit, events };
}

describe("a response in another form than JSON", () => {
  let printed = 0;
  const responseOf = (json: string): ServerResponse => ({
    code: 404,
    contentType: "application/vnd.kubernetes.protobuf",
    body: new Uint8Array(),
    isStatus: json === STATUS,
    json: () => {
      printed += 1;
      return json;
    },
  });

  it("is printed only if its object or its status is logged", async () => {
    printed = 0;
    await auditAt("Metadata").audit.finish(responseOf(POD), false);
    expect(printed).toBe(0);
    const metadata = auditAt("Metadata");
    await metadata.audit.finish(responseOf(STATUS), false);
    expect(metadata.events).toMatchObject([{ responseStatus: { reason: "NotFound", code: 404 } }]);
    const all = auditAt("RequestResponse");
    await all.audit.finish(responseOf(POD), false);
    expect(all.events).toMatchObject([{ responseObject: { kind: "Pod" } }]);
    expect(printed).toBe(2);
  });
});

describe("an annotation", () => {
  it("is made only if it is logged, once for each key", async () => {
    let made = 0;
    const text = (): string => String((made += 1));
    auditAt("Metadata").audit.annotate("key", text, "Request");
    expect(made).toBe(0);
    const { audit, events } = auditAt("Request");
    audit.annotate("key", text, "Request");
    audit.annotate("key", text, "Request");
    audit.annotate("absent", () => undefined);
    await audit.begin();
    expect(events).toMatchObject([{ annotations: { key: "1" } }]);
    expect(events[0]?.annotations).not.toHaveProperty("absent");
  });
});
