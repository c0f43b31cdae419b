import { ScaffoldError } from "@kubescaffold/k8s";

/** Is thrown for a command that does not exist; ends with status 2. */
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

/** Is thrown for a flag that a command does not have; ends with status 2. */
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

/** Is thrown when a flag that a command needs is missing. */
export class MissingFlagError extends ScaffoldError {
  readonly code = "CLI_MISSING_FLAG";
  constructor(flags: readonly string[], command: string) {
    const names = flags.map((flag) => `"${flag}"`).join(", ");
    super(`required flag(s) ${names} not set`, { hint: `run \`${command} --help\` for the flags` });
  }
}

/** Is thrown when a flag has a value it cannot have, or none. */
export class InvalidFlagError extends ScaffoldError {
  readonly code = "CLI_INVALID_FLAG";
}

/** Is thrown when the folder that `init` is run in holds files of a project already. */
export class FolderInUseError extends ScaffoldError {
  readonly code = "CLI_FOLDER_IN_USE";
  constructor(path: string) {
    super(`cannot initialize: the target directory is already initialized, since there is a file ${path}`, {
      hint: "choose an empty folder, or move the file away",
    });
  }
}

/** Is thrown when the generators report mistakes; the mistakes were printed. */
export class GenerateFailedError extends ScaffoldError {
  readonly code = "CLI_GENERATE_FAILED";
}

/** Is thrown when a program that a command starts does not succeed. */
export class ExternalProgramError extends ScaffoldError {
  readonly code = "CLI_EXTERNAL_PROGRAM";
}

/** Is thrown when a program that a command needs is not installed. */
export class ProgramNotFoundError extends ScaffoldError {
  readonly code = "CLI_PROGRAM_NOT_FOUND";
  constructor(name: string, hint: string) {
    super(`cannot run ${name}: no such program`, { hint });
  }
}

/** Is thrown when the operator cannot be deployed, debugged, or put into a container as the project is. */
export class DeployError extends ScaffoldError {
  readonly code = "CLI_DEPLOY";
}

/** Is thrown when what a command is to read cannot be read, or holds nothing that it can use. */
export class InputError extends ScaffoldError {
  readonly code = "CLI_INPUT";
}

/** Is thrown when an address that a command is to read does not answer with a manifest. */
export class DownloadError extends ScaffoldError {
  readonly code = "CLI_DOWNLOAD";
}

/** Is thrown when the person at the terminal breaks a question off. */
export class CancelledError extends ScaffoldError {
  readonly code = "CLI_CANCELLED";
  constructor() {
    super("cancelled: nothing was written");
  }
}

/** Returns what an error says, with its way out, on one line. */
export function describeProblem(error: unknown): string {
  if (!(error instanceof ScaffoldError)) return error instanceof Error ? error.message : String(error);
  return error.hint === undefined ? error.message : `${error.message}; ${error.hint}`;
}

/** Is thrown when files that would be deleted were changed since they were made. */
export class ChangedFilesError extends ScaffoldError {
  readonly code = "CLI_CHANGED_FILES";
  constructor(files: readonly string[]) {
    const list = files.map((file) => `\n  ${file}`).join("");
    super(`cannot delete: these files were changed since they were made:${list}`, {
      hint: "--dry-run shows what would go, --force deletes it all the same; nothing was written",
    });
  }
}

/** Is thrown when a command would write over what git does not have. */
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
        ? `cannot write over the project: its work tree has changes that git does not have:${shown.join("")}${more}`
        : `cannot write over the project: git does not keep it (${cause.reason})`,
      { hint: "commit first, pass --force, or look with --dry-run at what would change; nothing was written" },
    );
  }
}
