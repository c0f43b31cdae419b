import path from "node:path";

import { checkRoundTrips } from "@kubescaffold/envtest";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { RelayHub } from "../../../api/v1/relay_conversion.ts";
import { relayConverter } from "../../../api/v1alpha1/relay_conversion.ts";
import { Relay } from "../../../api/v1alpha1/relay_types.ts";
import { randomRelayValue } from "./random_relays.ts";
import { startWebhookSuite, type WebhookSuite } from "./webhook_suite.ts";

const ANNOTATION = "conversion.kubescaffold.dev/v1";
const BASES = path.join(import.meta.dirname, "../../..", "config", "crd", "bases");

describe("conversion between Relay v1alpha1 and v1", () => {
  it("is lossless for random objects", async () => {
    const { checked } = await checkRoundTrips({
      definition: path.join(BASES, "network.demo_relays.yaml"),
      hub: RelayHub,
      converter: relayConverter,
      values: randomRelayValue,
      runs: 500,
    });
    expect(checked).toBe(1000);
  });

  it("stores fields that v1alpha1 lacks in an annotation, which the hub does not have", () => {
    const spec = { target: { host: "::1", port: 80 }, listenPort: 8080, limits: { connections: 5, idleSeconds: 60 } };
    const hub = RelayHub.create({ metadata: { name: "kept", annotations: { note: "mine" } }, spec });
    const spoke = relayConverter.convertFrom(hub);
    expect(spoke.spec).toEqual({ target: "[::1]:80" });
    expect(JSON.parse(spoke.metadata.annotations?.[ANNOTATION] ?? "")).toEqual([
      { path: ["spec", "listenPort"], is: 8080 },
      { path: ["spec", "limits"], is: { connections: 5, idleSeconds: 60 } },
    ]);
    expect(relayConverter.convertTo(spoke)).toEqual(hub);
  });

  it("sets no annotation if there are no such fields", () => {
    const hub = RelayHub.create({ metadata: { name: "plain" }, spec: { target: { host: "db", port: 80 } } });
    const spoke = relayConverter.convertFrom(hub);
    expect(spoke.metadata).toEqual({ name: "plain" });
    expect(relayConverter.convertTo(spoke)).toEqual(hub);
  });

  it.each([
    ["db", 'spec.target "db": must be host:port'],
    ["::1:80", 'spec.target "::1:80": must be host:port, with an IPv6 address in brackets'],
    ["db:0", 'spec.target "db:0": the port must be between 1 and 65535'],
    ["db:65536", 'spec.target "db:65536": the port must be between 1 and 65535'],
  ])("does not guess what the target %s means", (target, message) => {
    const relay = Relay.create({ metadata: { name: "wrong" }, spec: { target } });
    expect(() => relayConverter.convertTo(relay)).toThrow(message);
  });

  it.each([
    "no JSON",
    "[1]",
    "null",
    '[{"path":["spec","listenPort"],"is":"http"}]',
    '[{"path":["spec","listenPort"],"is":70000}]',
    '[{"path":["spec","limits","connections"],"is":0}]',
  ])("ignores the annotation %s, so that it adds no value that the schema refuses", (text) => {
    const metadata = { name: "wrong", annotations: { [ANNOTATION]: text } };
    const hub = relayConverter.convertTo(Relay.create({ metadata, spec: { target: "db:80" } }));
    expect([hub.metadata, hub.spec]).toEqual([{ name: "wrong" }, { target: { host: "db", port: 80 } }]);
  });
});

describe("Relay v1alpha1 on an API server", () => {
  const key = { name: "converted-v1alpha1", namespace: "default" };
  let suite: WebhookSuite;

  beforeAll(async () => {
    suite = await startWebhookSuite();
  });

  afterAll(() => suite?.stop());

  it("is created in v1alpha1 and read in v1, with the defaults of the v1 webhook", async () => {
    const created = await suite.client.create(
      Relay.create({ metadata: key, spec: { target: "db.example.com:5432", size: 2 } }),
    );
    expect(created.spec).toEqual({ target: "db.example.com:5432", size: 2 });
    const hub = await suite.client.get(RelayHub, key);
    expect(hub).toMatchObject({ apiVersion: "network.demo/v1", metadata: { uid: created.metadata.uid } });
    expect(hub.spec).toEqual({ target: { host: "db.example.com", port: 5432 }, replicas: 2, listenPort: 5432 });
    expect(hub.metadata.annotations ?? {}).not.toHaveProperty(ANNOTATION);
  });

  it("preserves fields that only v1 has when it is updated in v1alpha1", async () => {
    const hub = await suite.client.get(RelayHub, key);
    await suite.client.update({ ...hub, spec: { ...hub.spec, limits: { connections: 7 } } });
    const old = await suite.client.get(Relay, key);
    await suite.client.update({ ...old, spec: { target: "db.example.com:6543", size: 3 } });
    expect((await suite.client.get(RelayHub, key)).spec).toEqual({
      target: { host: "db.example.com", port: 6543 },
      replicas: 3,
      listenPort: 5432,
      limits: { connections: 7 },
    });
  });

  it("loses those fields when a client removes the annotation", async () => {
    const { metadata, ...old } = await suite.client.get(Relay, key);
    const { [ANNOTATION]: _kept, ...annotations } = metadata.annotations ?? {};
    await suite.client.update({ ...old, metadata: { ...metadata, annotations } });
    expect((await suite.client.get(RelayHub, key)).spec).toEqual({
      target: { host: "db.example.com", port: 6543 },
      replicas: 3,
      listenPort: 6543,
    });
  });
});
