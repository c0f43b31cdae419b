import { compareLines } from "@kubescaffold/platform";

import { DanglingLinkError, FileExistsError, FileMissingError, NotUtf8Error } from "./errors.ts";

/** Reads what is on disk below the root of a project; paths are relative with forward slashes. */
export interface ProjectReader {
  /** Returns the text of a file, or nothing when there is none. */
  readonly read: (path: string) => string | undefined;
  /** Reports whether the text of a file is all that is in it: bytes that are no UTF-8 are lost. A reader without it loses nothing. */
  readonly isUtf8?: (path: string) => boolean;
  /** Reports whether there is a link at a path that leads nowhere. A reader without it knows of none. */
  readonly isDangling?: (path: string) => boolean;
  /** Lists the files of the project, sorted; what is installed, built, or kept by tools is none. A reader without it knows of none. */
  readonly list?: () => readonly string[];
  /** Lists the files below a folder, sorted, whatever they are. A reader without it knows of none. */
  readonly listBelow?: (folder: string) => readonly string[];
}

/** What a command does to one file, with the text it had before where there was one. */
export type FileAction =
  | {
      readonly kind: "create";
      readonly path: string;
      readonly content: string;
      readonly isExecutable: boolean;
      /** As in the options of {@link FileTree.create}. */
      readonly isPrinted?: boolean;
      /** As in the options of {@link FileTree.create}. */
      readonly isPlain?: boolean;
    }
  | {
      readonly kind: "overwrite";
      readonly path: string;
      readonly content: string;
      readonly previous: string;
      readonly isExecutable: boolean;
      readonly isPrinted?: boolean;
      readonly isPlain?: boolean;
    }
  | { readonly kind: "delete"; readonly path: string; readonly previous: string };

/** What happens when a file to be created is there already. */
export type IfExists = "error" | "skip" | "overwrite";

interface Planned {
  readonly content: string | undefined;
  readonly isExecutable: boolean;
  readonly isPrinted?: boolean;
  readonly isPlain?: boolean;
  /** The file on disk whose line ends a new one takes. */
  readonly movedFrom?: string | undefined;
}

/**
 * Is a project as a command wants it to be: what is on disk, with the planned changes laid over it.
 *
 * Texts are read and planned with line feeds and without a byte order mark; a file that is there keeps the line ends and the mark that it has.
 *
 * Guarantees: nothing is written; {@link FileTree.actions} lists only real differences, sorted by path.
 */
export class FileTree {
  readonly #reader: ProjectReader;
  readonly #planned = new Map<string, Planned>();
  readonly #skipped = new Set<string>();
  readonly #replaced = new Set<string>();

  constructor(reader: ProjectReader) {
    this.#reader = reader;
  }

  /** Returns the text of a file with the planned changes, or nothing when there is no such file. */
  read(path: string): string | undefined {
    const planned = this.#planned.get(path);
    if (planned !== undefined) return planned.content;
    const text = this.#reader.read(path);
    return text === undefined ? undefined : withoutByteOrderMark(withLineFeeds(text));
  }

  /**
   * Returns the text of a file that must be there.
   *
   * Fails: `FileMissingError`, `DanglingLinkError`, `NotUtf8Error` when some of it would be lost in a change.
   */
  readExisting(path: string): string {
    const content = this.read(path);
    if (content === undefined) throw this.#missing(path);
    if (content.includes(REPLACEMENT) && !this.#planned.has(path) && this.#reader.isUtf8?.(path) === false)
      throw new NotUtf8Error(path);
    return content;
  }

  #missing(path: string): FileMissingError | DanglingLinkError {
    const isDangling = !this.#planned.has(path) && this.#reader.isDangling?.(path) === true;
    return isDangling ? new DanglingLinkError(path) : new FileMissingError(path);
  }

