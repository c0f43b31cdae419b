import { StatusError } from "@kubescaffold/k8s";
import { Pod, Service } from "@kubescaffold/k8s/core/v1";
import { realClock } from "@kubescaffold/platform/clock";
import { describe, expect, it } from "vitest";

import type { LiveClient } from "../../src/client/client.ts";
import { createClient } from "../../src/client/create-client.ts";
import { raw } from "../../src/client/patches.ts";
import { silentLogger } from "../../src/log/logger.ts";
import {
  type DefinitionMigration,
  migrateDefinition,
  type MigrationResult,
} from "../../src/storage-migration/migrate-definition.ts";
import { progressInConfigMap, progressInMemory } from "../../src/storage-migration/migration-progress.ts";
import { interceptedConfig } from "../support/intercepted-config.ts";
import { serverForTests } from "../support/server-for-tests.ts";
import { StoredKind } from "./kinds-on-server.ts";

const server = serverForTests();
const TEST = { timeout: 120_000 };

async function install(versions?: readonly string[], service?: string): Promise<StoredKind> {
  return await new StoredKind(server.on.live, server.on.namespace).install(versions, service);
}

async function migrate(
  kind: StoredKind,
  options: Partial<DefinitionMigration> = {},
  client: LiveClient = kind.live,
): Promise<MigrationResult> {
  return await migrateDefinition({
    client,
    crd: kind.crd,
    fieldOwner: "migration",
    progress: progressInMemory(),
    isDryRun: false,
    pageSize: 50,
    workers: 4,
    writesPerSecond: Number.POSITIVE_INFINITY,
    propagationMs: 0,
    clock: realClock,
    signal: new AbortController().signal,
    ...options,
  });
}

/** A client whose patches of objects pass through a function; others are sent. */
function intercepted(intercept: (path: string, send: () => Promise<Response>) => Promise<Response>): LiveClient {
  const config = interceptedConfig(server.config, async (request, send) => {
    const { pathname } = new URL(request.url);
    const isRewrite = request.method === "PATCH" && pathname.includes("/things/");
    return isRewrite ? await intercept(pathname, async () => await send(request)) : await send(request);
  });
  return createClient(config, { log: silentLogger });
}

