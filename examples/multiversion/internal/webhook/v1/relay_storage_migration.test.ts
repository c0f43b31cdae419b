import { isNotFound } from "@kubescaffold/k8s";
import { CustomResourceDefinition } from "@kubescaffold/k8s/apiextensions/v1";
import { type LiveClient, patch } from "@kubescaffold/runtime";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";

import { Relay } from "../../../api/v1/relay_types.ts";
import { Relay as RelayV1beta1 } from "../../../api/v1beta1/relay_types.ts";
import { startWebhookSuite, type WebhookSuite } from "./webhook_suite.ts";

const DEFINITION = { name: "relays.network.demo" };
const WAIT = { timeout: 20_000, interval: 50 };

// Migrates a cluster from storage version v1beta1 to v1; the tests run in order and depend on each other.
describe("objects that were stored in v1beta1", () => {
  const key = { name: "from-v1beta1", namespace: "default" };
  const probe = { name: "probe", namespace: "default" };
  let suite: WebhookSuite;
  let client: LiveClient;

  beforeAll(async () => {
    suite = await startWebhookSuite();
    ({ client } = suite);
    await client.create(Relay.create({ metadata: probe, spec: { target: { host: "db", port: 1 } } }));
    await store("v1beta1");
    await setStoredVersions(["v1beta1"]);
  });

  afterAll(() => suite?.stop());

  const read = (): Promise<CustomResourceDefinition> => client.get(CustomResourceDefinition, DEFINITION);

  async function change(edit: (definition: CustomResourceDefinition) => CustomResourceDefinition): Promise<void> {
    await client.update(edit(await read()));
  }

  async function setStoredVersions(storedVersions: string[]): Promise<void> {
    const definition = await read();
    const changed = { ...definition, status: { ...definition.status, storedVersions } } as CustomResourceDefinition;
    await client.status().patch(changed, patch.mergeFrom(definition));
  }

  // An API server takes a moment to switch the storage version. After that, it also stores unchanged objects in the new version.
  async function store(version: string): Promise<void> {
    await change((definition) => withStorage(definition, version));
    await vi.waitFor(async () => expect(await isStoredAnew(probe)).toBe(true), WAIT);
  }

  async function isStoredAnew(object: { readonly name: string; readonly namespace: string }): Promise<boolean> {
    const before = await client.get(Relay, object);
    const written = await client.update(before);
    expect(written.spec).toEqual(before.spec);
    return written.metadata.resourceVersion !== before.metadata.resourceVersion;
  }

  it("are readable in v1 after the switch, and the CRD lists both stored versions", async () => {
    await client.create(
      RelayV1beta1.create({ metadata: key, spec: { target: "db.example.com:5432", idleSeconds: 9 } }),
    );
    await store("v1");
    expect((await read()).status?.storedVersions).toEqual(["v1beta1", "v1"]);
    expect((await client.get(Relay, key)).spec).toEqual({
      target: { host: "db.example.com", port: 5432 },
      replicas: 1,
      listenPort: 5432,
      limits: { idleSeconds: 9 },
    });
  });

  it("prevent the removal of their version, with a message that explains the steps", async () => {
    const refusal = change((definition) => withoutVersion(definition, "v1beta1"));
    await expect(refusal).rejects.toThrow(
      'status.storedVersions[0]: Invalid value: "v1beta1": missing from spec.versions; v1beta1 was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in v1beta1',
    );
  });

  it("are stored in v1 after a write, even without a change", async () => {
    expect(await isStoredAnew(key)).toBe(true);
    expect(await isStoredAnew(key)).toBe(false);
  });

  it("allow the removal of their version when no object is stored in it", async () => {
    await setStoredVersions(["v1"]);
    await change((definition) => withoutVersion(definition, "v1beta1"));
    await vi.waitFor(() => expect(client.list(RelayV1beta1)).rejects.toSatisfy(isNotFound), WAIT);
    expect((await client.get(Relay, key)).spec.limits).toEqual({ idleSeconds: 9 });
  });
});

function withStorage(definition: CustomResourceDefinition, stored: string): CustomResourceDefinition {
  const versions = definition.spec.versions.map((version) => ({ ...version, storage: version.name === stored }));
  return { ...definition, spec: { ...definition.spec, versions } };
}

function withoutVersion(definition: CustomResourceDefinition, gone: string): CustomResourceDefinition {
  const versions = definition.spec.versions.filter(({ name }) => name !== gone);
  return { ...definition, spec: { ...definition.spec, versions } };
}
