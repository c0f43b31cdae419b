import { InvalidNameError, ResourceConflictError, ResourceNotFoundError } from "../errors.ts";
import {
  isKubectlPluginName,
  isPluginOf,
  KUBECTL_COMMANDS,
  type KubectlPluginRecord,
  kubectlPluginsOf,
  pluginRecord,
} from "../kubectl-plugins.ts";
import { proposeResource } from "../near-resource.ts";
import type { ProjectConfig, ProjectResource } from "../project-config.ts";
import { gvkFlags } from "../shell-word.ts";

/** A kubectl plugin, and the kind of its sample commands as far as it was named. */
export interface KubectlPluginRequest {
  readonly name: string;
  readonly group: string | undefined;
  readonly version: string | undefined;
  readonly kind: string | undefined;
}

/** Checks the name of a kubectl plugin. Fails: {@link InvalidNameError}. */
export function validateKubectlPluginName(name: string): void {
  if (!isKubectlPluginName(name)) {
    throw new InvalidNameError(
      `cannot use kubectl plugin name ${JSON.stringify(name)}: it is not a name of a command`,
      {
        hint: "pass lower-case letters and digits, with single dashes between them, such as guestbook",
      },
    );
  }
  if (KUBECTL_COMMANDS.has(name)) {
    throw new InvalidNameError(`cannot use kubectl plugin name "${name}": kubectl runs its own command of this name`, {
      hint: "choose another name",
    });
  }
}

/**
 * Decides what PROJECT records of a new kubectl plugin: without a kind, its sample commands read the first one that the project defines.
 *
 * Fails: {@link InvalidNameError}, {@link ResourceConflictError} for a name that is taken, {@link ResourceNotFoundError}.
 */
export function planKubectlPlugin(project: ProjectConfig, request: KubectlPluginRequest): KubectlPluginRecord {
  const { name } = request;
  validateKubectlPluginName(name);
  if (kubectlPluginsOf(project).some((each) => each.name === name)) {
    throw new ResourceConflictError(`cannot create kubectl plugin "${name}": the project has one with this name`, {
      hint: `choose another name, or remove it with \`npx scaffold delete kubectl-plugin ${name}\``,
    });
  }
  return pluginRecord(name, namedResource(project, request));
}

function namedResource(project: ProjectConfig, request: KubectlPluginRequest): ProjectResource | undefined {
  const { group, version, kind } = request;
  const resources = project.resources ?? [];
  if (group === undefined && version === undefined && kind === undefined) {
    return resources.find(({ api }) => api !== undefined);
  }
  const found = resources.find(
    (each) =>
      (group === undefined || group === (each.group ?? "")) &&
      (version === undefined || version === each.version) &&
      (kind === undefined || kind === each.kind),
  );
  if (found !== undefined) return found;
  const proposed = kind === undefined ? undefined : proposeResource(project, { group: group ?? "", version, kind });
  throw new ResourceNotFoundError(
    `cannot create kubectl plugin "${request.name}": PROJECT has no resource with ${describeNamed(request)}`,
    { hint: proposed ?? "name a kind of the project, or create it with `npx scaffold create api`" },
  );
}

function describeNamed({ group, version, kind }: KubectlPluginRequest): string {
  return Object.entries({ group, version, kind })
    .filter(([, value]) => value !== undefined)
    .map(([flag, value]) => `${flag} "${value ?? ""}"`)
    .join(", ");
}

/** Returns the record of a plugin. Fails: {@link ResourceNotFoundError}. */
export function storedKubectlPlugin(project: ProjectConfig, name: string): KubectlPluginRecord {
  const plugins = kubectlPluginsOf(project);
  const found = plugins.find((each) => each.name === name);
  if (found !== undefined) return found;
  throw new ResourceNotFoundError(
    `cannot delete kubectl plugin ${JSON.stringify(name)}: the project has none with this name`,
    {
      hint:
        plugins.length === 0 ? "it has no kubectl plugins" : `it has ${plugins.map((each) => each.name).join(", ")}`,
    },
  );
}

/** Checks that no kubectl plugin reads a kind that is to be deleted: its sources would not compile. Fails: {@link ResourceConflictError}. */
export function refuseReadByPlugin(project: ProjectConfig, resource: ProjectResource): void {
  const reading = kubectlPluginsOf(project).find((each) => isPluginOf(each, resource));
  if (reading === undefined) return;
  throw new ResourceConflictError(
    `cannot delete ${resource.kind} of ${resource.version}: the kubectl plugin "${reading.name}" reads it`,
    {
      hint: `run \`npx scaffold delete kubectl-plugin ${reading.name}\` first, and \`npx scaffold delete api ${gvkFlags(resource)}\` again`,
    },
  );
}
