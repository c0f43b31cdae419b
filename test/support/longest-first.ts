import path from "node:path";

import { BaseSequencer, type TestSpecification } from "vitest/node";

// Those that take more than five seconds of the processor, the longest first; `npm run test:times` prints what each took.
const LONGEST: readonly string[] = [
  "test/packaging/packaging.test.ts",
  "test/e2e/kubectl-table.test.ts",
  "test/journeys/tutorials.test.ts",
  "test/journeys/second-version.test.ts",
  "test/e2e/screenshots.test.ts",
  "test/journeys/invalid-input.test.ts",
  "test/journeys/examples.test.ts",
  "test/e2e/cluster-dashboard.test.ts",
  "test/e2e/example.test.ts",
  "test/e2e/golden-projects.test.ts",
  "packages/dashboard/test/page/browser/accessibility.e2e.test.ts",
  "test/e2e/dev.test.ts",
  "test/hostile/repositories.test.ts",
  "packages/dashboard/test/page/browser/cluster.e2e.test.ts",
  "test/cli/commands/alpha-update/alpha-update.e2e.test.ts",
  "test/cli/command-sequences.e2e.test.ts",
  "packages/envtest/test/conformance/api-rows.test.ts",
  "packages/envtest/test/conformance/guard-rows.test.ts",
  "packages/envtest/test/conformance/cluster-rows.test.ts",
  "packages/envtest/test/conformance/flags.test.ts",
  "packages/runtime/test/hostile/thrown-values.test.ts",
  "packages/envtest/test/hostile/requests.test.ts",
  "packages/runtime/test/rest/silent-server.test.ts",
  "packages/runtime/test/cache/faults-of-watches-on-server.test.ts",
  "packages/apiserver/test/hostile/large-bodies.test.ts",
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
