import { messageOf, ScaffoldError } from "@kubescaffold/k8s";

import { shellWord } from "../../project/shell-word.ts";

/**
 * Thrown when the command does not exist (exit status 2).
 *
 * Fix: Use the suggested command.
 */
export class UnknownCommandError extends ScaffoldError {
  readonly code = "CLI_UNKNOWN_COMMAND";
  constructor(typed: string, options: { readonly program: string; readonly nearest: string | undefined }) {
    super(`unknown command "${typed}" for "${options.program}"`, {
      hint:
        options.nearest === undefined
          ? `run \`${options.program} --help\` for the commands`
          : `did you mean \`${options.nearest}\`?`,
    });
  }
}

/**
 * Thrown when the command does not have the flag (exit status 2).
 *
 * Fix: Use the suggested flag.
 */
export class UnknownFlagError extends ScaffoldError {
  readonly code = "CLI_UNKNOWN_FLAG";
  readonly flag: string;
  readonly options: UnknownFlagOptions;
  constructor(flag: string, options: UnknownFlagOptions) {
    super(`unknown flag: ${flag}`, {
      hint:
        options.instead ??
        (options.nearest === undefined
          ? `run \`${options.command} --help\` for the flags`
          : `did you mean ${options.nearest}?`),
    });
    this.flag = flag;
    this.options = options;
  }
}

interface UnknownFlagOptions {
  readonly command: string;
  readonly nearest: string | undefined;
  /** What to do in place of passing the flag. */
  readonly instead?: string | undefined;
}

/**
 * Thrown when a required flag is missing.
 *
 * Fix: Set the flag; `--help` lists the required flags.
 */
export class MissingFlagError extends ScaffoldError {
  readonly code = "CLI_MISSING_FLAG";
  constructor(flags: readonly string[], command: string) {
    const names = flags.map((flag) => `"${flag}"`).join(", ");
    super(`required flag(s) ${names} not set`, { hint: `run \`${command} --help\` for the flags` });
  }
}

/**
 * Thrown when the value of a flag is invalid or missing.
 *
 * Fix: Run the command with `--help` for its flags and values.
 */
export class InvalidFlagError extends ScaffoldError {
  readonly code = "CLI_INVALID_FLAG";
}

/**
 * Thrown when `explain` knows neither an error code, nor a marker, nor a kind or field of this name.
 *
 * Fix: Use the suggested topic. The kinds of a project are those whose CRDs were generated.
 */
export class UnknownTopicError extends ScaffoldError {
  readonly code = "CLI_UNKNOWN_TOPIC";
  constructor(topic: string, nearest: string | undefined, field?: UnknownField) {
    const otherwise =
      field === undefined
        ? "`scaffold gen -w` lists the markers; kinds of the project need their CRDs: run `scaffold manifests`"
        : `run \`scaffold explain ${shellWord(field.of)}\` for its fields`;
    super(
      `cannot explain "${topic}": ${
        field === undefined
          ? "no error code, marker, kind, or field has this name"
          : `${field.of} has no field "${field.name}"`
      }`,
      {
        hint: nearest === undefined ? otherwise : `did you mean \`scaffold explain ${shellWord(nearest)}\`?`,
      },
    );
  }
}

interface UnknownField {
  readonly name: string;
  /** The topic whose field it is not. */
  readonly of: string;
}

/**
 * Thrown when `init` was run in a folder that contains a `Makefile` or `cmd/main.ts`.
 *
 * Fix: Use an empty folder, or move the file.
 */
export class FolderInUseError extends ScaffoldError {
  readonly code = "CLI_FOLDER_IN_USE";
  constructor(path: string) {
    super(`cannot initialize: the target directory is already initialized: it contains ${path}`, {
      hint: "choose an empty folder, or move the file",
    });
  }
}

/**
 * Thrown when `alpha restore-project` finds a PROJECT file, or a folder without the other files of a project; nothing was written.
 *
 * Fix: Run it in the root folder of the project; pass `--force` to overwrite an existing PROJECT file.
 */
export class RestoreRefusedError extends ScaffoldError {
  readonly code = "CLI_RESTORE_REFUSED";
}

/**
 * Thrown when the generators reported errors, which were printed with their positions; nothing was generated.
 *
 * Fix: Fix the errors and run the command again.
 */
export class GenerateFailedError extends ScaffoldError {
  readonly code = "CLI_GENERATE_FAILED";
  /** The code of the first error, which says more than that of this one. */
  readonly topic: string | undefined;

  constructor(message: string, { topic, ...options }: { readonly hint: string; readonly topic?: string | undefined }) {
    super(message, options);
    this.topic = topic;
  }
}

/**
 * Thrown when a program that a command runs, such as npm or kubectl, failed; the project itself is complete.
 *
 * Fix: Fix the error that the program printed; `--skip-install` skips npm.
 */
