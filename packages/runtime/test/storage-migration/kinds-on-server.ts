import { CustomResourceDefinition } from "@kubescaffold/k8s/apiextensions/v1";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
import { vi } from "vitest";

import type { LiveClient, UnstructuredObject } from "../../src/client/client.ts";
import { raw } from "../../src/client/patches.ts";
import { parallelizeUntil } from "../../src/workqueue/parallelize.ts";

const WAIT = { timeout: 30_000, interval: 20 };
const MERGE = "application/merge-patch+json";
let kinds = 0;

/** A kind with two or more versions on a server. */
export class StoredKind {
  readonly live: LiveClient;
  readonly namespace: string;
  readonly group: string;
  readonly crd: string;

  constructor(live: LiveClient, namespace: string) {
    kinds += 1;
    this.live = live;
    this.namespace = namespace;
    this.group = `stored${String(kinds)}.demo`;
    this.crd = `things.${this.group}`;
  }

  gvk(version: string): { readonly group: string; readonly version: string; readonly kind: string } {
    return { group: this.group, version, kind: "Thing" };
  }

  /** Creates the CRD. The first version is stored. */
  async install(versions: readonly string[] = ["v1alpha1", "v1"], webhookService?: string): Promise<this> {
    const schema = {
      openAPIV3Schema: {
        type: "object",
        properties: {
          spec: { type: "object", properties: { size: { type: "integer" }, color: { type: "string" } } },
        },
      },
    };
    const webhook = {
      strategy: "Webhook" as const,
      webhook: {
        conversionReviewVersions: ["v1"],
        clientConfig: { service: { name: webhookService ?? "", namespace: this.namespace, path: "/convert" } },
      },
    };
    await this.live.create(
      CustomResourceDefinition.create({
        metadata: { name: this.crd },
        spec: {
          group: this.group,
          scope: "Namespaced",
          names: { kind: "Thing", plural: "things", singular: "thing", listKind: "ThingList" },
          versions: versions.map((name, index) => ({ name, served: true, storage: index === 0, schema })),
          ...(webhookService === undefined ? {} : { conversion: webhook }),
        },
      }),
    );
    await vi.waitFor(async () => await this.live.list(this.gvk(versions[0] ?? "")), WAIT);
    return this;
  }

  async storedVersions(): Promise<readonly string[] | undefined> {
    return (await this.read()).status?.storedVersions;
  }

  /** Changes which versions are stored and served, and waits until the server uses them. */
  async change(stored: string, unserved: readonly string[] = []): Promise<void> {
    const { spec } = await this.read();
    const versions = spec.versions.map((version) => ({
      ...version,
      storage: version.name === stored,
      served: !unserved.includes(version.name),
    }));
    await this.live.patch(this.reference(), raw(MERGE, { spec: { versions } }));
    const probe = await this.create(stored, "probe", { size: 0 });
    await vi.waitFor(async () => {
      if (await this.isRewrittenBy(stored, probe)) throw new Error(`the server does not store ${stored} yet`);
    }, WAIT);
    await this.live.delete(probe);
  }

  /** Removes a version from the CRD. */
  async remove(version: string): Promise<void> {
    const { spec } = await this.read();
    const versions = spec.versions.filter(({ name }) => name !== version);
    await this.live.patch(this.reference(), raw(MERGE, { spec: { versions } }));
  }

  async create(version: string, name: string, spec: unknown, fieldOwner = "tests"): Promise<UnstructuredObject> {
    return await this.live.apply(this.object(version, name, spec), { fieldOwner, forceOwnership: true });
  }

  async createMany(version: string, count: number): Promise<void> {
    await parallelizeUntil(
      count,
      async (index) => await this.live.create(this.object(version, `thing-${String(index)}`, { size: index })),
      { workers: 20 },
    );
  }

  object(version: string, name: string, spec: unknown): UnstructuredObject {
    const metadata = { namespace: this.namespace, name };
    return { apiVersion: `${this.group}/${version}`, kind: "Thing", metadata, spec };
  }

  async get(version: string, name: string): Promise<UnstructuredObject> {
    return await this.live.get(this.gvk(version), { namespace: this.namespace, name });
  }

  /** Returns the sizes of all objects. */
  async sizes(version: string): Promise<Readonly<Record<string, unknown>>> {
    const { items } = await this.live.list(this.gvk(version));
    return Object.fromEntries(
      items.map(({ metadata, spec }) => [metadata.name, (spec as { readonly size?: number }).size]),
    );
  }

  /** Returns the objects that are not stored in the storage version: a server writes an unchanged object only if its stored bytes differ. */
  async storedOtherwise(version: string): Promise<readonly string[]> {
    const { items } = await this.live.list(this.gvk(version));
    const names: string[] = [];
    await parallelizeUntil(
      items.length,
      async (index) => {
        const item = items[index];
        if (item !== undefined && (await this.isRewrittenBy(version, item))) names.push(item.metadata.name ?? "");
      },
      { workers: 20 },
    );
    return names.toSorted();
  }

  private async isRewrittenBy(version: string, object: KubernetesObject): Promise<boolean> {
    const { name = "" } = object.metadata;
    const before = await this.get(version, name);
    const after = await this.live.update(before);
    return after.metadata.resourceVersion !== before.metadata.resourceVersion;
  }

  private async read(): Promise<CustomResourceDefinition> {
    return await this.live.get(CustomResourceDefinition, { name: this.crd });
  }

  private reference(): CustomResourceDefinition {
    return {
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "CustomResourceDefinition",
      metadata: { name: this.crd },
    } as CustomResourceDefinition;
  }
}
