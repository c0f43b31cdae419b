import { rmSync, writeFileSync } from "node:fs";
import path from "node:path";

import { expect, it } from "vitest";

import type { PackedProject } from "./packed-project.ts";

const CONTROLLER = "internal/controller/memcached_controller.ts";
const CONTROLLER_TEST = "internal/controller/memcached_controller.test.ts";
const CONVERSION = "api/v1alpha1/memcached_conversion.ts";

const EVERYDAY = `import { objectKey } from "@kubescaffold/k8s";
import { type Client, editable, handler, predicate } from "@kubescaffold/runtime";

import { Memcached } from "../api/v1/memcached_types.ts";

export const enqueueEach = handler.enqueueRequestsFromMapFunc<Memcached>(({ metadata: { namespace, name } }) => [{ namespace, name }]);

export const isRecreated = predicate.funcs<Memcached>({
  update: ({ objectOld, objectNew }) => objectOld.metadata.uid.localeCompare(objectNew.metadata.uid) !== 0,
});

export async function everyday(client: Client, size: number): Promise<string> {
  const input = Memcached.create({ metadata: { namespace: "default", generateName: "m-" }, spec: {} });
  const read = await client.get(Memcached, objectKey(await client.create(input)));
  // @ts-expect-error -- what a client returns is frozen
  read.spec.size = 2;
  const changed = editable(read);
  changed.spec = { ...changed.spec, size };
  const { uid, resourceVersion } = await client.update(changed).then((each) => each.metadata);
  // @ts-expect-error -- what is written has no UID yet
  const missing: string = input.metadata.uid;
  const { items } = await client.list(Memcached);
  const namespaces: readonly string[] = items.map(({ metadata }) => metadata.namespace);
  // @ts-expect-error -- what is written need not have a namespace
  const unknown: string = input.metadata.namespace;
  return [uid, resourceVersion, missing, unknown, ...namespaces, ...items.map((each) => each.metadata.name)].join(" ");
}
`;

// What projects add to the settings that the generated tsconfig.json has.
const SETTINGS = ["", "--exactOptionalPropertyTypes", "--noUncheckedIndexedAccess false"];

/** Tests what held up users who know TypeScript: types of objects, settings of the compiler. */
export function testTypes(projectOf: () => PackedProject): void {
  it.each(SETTINGS)(
    "objects that are read, changed, and written need no assertions, with the flags '%s'",
    async (flags) => {
      const project = projectOf();
      const file = path.join(project.root, "internal", "everyday.ts");
      writeFileSync(file, EVERYDAY);
      expect(await project.succeed(`npx tsc --noEmit ${flags}`)).toBe("");
      rmSync(file);
    },
  );

  it("a conversion that loses a field fails the generated test, which prints the difference", async () => {
    const project = projectOf();
    const text = project.read(CONVERSION);
    const lossy = text.replace("spec: { ...spec },", "spec: { size: 1 },");
    expect(lossy).not.toBe(text);
    writeFileSync(path.join(project.root, CONVERSION), lossy);
    const { status, output } = await project.run("npx vitest run api internal/webhook");
    writeFileSync(path.join(project.root, CONVERSION), text);
    expect(status).toBe(1);
    expect(output).toMatch(/^- +image: \S+$/mu);
  });
}

/** Tests that the generated tests of a controller fit what users write, and say what is missing. */
export function testGeneratedTests(projectOf: () => PackedProject): void {
  it("a controller with a finalizer passes the generated test", async () => {
    const project = projectOf();
    const text = project.read(CONTROLLER);
    const finalizing = text
      .replace("    return {};\n", FINALIZING)
      .replace("  newControllerManagedBy,", "  controllerutil,\n  newControllerManagedBy,")
      .replace(
        'from "@kubescaffold/runtime";\n',
        'from "@kubescaffold/runtime";\nimport { ignoreNotFound } from "@kubescaffold/k8s";\n',
      );
    expect(finalizing).toContain("demo/finalizer");
    writeFileSync(path.join(project.root, CONTROLLER), finalizing);
    await project.succeed("npx tsc --noEmit");
    await project.succeed(`npx vitest run ${CONTROLLER_TEST}`);
    writeFileSync(path.join(project.root, CONTROLLER), text);
  });

  it("a missing permission fails the generated test with the marker to add", async () => {
    const project = projectOf();
    const text = project.read(CONTROLLER);
    writeFileSync(path.join(project.root, CONTROLLER), text.replace(/(?<=resources=memcacheds,verbs=).*/u, "get"));
    await project.succeed("npx scaffold manifests");
    const { status, output } = await project.run(`npx vitest run ${CONTROLLER_TEST}`);
    writeFileSync(path.join(project.root, CONTROLLER), text);
    await project.succeed("npx scaffold manifests");
    expect(status).toBe(1);
    expect(output).toContain("+kubebuilder:rbac:groups=cache.demo,resources=memcacheds,verbs=get;list;watch");
    await project.succeed(`npx vitest run ${CONTROLLER_TEST}`);
  });
}

