import { isInvalid } from "@kubescaffold/k8s";
import { createClient, type ServerWarning } from "@kubescaffold/runtime";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { Relay, type RelaySpec } from "../../../api/v1/relay_types.ts";
import { RelaySchema } from "../../../api/v1/zz_generated.schema.ts";
import { Relay as RelayV1beta1 } from "../../../api/v1beta1/relay_types.ts";
import { startWebhookSuite, type WebhookSuite } from "./webhook_suite.ts";

const target = { host: "db.example.com", port: 5432 };

function relay(name: string, spec: RelaySpec): Relay {
  return Relay.create({ metadata: { name, namespace: "default" }, spec });
}

// Runs the checks of the API server before admission, without a server.
describe("the schema of Relay", () => {
  it("sets the defaults", () => {
    expect(RelaySchema.applyDefaults(relay("bare", { target })).spec).toEqual({ target, replicas: 1 });
  });

  it.each<[object, string]>([
    [{ replicas: 21 }, "spec.replicas"],
    [{ listenPort: 0 }, "spec.listenPort"],
    [{ limits: { connections: 0 } }, "spec.limits.connections"],
    [{ target: { host: "", port: 1 } }, "spec.target.host"],
    [{ target: { host: "db", port: 65_536 } }, "spec.target.port"],
  ])("refuses %j", (spec, field) => {
    expect(RelaySchema.validate(relay("wrong", { target, ...spec }))).toMatchObject([{ field }]);
  });
});

describe("Relay webhook", () => {
  let suite: WebhookSuite;

  beforeAll(async () => {
    suite = await startWebhookSuite();
  });

  afterAll(() => suite?.stop());

  it("defaults listenPort to the port of the target", async () => {
    const created = await suite.client.create(relay("same-port", { target }));
    expect(created.spec).toEqual({ target, replicas: 1, listenPort: 5432 });
    await suite.client.delete(created);
    const other = await suite.client.create(relay("own-port", { target, listenPort: 80 }));
    expect(other.spec.listenPort).toBe(80);
    await suite.client.delete(other);
  });

  it.each([
    ["-db", "must be a DNS name or an IP address"],
    ["db:5432", "must be a DNS name or an IP address"],
    ["circle", "it would relay to itself"],
    ["circle.default.svc", "it would relay to itself"],
  ])("refuses the host %s", async (host, message) => {
    const refusal = suite.client.create(relay("circle", { target: { host, port: 1 } }));
    await expect(refusal).rejects.toSatisfy(isInvalid);
    await expect(refusal).rejects.toThrow(`spec.target.host: Invalid value: "${host}": `);
    await expect(refusal).rejects.toThrow(message);
  });

  it("denies invalid objects in all versions, although it is called only with v1", async () => {
    const metadata = { name: "circle", namespace: "default" };
    const refusal = suite.client.create(RelayV1beta1.create({ metadata, spec: { target: "circle.default:80" } }));
    await expect(refusal).rejects.toSatisfy(isInvalid);
    await expect(refusal).rejects.toThrow('spec.target.host: Invalid value: "circle.default"');
  });

  it("warns about a change of listenPort", async () => {
    const warnings: ServerWarning[] = [];
    const client = createClient(suite.config, { warningHandler: (warning) => warnings.push(warning) });
    const created = await client.create(relay("moving", { target }));
    const moved = await client.update({ ...created, spec: { ...created.spec, target: { ...target, port: 6543 } } });
    expect([moved.spec.listenPort, warnings]).toEqual([5432, []]);
    await client.update({ ...moved, spec: { ...moved.spec, listenPort: 6543 } });
    expect(warnings.map(({ text }) => text)).toEqual([
      "spec.listenPort was 5432: who connects to that port is no longer relayed",
    ]);
    await client.delete(moved);
  });
});
