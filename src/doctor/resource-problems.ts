import { ScaffoldError } from "@kubescaffold/k8s";

import { controllerNames } from "../project/plans/plan-controllers.ts";
import { packageOfModule, validateExternalPath } from "../project/plans/plan-external.ts";
import type { ProjectConfig, ProjectResource } from "../project/project-config.ts";
import { pluralOf } from "../project/resource-names.ts";
import {
  validateControllerName,
  validateDomain,
  validateGvk,
  validatePlural,
  validateProjectName,
  validateRepo,
} from "../project/validate-names.ts";

/** One way in which what PROJECT records breaks a rule. */
export interface ResourceProblem {
  readonly message: string;
  readonly hint: string;
}

/** Checks every name and entry of PROJECT by the rules of the commands that write them, and returns all problems. */
export function resourceProblems(project: ProjectConfig): readonly ResourceProblem[] {
  const { domain, projectName, repo, resources = [] } = project;
  const identities = resources.map((each) => JSON.stringify([each.group, each.domain, each.version, each.kind]));
  const repeated = resources.filter((_, index) => identities.indexOf(identities[index] ?? "") !== index);
  return [
    ...(projectName === undefined ? [] : attempt(() => validateProjectName(projectName))),
    ...((domain ?? "") === "" ? [] : attempt(() => validateDomain(domain ?? ""))),
    ...(repo === undefined ? [] : attempt(() => validateRepo(repo))),
    ...resources.flatMap((each) => entryProblems(each)),
    ...repeated.map((each) => ({
      message: `${each.group ?? ""}/${each.version}, Kind=${each.kind} is recorded more than once`,
      hint: "keep one of the entries",
    })),
  ];
}

function entryProblems(resource: ProjectResource): readonly ResourceProblem[] {
  const { group = "", domain = "", version, kind } = resource;
  return [
    ...attempt(() => validateGvk({ group, domain, version, kind })),
    ...attempt(() => validatePlural(resource.plural ?? pluralOf(kind))),
    ...controllerNames(resource).flatMap((name) => attempt(() => validateControllerName(name))),
    ...externalProblems(resource),
    ...mixedProblems(resource),
  ];
}

// A kind of Kubernetes with a webhook, and a kind of the project with the same names, are two entries.
function mixedProblems({ core, api, group = "", version, kind }: ProjectResource): readonly ResourceProblem[] {
  if (core !== true || api === undefined) return [];
  return [
    {
      message: `${kind} of ${group}/${version} is recorded as a kind of Kubernetes (core) and as one with types of the project (api)`,
      hint: `remove api from the entry; a kind of the project with the same names needs a separate entry, with the domain of the project and without core, and +groupName=${group}.<domain> in its groupversion_info.ts`,
    },
  ];
}

// A PROJECT file that was copied from a Go project has paths of Go modules.
function externalProblems({ external, path, module }: ProjectResource): readonly ResourceProblem[] {
  if (external !== true) return [];
  return [
    ...(path === undefined ? [] : attempt(() => validateExternalPath(path))),
    ...(module === undefined ? [] : attempt(() => void packageOfModule(module))),
  ];
}

function attempt(check: () => void): readonly ResourceProblem[] {
  try {
    check();
    return [];
  } catch (error) {
    if (error instanceof ScaffoldError) return [{ message: error.message, hint: error.hint ?? "" }];
    throw error;
  }
}
