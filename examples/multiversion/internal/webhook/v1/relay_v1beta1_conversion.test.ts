import path from "node:path";

import { checkRoundTrips } from "@kubescaffold/envtest";
import { describe, expect, it } from "vitest";

import { RelayHub } from "../../../api/v1/relay_conversion.ts";
import type { RelayLimits } from "../../../api/v1/relay_types.ts";
import { relayConverter } from "../../../api/v1beta1/relay_conversion.ts";
import { Relay } from "../../../api/v1beta1/relay_types.ts";
import { randomRelayValue } from "./random_relays.ts";
import { startWebhookSuite } from "./webhook_suite.ts";

const ANNOTATION = "conversion.kubescaffold.dev/v1";
const BASES = path.join(import.meta.dirname, "../../..", "config", "crd", "bases");

function hubWith(limits: RelayLimits): RelayHub {
  const spec = { target: { host: "db", port: 80 }, replicas: 2, limits };
  return RelayHub.create({ metadata: { name: "limited" }, spec });
}

describe("conversion between Relay v1beta1 and v1", () => {
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

  it.each<[RelayLimits, number | undefined, readonly object[] | undefined]>([
    [{ idleSeconds: 60 }, 60, undefined],
    [{ connections: 5 }, undefined, [{ path: ["spec", "limits"], is: { connections: 5 } }]],
    [{ connections: 5, idleSeconds: 60 }, 60, [{ path: ["spec", "limits", "connections"], is: 5 }]],
    [{}, undefined, [{ path: ["spec", "limits"], is: {} }]],
  ])("moves idleSeconds out of the limits %j, and keeps the rest", (limits, idleSeconds, kept) => {
    const hub = hubWith(limits);
    const spoke = relayConverter.convertFrom(hub);
    expect(spoke.spec.idleSeconds).toBe(idleSeconds);
    const annotation = spoke.metadata.annotations?.[ANNOTATION];
    expect(annotation === undefined ? undefined : JSON.parse(annotation)).toEqual(kept);
    expect(relayConverter.convertTo(spoke)).toEqual(hub);
  });

  it("prefers idleSeconds to the annotation", () => {
    const spoke = relayConverter.convertFrom(hubWith({ connections: 5, idleSeconds: 60 }));
    const changed = { ...spoke, spec: { ...spoke.spec, idleSeconds: 30 } };
    expect(relayConverter.convertTo(changed).spec.limits).toEqual({ connections: 5, idleSeconds: 30 });
    const { idleSeconds: _idleSeconds, ...endless } = spoke.spec;
    expect(relayConverter.convertTo({ ...spoke, spec: endless }).spec.limits).toEqual({ connections: 5 });
  });

  it("is called by the API server for v1beta1 objects", async () => {
    const suite = await startWebhookSuite();
    try {
      const key = { name: "converted-v1beta1", namespace: "default" };
      const spec = { target: "[2001:db8::1]:443", replicas: 3, idleSeconds: 60 };
      const created = await suite.client.create(Relay.create({ metadata: key, spec }));
      const hub = await suite.client.get(RelayHub, key);
      expect(hub).toMatchObject({ apiVersion: "network.demo/v1", metadata: { uid: created.metadata.uid } });
      expect(hub.spec).toEqual({
        target: { host: "2001:db8::1", port: 443 },
        replicas: 3,
        limits: { idleSeconds: 60 },
        listenPort: 443,
      });
      expect((await suite.client.get(Relay, key)).spec).toEqual(spec);
    } finally {
      await suite.stop();
    }
  }, 120_000);
});
