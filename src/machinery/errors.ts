import { ScaffoldError, messageOf } from "@kubescaffold/k8s";

/**
 * Thrown when a file to create already exists; nothing was written.
 *
 * Fix: Pass `--force` to overwrite it.
 */
export class FileExistsError extends ScaffoldError {
  readonly code = "SCAFFOLD_FILE_EXISTS";
  constructor(path: string) {
    super(`cannot create ${path}: the file already exists`, { hint: "pass --force to overwrite it" });
  }
}

/**
 * Thrown when a file that the command extends does not exist; nothing was written.
 *
 * Fix: Restore it from version control.
 */
export class FileMissingError extends ScaffoldError {
  readonly code = "SCAFFOLD_FILE_MISSING";
  constructor(path: string) {
    super(`cannot change ${path}: the file does not exist`, {
      hint: "restore it from version control; nothing was written",
    });
  }
}

/**
 * Thrown when a file cannot be read; nothing was written.
 *
 * Fix: Make it readable for this user; the message contains the system error.
 */
export class UnreadableFileError extends ScaffoldError {
  readonly code = "SCAFFOLD_FILE_UNREADABLE";
  constructor(path: string, cause: unknown) {
    const reason = cause instanceof Error ? cause.message.split(", ", 1).join("") : messageOf(cause);
    super(`cannot read ${path}: ${reason}`, {
      hint: "make it readable for the current user; nothing was written",
      cause,
    });
  }
}

/**
 * Thrown when a file to change is not UTF-8, so its content could be lost; nothing was written.
 *
 * Fix: Save it as UTF-8, then run the command again.
 */
export class NotUtf8Error extends ScaffoldError {
  readonly code = "SCAFFOLD_NOT_UTF8";
  constructor(path: string) {
    super(`cannot change ${path}: it is not valid UTF-8`, {
      hint: "save it as UTF-8 and run the command again; nothing was written",
    });
  }
}

/**
 * Thrown when a file lacks an insertion marker or a commented block; nothing was written.
 *
 * Fix: Restore the lines in the message.
 */
export class InsertionPointMissingError extends ScaffoldError {
  readonly code = "SCAFFOLD_MARKER_MISSING";
  constructor(options: { readonly path: string; readonly what: string; readonly lines: readonly string[] }) {
    const shown = options.lines.map((line) => `    ${line}`).join("\n");
    super(`cannot insert into ${options.path}: ${options.what} is not in the file`, {
      hint: `restore it and run the command again; these lines are inserted there:\n${shown}`,
    });
  }
}

/**
 * Thrown when a YAML, JSON, TypeScript, or JavaScript file would not parse after the change of a command; nothing was written.
 *
 * Fix: Fix the syntax of the file if it does not parse now. Otherwise the command does not understand the layout of the file: move the insertion marker
 * or the block next to its siblings, and report the file.
 */
export class BrokenSyntaxError extends ScaffoldError {
  readonly code = "SCAFFOLD_BROKEN_SYNTAX";
  constructor(problem: BrokenSyntax) {
    const { path, language, line, column, reason, sourceLine, wasBroken } = problem;
    const indent = sourceLine.slice(0, column - 1).replaceAll(/[^\t]/gu, " ");
    const place = `${path}:${String(line)}:${String(column)}`;
    const message = wasBroken
      ? `cannot change ${place}: it is not valid ${language}: ${reason}`
      : `cannot write ${place}: the result is not valid ${language}: ${reason}`;
    super(`${message}\n  ${sourceLine}\n  ${indent}^`, {
      hint: wasBroken
        ? "fix the syntax of the file and run the command again; nothing was written"
        : "move the insertion marker of the file next to its siblings, and run the command again; nothing was written",
    });
  }
}

/** A file that does not parse: the place is the one of the text that was to be written. */
interface BrokenSyntax {
  readonly path: string;
  readonly language: string;
  readonly line: number;
  readonly column: number;
  readonly reason: string;
  readonly sourceLine: string;
  /** Whether the file on disk does not parse either. */
  readonly wasBroken: boolean;
}

/**
 * Thrown when a symbolic link is at the path of a required file or folder, and its target does not exist; nothing was written.
 *
 * Fix: Create the target, or remove the link.
 */
export class DanglingLinkError extends ScaffoldError {
  readonly code = "SCAFFOLD_DANGLING_LINK";
  constructor(path: string) {
    super(`cannot use ${path}: it is a dangling symbolic link`, {
      hint: "create its target, or remove it; nothing was written",
    });
  }
}

/**
 * Thrown when a file is at the path of a required folder; nothing was written.
 *
 * Fix: Use another folder, or move the file.
 */
