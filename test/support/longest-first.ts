import path from "node:path";

import { BaseSequencer, type TestSpecification } from "vitest/node";

import { importScript } from "./import-script.ts";

// Those that take more than five seconds of the processor, the longest first; `npm run test:times` prints what each took.
const { ROTATING_FILES } = await importScript<{ readonly ROTATING_FILES: readonly string[] }>("rotation.mjs");
const LONGEST: readonly string[] = [
  "test/packaging/packaging.test.ts",
  ...ROTATING_FILES.slice(0, 10),
  "test/e2e/golden-projects.test.ts",
  "test/e2e/dev.test.ts",
  "packages/envtest/test/conformance/api-rows.test.ts",
  "packages/envtest/test/conformance/guard-rows.test.ts",
  "packages/envtest/test/conformance/cluster-rows.test.ts",
  "packages/envtest/test/conformance/flags.test.ts",
  ...ROTATING_FILES.slice(10),
  "packages/generators/test/applyconfiguration/applyconfiguration-generator.test.ts",
  "packages/cluster/test/controllers/autoscaling/autoscaling-controller.test.ts",
];

/** Starts the longest files first, so that no worker is left with one while the others have ended. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const root = this.ctx.config.root;
    const places = new Map(sorted.map((file, index) => [file, placeOf(path.relative(root, file.moduleId), index)]));
    return sorted.toSorted((left, right) => (places.get(left) ?? 0) - (places.get(right) ?? 0));
  }
}

function placeOf(file: string, index: number): number {
  const place = LONGEST.indexOf(file.replaceAll("\\", "/"));
  return place >= 0 ? place - LONGEST.length : index;
}