describe("migrateDefinition", () => {
  it("stores thousands of objects in the storage version, and leaves it alone in the status", TEST, async () => {
    const kind = await install();
    await kind.createMany("v1alpha1", 2000);
    await kind.change("v1");
    expect(await kind.storedVersions()).toEqual(["v1alpha1", "v1"]);
    const before = await kind.sizes("v1");
    const { outcome, counts } = await migrate(kind, { pageSize: 500, workers: 16 });
    expect(outcome).toBe("migrated");
    expect(counts).toMatchObject({ listed: 2000, deleted: 0, refused: [] });
    expect(await kind.storedVersions()).toEqual(["v1"]);
    expect(await kind.sizes("v1")).toEqual(before);
    expect(await kind.storedOtherwise("v1")).toEqual([]);
    expect((await migrate(kind)).outcome).toBe("current");
    await kind.remove("v1alpha1");
  });

  it("writes nothing in a dry run", TEST, async () => {
    const kind = await install();
    await kind.createMany("v1alpha1", 20);
    await kind.change("v1");
    const { outcome, counts } = await migrate(kind, { isDryRun: true });
    expect({ outcome, listed: counts.listed }).toEqual({ outcome: "planned", listed: 20 });
    expect(await kind.storedVersions()).toEqual(["v1alpha1", "v1"]);
    expect(await kind.storedOtherwise("v1")).toHaveLength(20);
  });

  it("leaves objects that another client writes, deletes, or recreates meanwhile as they are", TEST, async () => {
    const kind = await install();
    // Stored in v1alpha1, but with managed fields of v1.
    await kind.createMany("v1", 30);
    await kind.change("v1");
    const done = new Set<string>();
    const client = intercepted(async (path, send) => {
      const name = path.split("/").at(-1) ?? "";
      if (!done.has(name)) {
        done.add(name);
        const index = Number(name.replace("thing-", ""));
        const object = kind.object("v1", name, {});
        if (index % 3 === 0) await kind.live.patch(object, raw("application/merge-patch+json", { spec: { size: -1 } }));
        if (index % 3 === 1) await kind.live.delete(object);
        if (index % 6 === 1) await kind.live.create(kind.object("v1", name, { size: -2 }));
      }
      return await send();
    });
    const { outcome, counts } = await migrate(kind, {}, client);
    expect(outcome).toBe("migrated");
    expect(counts).toMatchObject({
      listed: 30,
      writtenByOthers: 10 + 5,
      deleted: 5,
      rewritten: 10,
      fieldsMoved: 0,
    });
    const expected = Array.from({ length: 30 }, (_, index): readonly [string, number][] => {
      const name = `thing-${String(index)}`;
      if (index % 3 === 0) return [[name, -1]];
      if (index % 6 === 1) return [[name, -2]];
      return index % 3 === 1 ? [] : [[name, index]];
    }).flat();
    expect(await kind.sizes("v1")).toEqual(Object.fromEntries(expected));
    expect(await kind.storedOtherwise("v1")).toEqual([]);
  });

  it("a leader that is killed is continued by the next one, which rewrites no object again", TEST, async () => {
    const kind = await install();
    await kind.createMany("v1alpha1", 400);
    await kind.change("v1");
    const progress = progressInConfigMap(kind.live, { name: "progress", namespace: kind.namespace });
    const killed = new AbortController();
    const patched: string[] = [];
    const client = intercepted(async (path, send) => {
      patched.push(path);
      if (patched.length === 150) killed.abort(new Error("killed"));
      return await send();
    });
    await expect(migrate(kind, { progress, signal: killed.signal }, client)).rejects.toThrow("killed");
    expect(await kind.storedVersions()).toEqual(["v1alpha1", "v1"]);
    const former = new Set(patched.splice(0).slice(0, 140));
    const { outcome } = await migrate(kind, { progress }, client);
    expect(outcome).toBe("migrated");
    expect(patched.filter((path) => former.has(path))).toEqual([]);
    expect(patched.length).toBeLessThanOrEqual(260);
    expect(await kind.storedOtherwise("v1")).toEqual([]);
    expect(await kind.storedVersions()).toEqual(["v1"]);
  });

  it("starts again when the storage version was changed back and forth meanwhile", TEST, async () => {
    const kind = await install();
    await kind.createMany("v1alpha1", 40);
    await kind.change("v1");
    let patches = 0;
    const client = intercepted(async (_, send) => {
      patches += 1;
      const response = await send();
      if (patches === 20) {
        await kind.change("v1alpha1");
        await kind.create("v1alpha1", "late", { size: 99 });
        await kind.change("v1");
      }
      return response;
    });
    const { outcome } = await migrate(kind, { workers: 1 }, client);
    expect(outcome).toBe("migrated");
    expect(await kind.storedOtherwise("v1")).toEqual([]);
    expect((await kind.sizes("v1"))["late"]).toBe(99);
  });

  it("reports the objects that the server refuses, and keeps their version in the status", TEST, async () => {
    const kind = await install();
    await kind.createMany("v1alpha1", 10);
    await kind.change("v1");
    const client = intercepted(async (path, send) =>
      path.endsWith("thing-3")
        ? Response.json(
            { kind: "Status", status: "Failure", code: 422, reason: "Invalid", message: "no" },
            { status: 422 },
          )
        : await send(),
    );
    const { outcome, counts } = await migrate(kind, {}, client);
    expect(outcome).toBe("refused");
    expect(counts.refused).toEqual([{ object: `${kind.namespace}/thing-3`, reason: "no" }]);
    expect(await kind.storedVersions()).toEqual(["v1alpha1", "v1"]);
    expect(await kind.storedOtherwise("v1")).toEqual(["thing-3"]);
  });

  it("fails with errors that concern no object, and can be repeated", TEST, async () => {
    const kind = await install();
    await kind.createMany("v1alpha1", 10);
    await kind.change("v1");
    let patches = 0;
    const client = intercepted(async (_, send) => {
      patches += 1;
      return patches === 5
        ? Response.json({ kind: "Status", status: "Failure", code: 500, reason: "InternalError" }, { status: 500 })
        : await send();
    });
    const progress = progressInMemory();
    await expect(migrate(kind, { progress }, client)).rejects.toThrow(StatusError);
    expect((await migrate(kind, { progress }, client)).outcome).toBe("migrated");
    expect(await kind.storedOtherwise("v1")).toEqual([]);
  });

  it("waits for the version of the program, and until one revision serves conversions", TEST, async () => {
    const { live, namespace } = server.on;
    const kind = await install(["v1alpha1", "v1"], "webhooks");
    await live.patch(
      { apiVersion: "apiextensions.k8s.io/v1", kind: "CustomResourceDefinition", metadata: { name: kind.crd } },
      raw("application/json-patch+json", [
        { op: "replace", path: "/spec/versions/0/storage", value: false },
        { op: "replace", path: "/spec/versions/1/storage", value: true },
      ]),
    );
    const reasonOf = async (options: Partial<DefinitionMigration> = {}): Promise<string> =>
      (await migrate(kind, options)).reason;
    expect(await reasonOf({ expectedVersion: "v2" })).toContain("is stored in v1, and this program was built for v2");
    expect(await reasonOf()).toContain("does not exist");
    const selector = { app: "webhooks" };
    await live.create(
      Service.create({ metadata: { namespace, name: "webhooks" }, spec: { selector, ports: [{ port: 443 }] } }),
    );
    expect(await reasonOf()).toContain("no Pod serves conversions");
    const pod = async (name: string, hash: string): Promise<void> => {
      await live.create(
        Pod.create({
          metadata: { namespace, name, labels: { ...selector, "pod-template-hash": hash } },
          spec: { containers: [{ name: "manager", image: "manager" }] },
        }),
      );
    };
    await pod("new", "2");
    await pod("old", "1");
    expect(await reasonOf()).toContain("Pods of 2 revisions serve conversions");
    expect(await kind.storedVersions()).toEqual(["v1alpha1", "v1"]);
    await live.delete(Pod.create({ metadata: { namespace, name: "old" } }), { gracePeriodSeconds: 0 });
    expect((await migrate(kind)).outcome).toBe("migrated");
    expect(await kind.storedVersions()).toEqual(["v1"]);
  });
});

