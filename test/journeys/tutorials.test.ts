/** The tutorials, followed with the packages as they are published. */
import { afterAll, beforeAll, describe } from "vitest";

import { PackedPackages, type PackedProject } from "./packed-project.ts";
import { testTutorials } from "./tutorials.ts";

const LIVENESS_MS = 600_000;

const packages = new PackedPackages();
let installed: PackedProject;

beforeAll(async () => {
  await packages.install();
  installed = await packages.installedProject();
}, LIVENESS_MS);

afterAll(() => packages.remove());

describe("the tutorials", { timeout: LIVENESS_MS }, () => {
  testTutorials((name) => packages.project(name, installed));
});
