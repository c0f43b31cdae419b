import type { ProjectResource } from "../project/project-config.ts";
import { projectIn } from "./ask-for-resource.ts";
import type { ProgramFacts } from "./command.ts";

/** What the values of flags depend on. */
export interface Surroundings {
  readonly program: ProgramFacts;
  readonly cwd: string;
}

// What flags name of what PROJECT has.
const OF_RESOURCE: Readonly<Record<string, (resource: ProjectResource) => readonly string[]>> = {
  group: ({ group }) => (group === undefined ? [] : [group]),
  version: ({ version }) => [version],
  kind: ({ kind }) => [kind],
  spoke: ({ version }) => [version],
  "controller-name": ({ controllers = [] }) => controllers.map(({ name }) => name),
};

/** Returns the values that a flag may have here, as far as plugins and PROJECT tell; none where there is no project. */
export async function knownValues(flag: string, { program, cwd }: Surroundings): Promise<readonly string[]> {
  if (flag === "plugins") {
    const { bundles, plugins } = await program.registry();
    const keys = [...bundles, ...plugins.filter((plugin) => plugin.isHidden !== true)].map(({ key }) => key);
    return [...new Set(keys)];
  }
  const valuesOf = OF_RESOURCE[flag];
  if (valuesOf === undefined) return [];
  return [...new Set(resourcesIn(cwd).flatMap((resource) => valuesOf(resource)))].toSorted();
}

function resourcesIn(cwd: string): readonly ProjectResource[] {
  try {
    return projectIn(cwd).resources ?? [];
  } catch {
    // A word is completed in any folder, and whatever its PROJECT is like.
    return [];
  }
}
