import type { ProjectResource } from "../../../project/project-config.ts";
import type { ProgramFacts } from "../../command/command.ts";
import { projectIn } from "../../prompts/prompt-for-resource.ts";
import type { Typed } from "./complete-words.ts";

/** What the values of flags depend on. */
export interface Surroundings {
  readonly program: ProgramFacts;
  readonly cwd: string;
  readonly typed: Typed;
}

// What flags name of what PROJECT has.
const OF_RESOURCE: Readonly<Record<string, (resource: ProjectResource) => readonly string[]>> = {
  group: ({ group }) => (group === undefined ? [] : [group]),
  version: ({ version }) => [version],
  from: ({ version, api }) => (api === undefined ? [] : [version]),
  kind: ({ kind }) => [kind],
  "controller-name": ({ controllers = [] }) => controllers.map(({ name }) => name),
};

/** Returns the values that a flag may have here, as far as plugins and PROJECT tell; none where there is no project. */
export async function knownValues(flag: string, { program, cwd, typed }: Surroundings): Promise<readonly string[]> {
  if (flag === "plugins") {
    const { bundles, plugins } = await program.registry();
    const keys = [...bundles, ...plugins.filter((plugin) => plugin.isHidden !== true)].map(({ key }) => key);
    return [...new Set(keys)];
  }
  if (flag === "spoke") return spokesOf(resourcesIn(cwd), typed);
  const valuesOf = OF_RESOURCE[flag];
  if (valuesOf === undefined) return [];
  return [...new Set(resourcesIn(cwd).flatMap((resource) => valuesOf(resource)))].toSorted();
}

// A version that is converted already can only be taken out, and any other one of the kind only be added; the hub itself is neither.
function spokesOf(resources: readonly ProjectResource[], { command, values }: Typed): readonly string[] {
  const isTyped = (flag: string, value: string): boolean => values[flag]?.includes(value) ?? true;
  const ofKind = resources.filter(({ kind, group = "" }) => isTyped("kind", kind) && isTyped("group", group));
  const hubs = ofKind.filter(({ version }) => isTyped("version", version));
  const spokes = hubs.flatMap(({ webhooks }) => webhooks?.spoke ?? []);
  const others = ofKind.filter(
    ({ version, webhooks }) => values["version"]?.includes(version) !== true && webhooks?.conversion !== true,
  );
  const fresh = others.map(({ version }) => version).filter((version) => !spokes.includes(version));
  const offered = command[0] === "delete" ? spokes : fresh;
  return [...new Set(offered)].filter((version) => values["spoke"]?.includes(version) !== true).toSorted();
}

function resourcesIn(cwd: string): readonly ProjectResource[] {
  try {
    return projectIn(cwd).resources ?? [];
  } catch {
    // A word is completed in any folder, and whatever its PROJECT is like.
    return [];
  }
}
