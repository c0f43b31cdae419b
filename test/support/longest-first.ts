import path from "node:path";

import { BaseSequencer, type TestSpecification } from "vitest/node";

// Those that take more than five seconds of the processor, the longest first; `npm run test:times` prints what each took.
const LONGEST: readonly string[] = [
  "test/packaging/packaging.test.ts",
  "test/e2e/golden-projects.test.ts",
  "test/hostile/repositories.test.ts",
  "test/e2e/generated-webhook-test.test.ts",
  "test/e2e/generated-project.test.ts",
  "test/e2e/example.test.ts",
  "test/cli/commands/alpha-update/alpha-update.e2e.test.ts",
  "test/e2e/generated-controller-test.test.ts",
  "test/cli/command-sequences.test.ts",
  "test/e2e/quick-start-page.test.ts",
  "test/e2e/quickstart.test.ts",
  "test/scaffolds/image.e2e.test.ts",
  "test/cli/session/interrupted-commands.test.ts",
  "test/cli/commands/rename-api/rename-api.test.ts",
  "test/scenarios/projects.test.ts",
];

/**
 * Starts the longest files first, so that no worker is left with one while the others have ended.
 *
 * Guarantees: files of one project follow one another, as workers keep what they have loaded for a project alone.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const root = this.ctx.config.root;
    const places = new Map(sorted.map((file, index) => [file, placeOf(path.relative(root, file.moduleId), index)]));
    return sorted.toSorted((left, right) => (places.get(left) ?? 0) - (places.get(right) ?? 0));
  }
}

// The project that has all of the longest comes before the others.
function placeOf(file: string, index: number): number {
  const place = LONGEST.indexOf(file.replaceAll("\\", "/"));
  if (place >= 0) return place - LONGEST.length;
  return file.startsWith("packages") ? index + LAST : index;
}

const LAST = 1e6;