export class ExternalProgramError extends ScaffoldError {
  readonly code = "CLI_EXTERNAL_PROGRAM";
}

/**
 * Thrown when a required program, such as kubectl, docker, or kind, is not installed.
 *
 * Fix: Install it, or pass its path with the flag in the hint.
 */
export class ProgramNotFoundError extends ScaffoldError {
  readonly code = "CLI_PROGRAM_NOT_FOUND";
  constructor(name: string, hint: string) {
    super(`cannot run ${name}: no such program`, { hint });
  }
}

/**
 * Thrown when the operator cannot be deployed, debugged, or built as an image, because the manager's Deployment, its Pod, the Dockerfile, or `package.json` is
 * not as expected.
 *
 * Fix: Follow the hint.
 */
export class DeployError extends ScaffoldError {
  readonly code = "CLI_DEPLOY";
}

/**
 * Thrown when kubectl cannot reach the cluster that a command changes.
 *
 * Fix: Start the cluster, or select another one with `KUBECONFIG` or `kubectl config use-context`.
 */
export class ClusterUnreachableError extends ScaffoldError {
  readonly code = "CLI_CLUSTER_UNREACHABLE";
}

/**
 * Thrown when a file, folder, or standard input is missing, unreadable, empty, or has an invalid format.
 *
 * Fix: Fix the path or the file, or pipe a manifest into the command.
 */
export class InputError extends ScaffoldError {
  readonly code = "CLI_INPUT";
}

/**
 * Thrown when the response of a URL is not a manifest.
 *
 * Fix: Check the network and the URL, which must be that of the raw file.
 */
export class DownloadError extends ScaffoldError {
  readonly code = "CLI_DOWNLOAD";
}

/**
 * Thrown when the user or the system interrupted a command, which then ended the programs that it ran and removed its temporary files.
 *
 * Fix: Run the command again.
 */
export class InterruptedError extends ScaffoldError {
  readonly code = "CLI_INTERRUPTED";
  constructor(signal: NodeJS.Signals) {
    super(`interrupted by ${signal}`, { hint: "run the command again" });
  }
}

/**
 * Thrown when the user cancelled a prompt; nothing was written.
 *
 * Fix: Answer the prompt, or pass the flag that it sets.
 */
export class CancelledError extends ScaffoldError {
  readonly code = "CLI_CANCELLED";
  constructor() {
    super("cancelled: nothing was written");
  }
}

/** Returns what an error says, with its hint, on one line. */
export function describeProblem(error: unknown): string {
  if (!(error instanceof ScaffoldError)) return messageOf(error);
  return error.hint === undefined ? error.message : `${error.message}; ${error.hint}`;
}

/**
 * Thrown when files that a command would delete were edited after they were scaffolded.
 *
 * Fix: Review them with `--dry-run`, then delete them with `--force`.
 */
export class ChangedFilesError extends ScaffoldError {
  readonly code = "CLI_CHANGED_FILES";
  constructor(files: readonly string[]) {
    const list = files.map((file) => `\n  ${file}`).join("");
    super(`cannot delete: these files were changed since they were scaffolded:${list}`, {
      hint: "use --dry-run to see the changes, or --force to delete them anyway; nothing was written",
    });
  }
}

/**
 * Thrown when `delete api` would remove a version of a kind that is the storage version, that a cluster serves, or in which objects may be stored;
 * nothing was written.
 *
 * Fix: Do the step in the hint, and run the command again.
 */
export class VersionInUseError extends ScaffoldError {
  readonly code = "CLI_VERSION_IN_USE";
  constructor(version: string, reason: string, hint: string) {
    super(`cannot remove ${version}: ${reason}`, { hint });
  }
}

/**
 * Thrown when a command would overwrite files with uncommitted changes, or files that are not in git.
 *
 * Fix: Commit first, review the changes with `--dry-run`, or overwrite the files with `--force`.
 */
export class UncleanWorkTreeError extends ScaffoldError {
  readonly code = "CLI_UNCLEAN_WORK_TREE";
  constructor(
    cause:
      | { readonly kind: "changes"; readonly lines: readonly string[] }
      | { readonly kind: "no git"; readonly reason: string },
  ) {
    const shown = cause.kind === "changes" ? cause.lines.slice(0, 10).map((line) => `\n  ${line}`) : [];
    const more = cause.kind === "changes" && cause.lines.length > 10 ? "\n  …" : "";
    super(
      cause.kind === "changes"
        ? `cannot overwrite the project: its work tree has uncommitted changes:${shown.join("")}${more}`
        : `cannot overwrite the project: it is not in a git repository (${cause.reason})`,
      { hint: "commit the changes, pass --force, or use --dry-run to see what would change; nothing was written" },
    );
  }
}
