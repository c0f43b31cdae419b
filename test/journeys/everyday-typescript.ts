import { rmSync, writeFileSync } from "node:fs";
import path from "node:path";

import { expect, it } from "vitest";

import type { PackedProject } from "./packed-project.ts";

const CONTROLLER = "internal/controller/memcached_controller.ts";
const CONTROLLER_TEST = "internal/controller/memcached_controller.test.ts";
const CONVERSION = "api/v1alpha1/memcached_conversion.ts";

const EVERYDAY = `import { objectKey } from "@kubescaffold/k8s";
import { type Client, editable } from "@kubescaffold/runtime";

import { Memcached } from "../api/v1/memcached_types.ts";

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
  return [uid, resourceVersion, missing, ...items.map((each) => each.metadata.name)].join(" ");
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

const FINALIZING = `    const object = await ignoreNotFound(this.client.get(Memcached, request));
    if (object === undefined) return {};
    const isDeleted = object.metadata.deletionTimestamp !== undefined;
    const changed = isDeleted
      ? controllerutil.removeFinalizer(object, "demo/finalizer")
      : controllerutil.addFinalizer(object, "demo/finalizer");
    if (changed !== object) await this.client.update(changed);
    return {};
`;
