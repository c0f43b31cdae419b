import { ScaffoldError } from "@kubescaffold/k8s";

import { EXACT_VERSION_RULE } from "./exact-version.ts";

/**
 * Thrown when neither the folder nor one above it has a PROJECT file.
 *
 * Fix: Run `scaffold init`, or change to the folder of a project. Restore a deleted file with `git restore --source=HEAD -- PROJECT`, or, without git, with `scaffold alpha restore-project`.
 */
export class ProjectNotFoundError extends ScaffoldError {
  readonly code = "PROJECT_NOT_FOUND";
  /** `hasFiles`: the folder has other files of a project, so PROJECT was probably deleted. */
  constructor(root: string, { hasFiles = false }: { readonly hasFiles?: boolean } = {}) {
    super(
      hasFiles
        ? `cannot find the file PROJECT in ${root}, which has other files of a project: it was deleted`
        : `cannot find the file PROJECT in ${root} or a folder above it: the project must be initialized first`,
      {
        hint: hasFiles
          ? "restore it with `git restore --source=HEAD -- PROJECT`; if its deletion was committed, `git log -- PROJECT` prints the commit: restore from the one before; without git, run `npx scaffold alpha restore-project`"
          : "run `npx kubescaffold init` here, or change to the folder of a project",
      },
    );
  }
}

/**
 * Thrown when `init` was run in a folder that already has a PROJECT file.
 *
 * Fix: Use `scaffold create api`, or another folder.
 */
export class ProjectExistsError extends ScaffoldError {
  readonly code = "PROJECT_EXISTS";
  constructor(root: string) {
    super(`cannot initialize ${root}: the project is already initialized`, {
      hint: "use `npx scaffold create api` to add to it, or choose an empty folder",
    });
  }
}

/**
 * Thrown when PROJECT is not valid YAML, does not match the schema, or contains names or paths that the flags reject; the message has line and column.
 *
 * Fix: Fix that line, or restore the file from version control.
 */
export class ProjectInvalidError extends ScaffoldError {
  readonly code = "PROJECT_INVALID";
  constructor(place: { readonly line: number; readonly column: number }, problem: string) {
    super(`cannot load the configuration: PROJECT:${place.line}:${place.column}: ${problem}`, {
      hint: "fix the file at this line, or restore it from version control",
    });
  }
}

/**
 * Thrown when the version of PROJECT is not supported.
 *
 * Fix: Use the program that wrote it.
 */
export class ProjectVersionError extends ScaffoldError {
  readonly code = "PROJECT_VERSION";
  constructor(version: string) {
    super(`cannot load the configuration: project version "${version}" is not supported`, {
      hint: 'this program reads and writes version "3"',
    });
  }
}

/**
 * Thrown when `cliVersion` in PROJECT is not an exact version; with a range, tag, path, or URL, a project could choose which program runs.
 *
 * Fix: Set `cliVersion` to the version that scaffolded the project, such as `0.1.0`, or pass `--from-version`.
 */
export class InexactVersionError extends ScaffoldError {
  readonly code = "PROJECT_INEXACT_VERSION";
  constructor(version: string) {
    super(`cannot use cliVersion ${JSON.stringify(version)} of PROJECT: ${EXACT_VERSION_RULE}`, {
      hint: "write the version that scaffolded the project into PROJECT, or pass --from-version; nothing was installed",
    });
  }
}

/**
 * Thrown when a project name, domain, group, version, kind, plural, or package name is invalid.
 *
 * Fix: Follow the rule in the message.
 */
export class InvalidNameError extends ScaffoldError {
  readonly code = "PROJECT_INVALID_NAME";
}

/**
 * Thrown when the API, controller, or webhook already exists, or conflicts with its entry in PROJECT.
 *
 * Fix: Pass `--force` to overwrite its files.
 */
export class ResourceConflictError extends ScaffoldError {
  readonly code = "PROJECT_RESOURCE_CONFLICT";
}

/**
 * Thrown when a second group was added to a project without the multigroup layout.
 *
 * Fix: Run `scaffold edit --multigroup`.
 */
export class MultipleGroupsError extends ScaffoldError {
  readonly code = "PROJECT_MULTIPLE_GROUPS";
  constructor(options: { readonly known: string; readonly wanted: string }) {
    super(
      `cannot add group "${options.wanted}": multiple groups are not allowed by default, and the project has group "${options.known}"`,
      { hint: "run `npx scaffold edit --multigroup` first: it moves the existing files to folders per group" },
    );
  }
}

/**
 * Thrown when webhooks were requested for a built-in kind that API servers never send to webhooks, or that is never written.
 *
 * Fix: Follow the hint.
 */
export class WebhookKindError extends ScaffoldError {
  readonly code = "PROJECT_WEBHOOK_KIND";
}

/**
 * Thrown when a webhook or controller was requested for a kind that neither the project nor Kubernetes has.
 *
 * Fix: Run `scaffold create api` first; for an external kind, set `--external-api-path`.
 */
export class ResourceNotFoundError extends ScaffoldError {
  readonly code = "PROJECT_RESOURCE_NOT_FOUND";
}