describe("managed fields", () => {
  it("move from the version that goes, so that an applier still removes what it no longer applies", TEST, async () => {
    const kind = await install();
    await kind.create("v1alpha1", "one", { size: 1, color: "red" }, "team");
    await kind.change("v1", ["v1alpha1"]);
    expect((await migrate(kind)).outcome).toBe("migrated");
    const one = await kind.get("v1", "one");
    expect(one.metadata.managedFields).toMatchObject([
      {
        manager: "team",
        operation: "Apply",
        apiVersion: `${kind.group}/v1`,
        fieldsV1: { "f:spec": { "f:color": {}, "f:size": {} } },
      },
    ]);
    await kind.remove("v1alpha1");
    const applied = await kind.create("v1", "one", { size: 2 }, "team");
    expect(applied["spec"]).toEqual({ size: 2 });
  });

  it("are moved in a kind whose versions were migrated before one was no longer served", TEST, async () => {
    const kind = await install();
    await kind.change("v1");
    await migrate(kind);
    await kind.create("v1alpha1", "late", { size: 1 }, "team");
    await kind.change("v1", ["v1alpha1"]);
    const { outcome, counts } = await migrate(kind);
    expect({ outcome, moved: counts.fieldsMoved }).toEqual({ outcome: "migrated", moved: 1 });
    const { managedFields } = (await kind.get("v1", "late")).metadata;
    expect(managedFields?.map(({ apiVersion }) => apiVersion)).toEqual([`${kind.group}/v1`]);
  });
});