/** Tests what `startManager` of the generated tests hands out, and the hint for an object that is changed despite its type. */
export function testManagers(projectOf: () => PackedProject): void {
  it("a test reads with the index of a controller, and decides when time passes", async () => {
    const project = projectOf();
    const file = "internal/controller/every_day.test.ts";
    writeFileSync(path.join(project.root, file), CLOCK_AND_INDEX);
    await project.succeed("npx tsc --noEmit");
    expect(await project.succeed(`npx vitest run ${file}`)).toMatch(/Tests\s+1 passed/u);
    rmSync(path.join(project.root, file));
  });

  it("a controller that changes an object of the cache gets a hint that names editable()", async () => {
    const project = projectOf();
    const text = project.read(CONTROLLER);
    const mutating = text.replace(
      "    return {};\n",
      "    const object = (await this.client.get(Memcached, request)) as Memcached;\n    object.spec = {};\n    return {};\n",
    );
    expect(mutating).not.toBe(text);
    writeFileSync(path.join(project.root, CONTROLLER), mutating);
    const { status, output } = await project.run(`npx vitest run ${CONTROLLER_TEST}`);
    writeFileSync(path.join(project.root, CONTROLLER), text);
    expect(status).toBe(1);
    expect(output).toContain("objects from the cache are frozen: change the copy that editable(object) returns");
  });
}

const CLOCK_AND_INDEX = `import { FakeClock } from "@kubescaffold/platform/clock";
import { newControllerManagedBy } from "@kubescaffold/runtime";
import { expect, it } from "vitest";

import { Memcached } from "../../api/v1/memcached_types.ts";
import { startSuite } from "./suite.ts";

const HOUR_MS = 3_600_000;

it("reads with an index, and waits with a clock", async () => {
  const clock = new FakeClock(0);
  const suite = await startSuite({ clock });
  const times: number[] = [];
  const manager = await suite.startManager(async (mgr) => {
    await mgr.getFieldIndexer().indexField(Memcached, "spec.foo", ({ spec }) => [spec.foo ?? ""]);
    await newControllerManagedBy(mgr)
      .for(Memcached)
      .complete(async () => {
        times.push(clock.now());
        return { requeueAfterMs: HOUR_MS };
      });
  });
  for (const foo of ["a", "b"]) {
    await suite.client.create(Memcached.create({ metadata: { name: foo, namespace: "default" }, spec: { foo } }));
  }
  await manager.eventually(async () => {
    const { items } = await manager.client.list(Memcached, { fields: { "spec.foo": "a" } });
    expect(items.map(({ metadata }) => metadata.name)).toEqual(["a"]);
    expect(times.length).toBeGreaterThanOrEqual(2);
  });
  expect(clock.now()).toBe(0);
  await manager.eventually(async () => {
    await clock.advance(HOUR_MS);
    expect(times.filter((time) => time >= HOUR_MS).length).toBeGreaterThanOrEqual(2);
  });
  await manager.stop();
  await suite.stop();
});
`;

const FINALIZING = `    const object = await ignoreNotFound(this.client.get(Memcached, request));
    if (object === undefined) return {};
    const isDeleted = object.metadata.deletionTimestamp !== undefined;
    const changed = isDeleted
      ? controllerutil.removeFinalizer(object, "demo/finalizer")
      : controllerutil.addFinalizer(object, "demo/finalizer");
    if (changed !== object) await this.client.update(changed);
    return {};
`;
