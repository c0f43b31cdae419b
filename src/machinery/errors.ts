import { ScaffoldError } from "@kubescaffold/k8s";

/** Is thrown when a file to be created exists already. */
export class FileExistsError extends ScaffoldError {
  readonly code = "SCAFFOLD_FILE_EXISTS";
  constructor(path: string) {
    super(`cannot create ${path}: the file already exists`, { hint: "pass --force to overwrite it" });
  }
}

/** Is thrown when a file that a command adds to is gone. */
export class FileMissingError extends ScaffoldError {
  readonly code = "SCAFFOLD_FILE_MISSING";
  constructor(path: string) {
    super(`cannot change ${path}: the file does not exist`, {
      hint: "restore it from version control; nothing was written",
    });
  }
}

/** Is thrown when a file is there but cannot be read. */
export class UnreadableFileError extends ScaffoldError {
  readonly code = "SCAFFOLD_FILE_UNREADABLE";
  constructor(path: string, cause: unknown) {
    const reason = cause instanceof Error ? cause.message.replace(/, .*$/u, "") : String(cause);
    super(`cannot read ${path}: ${reason}`, { hint: "make it readable for this user; nothing was written", cause });
  }
}

/** Is thrown when a file that a command changes is not in UTF-8, so that some of it would be lost. */
export class NotUtf8Error extends ScaffoldError {
  readonly code = "SCAFFOLD_NOT_UTF8";
  constructor(path: string) {
    super(`cannot change ${path}: it is not in UTF-8`, {
      hint: "save it in UTF-8 and run the command again; nothing was written",
    });
  }
}

/** Is thrown when an insertion marker, or a block that is to be switched on, is not in its file; says what belongs where. */
export class InsertionPointMissingError extends ScaffoldError {
  readonly code = "SCAFFOLD_MARKER_MISSING";
  constructor(options: { readonly path: string; readonly what: string; readonly lines: readonly string[] }) {
    const shown = options.lines.map((line) => `    ${line}`).join("\n");
    super(`cannot insert into ${options.path}: ${options.what} is not in the file`, {
      hint: `put it back and run the command again; these lines belong there:\n${shown}`,
    });
  }
}

/** Is thrown when there is a symbolic link where a file or folder is needed, and nothing where it leads. */
export class DanglingLinkError extends ScaffoldError {
  readonly code = "SCAFFOLD_DANGLING_LINK";
  constructor(path: string) {
    super(`cannot use ${path}: it is a symbolic link that leads nowhere`, {
      hint: "make what it leads to, or remove it; nothing was written",
    });
  }
}

/** Is thrown when a file stands where a command needs a folder. */
export class NotAFolderError extends ScaffoldError {
  readonly code = "SCAFFOLD_NOT_A_FOLDER";
  constructor(path: string) {
    super(`cannot use ${path} as a folder: it is a file`, {
      hint: "name another folder, or move the file away; nothing was written",
    });
  }
}

/** Is thrown when a command plans to write outside of its project, or where only git and running commands write: a name in PROJECT leads there. */
export class OutsideProjectError extends ScaffoldError {
  readonly code = "SCAFFOLD_OUTSIDE_PROJECT";
  constructor(path: string, reason = "it is outside of the project") {
    super(`cannot write ${path}: ${reason}`, {
      hint: "correct the name that leads there, in PROJECT, of which `npx scaffold doctor` tells, or in what is imported; nothing was written",
    });
  }
}

/** Is thrown when a symbolic link leads out of the project, or is where commands follow none. */
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

/** Is thrown when a path that a command writes is a folder, a symbolic link or anything else but a plain file. */
export class NotARegularFileError extends ScaffoldError {
  readonly code = "SCAFFOLD_NOT_A_REGULAR_FILE";
  constructor(path: string, what: string) {
    super(`cannot write ${path}: it is ${what}`, { hint: "move it away, or name another path; nothing was written" });
  }
}

/** Is thrown when a template and the values given to it do not agree: a mistake of the plugin that owns the template. */
export class TemplateError extends ScaffoldError {
  readonly code = "SCAFFOLD_TEMPLATE";
}

/** Is thrown when another command is at work in the same project. */
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

/** Is thrown when the disk does not take what a command writes; says whether anything has changed. */
export class DiskError extends ScaffoldError {
  readonly code = "SCAFFOLD_DISK";
}

/** Is thrown when an unfinished commit was found that can be neither completed nor discarded without losing something. */
export class JournalConflictError extends ScaffoldError {
  readonly code = "SCAFFOLD_JOURNAL_CONFLICT";
}

/** Is thrown when there is a journal that this program did not write, for this user, in this folder. Nothing of it is applied. */
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
