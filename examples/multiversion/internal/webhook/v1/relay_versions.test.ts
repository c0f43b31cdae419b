import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
import { createClient, type WatchEvent } from "@kubescaffold/runtime";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { Relay } from "../../../api/v1/relay_types.ts";
import { Relay as RelayV1alpha1 } from "../../../api/v1alpha1/relay_types.ts";
import { Relay as RelayV1beta1 } from "../../../api/v1beta1/relay_types.ts";
import { startWebhookSuite, type WebhookSuite } from "./webhook_suite.ts";

const VERSIONS = [Relay, RelayV1beta1, RelayV1alpha1] as const;
const target = { host: "db.example.com", port: 5432 };

interface Scale extends KubernetesObject {
  readonly spec?: { readonly replicas?: number };
}

describe("a Relay in all its versions", () => {
  let suite: WebhookSuite;

  beforeAll(async () => {
    suite = await startWebhookSuite();
  });

  afterAll(() => suite?.stop());

  const inNamespace = (name: string): { readonly name: string; readonly namespace: string } => ({
    name,
    namespace: "default",
  });

  it("is listed in each version, regardless of the version it was written in", async () => {
    const labels = { test: "listed" };
    const metadata = (name: string): object => ({ ...inNamespace(name), labels });
    await suite.client.create(Relay.create({ metadata: metadata("a"), spec: { target, replicas: 1 } }));
    await suite.client.create(RelayV1beta1.create({ metadata: metadata("b"), spec: { target: "db:1", replicas: 2 } }));
    await suite.client.create(RelayV1alpha1.create({ metadata: metadata("c"), spec: { target: "[::1]:2", size: 3 } }));
    const options = { namespace: "default", labelSelector: "test=listed" };
    const [v1, v1beta1, v1alpha1] = await Promise.all([
      suite.client.list(Relay, options),
      suite.client.list(RelayV1beta1, options),
      suite.client.list(RelayV1alpha1, options),
    ]);
    expect(v1.items.map(({ spec }) => [spec.target.host, spec.target.port, spec.replicas])).toEqual([
      ["db.example.com", 5432, 1],
      ["db", 1, 2],
      ["::1", 2, 3],
    ]);
    expect(v1beta1.items.map(({ spec }) => [spec.target, spec.replicas])).toEqual([
      ["db.example.com:5432", 1],
      ["db:1", 2],
      ["[::1]:2", 3],
    ]);
    expect(v1alpha1.items.map(({ spec }) => [spec.target, spec.size])).toEqual([
      ["db.example.com:5432", 1],
      ["db:1", 2],
      ["[::1]:2", 3],
    ]);
  });

  it("is watched in an old version while it is written in the new one", async () => {
    const metadata = { ...inNamespace("watched"), labels: { test: "watched" } };
    const options = { namespace: "default", labelSelector: "test=watched" };
    const events = suite.client.watch(RelayV1alpha1, options)[Symbol.asyncIterator]();
    const next = async (): Promise<WatchEvent<RelayV1alpha1>> => {
      const { value, done } = await events.next();
      if (done === true) throw new Error("the watch ended");
      return value.type === "BOOKMARK" ? await next() : value;
    };
    const [added, created] = await Promise.all([
      next(),
      suite.client.create(Relay.create({ metadata, spec: { target } })),
    ]);
    expect(added).toMatchObject({
      type: "ADDED",
      object: { apiVersion: "network.demo/v1alpha1", spec: { target: "db.example.com:5432", size: 1 } },
    });
    const [modified] = await Promise.all([
      next(),
      suite.client.update({ ...created, spec: { ...created.spec, target: { host: "::1", port: 80 }, replicas: 4 } }),
    ]);
    expect(modified).toMatchObject({ type: "MODIFIED", object: { spec: { target: "[::1]:80", size: 4 } } });
    const [deleted] = await Promise.all([next(), suite.client.delete(created)]);
    expect(deleted).toMatchObject({ type: "DELETED", object: { spec: { target: "[::1]:80", size: 4 } } });
    await events.return?.();
  });

  it("is scaled in each version, through the field of that version", async () => {
    const key = inNamespace("scaled");
    await suite.client.create(Relay.create({ metadata: key, spec: { target } }));
    for (const [index, kind] of VERSIONS.entries()) {
      const relay: KubernetesObject = kind.create({ metadata: key } as never);
      const scale = await suite.client.subResource("scale").get<Scale>(relay);
      const body: Scale = { ...scale, spec: { replicas: index + 2 } };
      await suite.client.subResource("scale").update(relay, { body });
      expect((await suite.client.get(Relay, key)).spec.replicas).toBe(index + 2);
    }
    expect((await suite.client.get(RelayV1alpha1, key)).spec.size).toBe(4);
  });

  it("returns a deprecation warning only in v1alpha1", async () => {
    const warnings: string[] = [];
    const client = createClient(suite.config, { warningHandler: ({ text }) => warnings.push(text) });
    await client.list(Relay);
    await client.list(RelayV1beta1);
    expect(warnings).toEqual([]);
    await client.list(RelayV1alpha1);
    expect(warnings).toEqual(["network.demo/v1alpha1 Relay is deprecated; use network.demo/v1 Relay"]);
  });

  it("is rejected with the converter's message if conversion fails, and not stored", async () => {
    const wrong = { metadata: inNamespace("port-too-high"), spec: { target: "db:99999" } };
    const message = 'spec.target "db:99999": the port must be between 1 and 65535';
    for (const kind of [RelayV1beta1, RelayV1alpha1]) {
      await expect(suite.client.create(kind.create(wrong))).rejects.toThrow(
        `conversion webhook for ${kind.group}/${kind.version}, Kind=Relay failed: ${message}`,
      );
    }
    expect((await suite.client.list(Relay)).items.map(({ metadata }) => metadata.name)).not.toContain("port-too-high");
  });

  it("loses only the fields of the annotation if somebody invalidates it", async () => {
    const key = inNamespace("tampered");
    await suite.client.create(
      Relay.create({ metadata: key, spec: { target, listenPort: 80, limits: { connections: 7 } } }),
    );
    const old = await suite.client.get(RelayV1beta1, key);
    const annotations = { ...old.metadata.annotations, ["conversion.kubescaffold.dev/v1"]: '{"listenPort":"http"}' };
    await suite.client.update({ ...old, metadata: { ...old.metadata, annotations } });
    const { spec } = await suite.client.get(Relay, key);
    expect(spec).toEqual({ target, replicas: 1, listenPort: target.port });
  });
});
