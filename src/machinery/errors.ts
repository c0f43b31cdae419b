import { ScaffoldError } from "@kubescaffold/k8s";

/**
 * Thrown when a file to be created exists; nothing was written.
 *
 * Fix: `--force` overwrites it.
 */
export class FileExistsError extends ScaffoldError {
  readonly code = "SCAFFOLD_FILE_EXISTS";
  constructor(path: string) {
    super(`cannot create ${path}: the file already exists`, { hint: "pass --force to overwrite it" });
  }
}

/**
 * Thrown when a file that the command adds to is gone; nothing was written.
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
 * Thrown when a file is there but cannot be read; nothing was written.
 *
 * Fix: Make it readable for this user; the message has the reason of the system.
 */
export class UnreadableFileError extends ScaffoldError {
  readonly code = "SCAFFOLD_FILE_UNREADABLE";
  constructor(path: string, cause: unknown) {
    const reason = cause instanceof Error ? cause.message.split(", ", 1).join("") : String(cause);
    super(`cannot read ${path}: ${reason}`, { hint: "make it readable for this user; nothing was written", cause });
  }
}

/**
 * Thrown when a file that the command changes is not in UTF-8, so that some of it would be lost; nothing was written.
 *
 * Fix: Save it in UTF-8, and run the command again.
 */
export class NotUtf8Error extends ScaffoldError {
  readonly code = "SCAFFOLD_NOT_UTF8";
  constructor(path: string) {
    super(`cannot change ${path}: it is not in UTF-8`, {
      hint: "save it in UTF-8 and run the command again; nothing was written",
    });
  }
}

/**
 * Thrown when an insertion marker, or a commented block, is not in its file; nothing was written.
 *
 * Fix: Put back the lines that the message shows.
 */
export class InsertionPointMissingError extends ScaffoldError {
  readonly code = "SCAFFOLD_MARKER_MISSING";
  constructor(options: { readonly path: string; readonly what: string; readonly lines: readonly string[] }) {
    const shown = options.lines.map((line) => `    ${line}`).join("\n");
    super(`cannot insert into ${options.path}: ${options.what} is not in the file`, {
      hint: `put it back and run the command again; these lines belong there:\n${shown}`,
    });
  }
}

/**
 * Thrown when a symbolic link stands where a file or folder is needed, and leads nowhere; nothing was written.
 *
 * Fix: Make what it leads to, or remove it.
 */
export class DanglingLinkError extends ScaffoldError {
  readonly code = "SCAFFOLD_DANGLING_LINK";
  constructor(path: string) {
    super(`cannot use ${path}: it is a symbolic link that leads nowhere`, {
      hint: "make what it leads to, or remove it; nothing was written",
    });
  }
}

/**
 * Thrown when a file stands where a folder is needed; nothing was written.
 *
 * Fix: Name another folder, or move the file away.
 */
export class NotAFolderError extends ScaffoldError {
  readonly code = "SCAFFOLD_NOT_A_FOLDER";
  constructor(path: string) {
    super(`cannot use ${path} as a folder: it is a file`, {
      hint: "name another folder, or move the file away; nothing was written",
    });
  }
}

/**
 * Thrown when a name in PROJECT leads out of the project's folder, or into the folder of git or of running commands; nothing was written.
 *
 * Fix: Correct the names that `scaffold doctor` lists.
 */
export class OutsideProjectError extends ScaffoldError {
  readonly code = "SCAFFOLD_OUTSIDE_PROJECT";
  constructor(path: string, reason = "it is outside of the project") {
    super(`cannot write ${path}: ${reason}`, {
      hint: "correct the name that leads there, in PROJECT, of which `npx scaffold doctor` tells, or in what is imported; nothing was written",
    });
  }
}

/**
 * Thrown when a symbolic link leads out of the project, into the folder of git, or is in `.kubescaffold`, where commands follow none;
 * nothing was written.
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
 * Thrown when a path to be written is a folder, a link or something else; nothing was written.
 *
 * Fix: Move it away.
 */
export class NotARegularFileError extends ScaffoldError {
  readonly code = "SCAFFOLD_NOT_A_REGULAR_FILE";
  constructor(path: string, what: string) {
    super(`cannot write ${path}: it is ${what}`, { hint: "move it away, or name another path; nothing was written" });
  }
}

/**
 * Thrown when a template and its values do not agree: a mistake of the plugin it belongs to.
 *
 * Fix: Report it to the plugin's authors.
 */
export class TemplateError extends ScaffoldError {
  readonly code = "SCAFFOLD_TEMPLATE";
}

/**
 * Thrown when another command is at work in the project; the message has its process and start.
 *
 * Fix: Wait; if no such command runs, remove `.kubescaffold/lock`.
 */
export class ProjectLockedError extends ScaffoldError {
  readonly code = "SCAFFOLD_LOCKED";
  /** Without a holder, the lock does not say whose it is. */
  constructor(
    holder: { readonly pid: number; readonly command: string; readonly since: string } | undefined,
    lockPath: string,
  ) {
    super(
      holder === undefined
        ? "cannot start: another command may be at work in this project, and its lock does not say which"
        : `cannot start: \`${holder.command}\` (process ${holder.pid}) has been at work in this project since ${holder.since}`,
      { hint: `wait for it to finish; if no such command is running, remove ${lockPath}` },
    );
  }
}

/**
 * Thrown when the disk is full or read-only, or permission is denied; the message says whether anything changed.
 *
 * Fix: Free space or make the folder writable, and run the command again.
 */
export class DiskError extends ScaffoldError {
  readonly code = "SCAFFOLD_DISK";
}

/**
 * Thrown when a command was interrupted while it wrote, and a file has been changed since, so it can be neither completed nor undone.
 *
 * Fix: Bring the file back, or remove `.kubescaffold/journal` to keep the files as they are.
 */
export class JournalConflictError extends ScaffoldError {
  readonly code = "SCAFFOLD_JOURNAL_CONFLICT";
}

/**
 * Thrown when `.kubescaffold/journal` was not written by this program, for this user, in this folder, so no command writes what it names.
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