export class NotAFolderError extends ScaffoldError {
  readonly code = "SCAFFOLD_NOT_A_FOLDER";
  constructor(path: string) {
    super(`cannot use ${path} as a folder: it is a file`, {
      hint: "specify another folder, or move the file; nothing was written",
    });
  }
}

/**
 * Thrown when a name in PROJECT resolves to a path outside of the project, in `.git`, or in `.kubescaffold`; nothing was written.
 *
 * Fix: Fix the names that `scaffold doctor` reports.
 */
export class OutsideProjectError extends ScaffoldError {
  readonly code = "SCAFFOLD_OUTSIDE_PROJECT";
  constructor(path: string, reason = "it is outside of the project") {
    super(`cannot write ${path}: ${reason}`, {
      hint: "fix the name that results in this path, in PROJECT (see `npx scaffold doctor`) or in the imported files; nothing was written",
    });
  }
}

/**
 * Thrown when a symbolic link points outside of the project or into `.git`, or is in `.kubescaffold`, where commands do not follow links; nothing was written.
 *
 * Fix: Remove the link, or replace it with a file or folder.
 */
export class SymbolicLinkError extends ScaffoldError {
  readonly code = "SCAFFOLD_SYMBOLIC_LINK";
  constructor({ path, link, target, reason, verb = "write" }: RefusedLink) {
    const subject = link === path ? "it" : link;
    super(`cannot ${verb} ${path}: ${subject} is a symbolic link to ${target}, and ${reason}`, {
      hint: `remove the link ${link}, or replace it with a file or folder; nothing was written`,
    });
  }
}

/** A link that is not followed, and the path that leads through it. */
export interface RefusedLink {
  readonly path: string;
  readonly link: string;
  readonly target: string;
  readonly reason: string;
  readonly verb?: "write" | "read";
}

/**
 * Thrown when a path to write is a folder, a link, or a special file; nothing was written.
 *
 * Fix: Move it.
 */
export class NotARegularFileError extends ScaffoldError {
  readonly code = "SCAFFOLD_NOT_A_REGULAR_FILE";
  constructor(path: string, what: string) {
    super(`cannot write ${path}: it is ${what}`, { hint: "move it, or specify another path; nothing was written" });
  }
}

/**
 * Thrown when a template and its values do not match, which is a bug in the plugin.
 *
 * Fix: Report it to the authors of the plugin.
 */
export class TemplateError extends ScaffoldError {
  readonly code = "SCAFFOLD_TEMPLATE";
}

/**
 * Thrown when another command is still running in the project after a wait of ten seconds; the message contains its process ID and start time.
 *
 * Fix: Wait; if no such command is running, remove `.kubescaffold/lock`.
 */
export class ProjectLockedError extends ScaffoldError {
  readonly code = "SCAFFOLD_LOCKED";
  /** The command that holds the lock; undefined if the lock does not identify it. */
  readonly holder: { readonly pid: number; readonly command: string; readonly since: string } | undefined;
  constructor(holder: ProjectLockedError["holder"], lockPath: string) {
    super(
      holder === undefined
        ? "cannot start: another command may be running in this project, but its lock does not identify it"
        : `cannot start: \`${holder.command}\` (process ${holder.pid}) has been running in this project since ${holder.since}`,
      { hint: `wait until it finishes; if no such command is running, remove ${lockPath}` },
    );
    this.holder = holder;
  }
}

/**
 * Thrown when the disk is full or read-only, or permission is denied; the message states whether files changed.
 *
 * Fix: Free space or make the folder writable, then run the command again.
 */
export class DiskError extends ScaffoldError {
  readonly code = "SCAFFOLD_DISK";
}

/**
 * Thrown when a command was interrupted while writing files, and one of them has changed since, so the command can be neither completed nor undone.
 *
 * Fix: Restore the file, or remove `.kubescaffold/journal` to keep the files as they are.
 */
export class JournalConflictError extends ScaffoldError {
  readonly code = "SCAFFOLD_JOURNAL_CONFLICT";
}

/**
 * Thrown when `.kubescaffold/journal` was not written by this program, for this user, and in this folder, so no command applies it.
 *
 * Fix: Remove `.kubescaffold/journal`; if your own command was interrupted, compare the files with version control first.
 */
export class UntrustedJournalError extends ScaffoldError {
  readonly code = "JOURNAL_UNTRUSTED";
  constructor(what: string, { reason, hint }: { readonly reason: string; readonly hint?: string }) {
    super(`cannot trust ${what}: ${reason}`, {
      hint:
        hint ??
        "remove .kubescaffold/journal; it may come from a cloned or copied folder, and no command writes what it names; nothing was written",
    });
  }
}
