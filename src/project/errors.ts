import { ScaffoldError } from "@kubescaffold/k8s";

import { EXACT_VERSION_RULE } from "./exact-version.ts";

/** Is thrown when a command needs a project and there is no PROJECT file. */
export class ProjectNotFoundError extends ScaffoldError {
  readonly code = "PROJECT_NOT_FOUND";
  constructor(root: string) {
    super(`cannot find the file PROJECT in ${root}: the project must be initialized first`, {
      hint: "run `npx kubescaffold init` here, or change to the root folder of a project",
    });
  }
}

/** Is thrown by `init` when the folder holds a PROJECT already. */
export class ProjectExistsError extends ScaffoldError {
  readonly code = "PROJECT_EXISTS";
  constructor(root: string) {
    super(`cannot initialize ${root}: the project is already initialized`, {
      hint: "use `npx scaffold create api` to add to it, or choose an empty folder",
    });
  }
}

/** Is thrown when PROJECT is not YAML of the expected form; names file, line and column. */
export class ProjectInvalidError extends ScaffoldError {
  readonly code = "PROJECT_INVALID";
  constructor(place: { readonly line: number; readonly column: number }, problem: string) {
    super(`cannot load the configuration: PROJECT:${place.line}:${place.column}: ${problem}`, {
      hint: "correct the file at this line, or restore it from version control",
    });
  }
}

/** Is thrown when PROJECT is of a version that this program does not know. */
export class ProjectVersionError extends ScaffoldError {
  readonly code = "PROJECT_VERSION";
  constructor(version: string) {
    super(`cannot load the configuration: project version "${version}" is not supported`, {
      hint: 'this program reads and writes version "3"',
    });
  }
}

/** Is thrown when a version in PROJECT is to be installed and is not exact: it might name the package of somebody else. */
export class InexactVersionError extends ScaffoldError {
  readonly code = "PROJECT_INEXACT_VERSION";
  constructor(version: string) {
    super(`cannot use cliVersion ${JSON.stringify(version)} of PROJECT: ${EXACT_VERSION_RULE}`, {
      hint: "write the version that scaffolded the project into PROJECT, or pass --from-version; nothing was installed",
    });
  }
}

/** Is thrown when a name, group, version, kind or other value of a resource breaks a rule. */
export class InvalidNameError extends ScaffoldError {
  readonly code = "PROJECT_INVALID_NAME";
}

/** Is thrown when a resource exists already, or cannot be combined with what PROJECT says of it. */
export class ResourceConflictError extends ScaffoldError {
  readonly code = "PROJECT_RESOURCE_CONFLICT";
}

/** Is thrown when a second group is added to a project of a single group. */
export class MultipleGroupsError extends ScaffoldError {
  readonly code = "PROJECT_MULTIPLE_GROUPS";
  constructor(options: { readonly known: string; readonly wanted: string }) {
    super(
      `cannot add group "${options.wanted}": multiple groups are not allowed by default, and the project has group "${options.known}"`,
      { hint: "run `npx scaffold edit --multigroup` first: it moves the existing files into folders of their group" },
    );
  }
}

/** Is thrown when webhooks are asked for a kind that API servers do not ask them about. */
export class WebhookKindError extends ScaffoldError {
  readonly code = "PROJECT_WEBHOOK_KIND";
}

/** Is thrown when a command refers to an API that the project does not have. */
export class ResourceNotFoundError extends ScaffoldError {
  readonly code = "PROJECT_RESOURCE_NOT_FOUND";
}