  /** Lists the files of the project with the planned changes, sorted. */
  files(): readonly string[] {
    const onDisk = this.#reader.list?.() ?? [];
    const all = new Set([...onDisk, ...this.#planned.keys()]);
    return [...all]
      .filter((path) => this.#planned.get(path)?.content !== undefined || !this.#planned.has(path))
      .toSorted();
  }

  /** Lists the files below a folder with the planned changes, sorted; those that tools built are among them. */
  filesBelow(folder: string): readonly string[] {
    const onDisk = this.#reader.listBelow?.(folder) ?? [];
    const planned = [...this.#planned.keys()].filter((path) => path.startsWith(`${folder}/`));
    return [...new Set([...onDisk, ...planned])].filter((path) => this.exists(path)).toSorted();
  }

  /** Reports whether there is such a file. */
  exists(path: string): boolean {
    return this.read(path) !== undefined;
  }

  /**
   * Plans a new file; with `movedFrom`, one that has the line ends of another. With `isPrinted`, its YAML documents, from the first `---` on, come from
   * a printer whole, and are not parsed again before they are written. With `isPlain`, it is a template of this program with plain words in it, for
   * which tests show that it parses.
   *
   * Fails: `FileExistsError` when there is one and `ifExists` is `error`, which it is unless given.
   */
  create(
    path: string,
    content: string,
    options: {
      readonly ifExists?: IfExists;
      readonly isExecutable?: boolean;
      readonly isPrinted?: boolean;
      readonly isPlain?: boolean;
      readonly movedFrom?: string;
    } = {},
  ): void {
    const { ifExists = "error", isExecutable = false, isPrinted = false, isPlain = false, movedFrom } = options;
    if (this.exists(path) && ifExists !== "overwrite") {
      if (ifExists === "error") throw new FileExistsError(path);
      this.#skipped.add(path);
      return;
    }
    if (this.#reader.read(path) !== undefined) this.#replaced.add(path);
    this.#planned.set(path, { content, isExecutable, isPrinted, isPlain, movedFrom });
  }

  /** Plans a new text for a file that is there. Fails: `FileMissingError`. */
  update(path: string, change: (content: string) => string): void {
    const content = this.readExisting(path);
    const { isExecutable = false, movedFrom } = this.#planned.get(path) ?? {};
    this.#planned.set(path, { content: change(content), isExecutable, movedFrom });
  }

  /** Plans to remove a file. Fails: `FileMissingError`. */
  delete(path: string): void {
    if (!this.exists(path)) throw this.#missing(path);
    this.#planned.set(path, { content: undefined, isExecutable: false });
  }

  /** Returns the paths that were not created because a file was there, and whose files stay as they are. */
  skipped(): readonly string[] {
    const changed = new Set(this.actions().map((action) => action.path));
    return [...this.#skipped].filter((path) => !changed.has(path)).toSorted();
  }

  /** Returns the paths of files on disk that were regenerated, whatever was in them, and now differ. */
  replaced(): readonly string[] {
    return this.actions()
      .map((action) => action.path)
      .filter((path) => this.#replaced.has(path));
  }

  /** Returns what differs from the disk, sorted by path. */
  actions(): readonly FileAction[] {
    return [...this.#planned.entries()]
      .toSorted(([left], [right]) => (left < right ? -1 : 1))
      .flatMap(([path, planned]) => actionFor(path, this.#asOnDisk(path, planned), this.#reader.read(path)));
  }

  #asOnDisk(path: string, planned: Planned): Planned {
    const { content, movedFrom = path } = planned;
    const model = this.#reader.read(path) ?? this.#reader.read(movedFrom);
    return content === undefined || model === undefined
      ? planned
      : { ...planned, content: withByteOrderMarkOf(model, withLineEndsOf(model, content)) };
  }
}

// What takes the place of bytes that cannot be read.
const REPLACEMENT = "\uFFFD";

function actionFor(path: string, planned: Planned, previous: string | undefined): readonly FileAction[] {
  const { content, isExecutable } = planned;
  const known = {
    ...(planned.isPrinted === true ? { isPrinted: true } : {}),
    ...(planned.isPlain === true ? { isPlain: true } : {}),
  };
  if (content === previous) return [];
  if (content === undefined) return [{ kind: "delete", path, previous: previous ?? "" }];
  if (previous === undefined) return [{ kind: "create", path, content, isExecutable, ...known }];
  return [{ kind: "overwrite", path, content, previous, isExecutable, ...known }];
}

const [LF, CRLF] = ["\n", "\r\n"];

/** Returns a text with the line ends that commands work with, whatever it has. */
export function withLineFeeds(text: string): string {
  return text.includes(CRLF) ? text.replaceAll(CRLF, LF) : text;
}

/**
 * Returns a text with the line ends of the one whose place it takes.
 *
 * Guarantees: a line that both have ends as it did; where the ends are mixed, a new line ends like the one before it.
 */
export function withLineEndsOf(previous: string, text: string): string {
  if (!previous.includes(CRLF)) return text;
  const lines = withLineFeeds(text).split(LF);
  return isMixed(previous) ? joinMixed(previous, lines) : lines.join(CRLF);
}

function isMixed(text: string): boolean {
  return /(?:^|[^\r])\n/u.test(text);
}

function joinMixed(previous: string, lines: readonly string[]): string {
  const ends = [...previous.matchAll(/\r?\n/gu)].map(([end]) => end);
  let [at, last, result] = [0, ends[0] ?? LF, ""];
  const rows = compareLines(withLineFeeds(previous).split(LF), lines);
  const left = lines.length - 1;
  let written = 0;
  for (const { kind, text } of rows) {
    if (kind !== "added") {
      last = ends[at] ?? last;
      at += 1;
    }
    if (kind === "removed") continue;
    result += written < left ? text + last : text;
    written += 1;
  }
  return result;
}

/** Returns a text without the mark that some editors put at the start of UTF-8 files. */
export function withoutByteOrderMark(text: string): string {
  return text.startsWith(MARK) ? text.slice(1) : text;
}

/** Returns a text with the mark of the one whose place it takes, where that has it. */
export function withByteOrderMarkOf(previous: string, text: string): string {
  return previous.startsWith(MARK) ? MARK + withoutByteOrderMark(text) : text;
}

const MARK = "\uFEFF";
