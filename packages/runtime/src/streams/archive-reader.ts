import { randomBytes } from "node:crypto";
import { copyFile, lstat, mkdir, open, rename, rm } from "node:fs/promises";
import path from "node:path";

import { makeFolder } from "@kubescaffold/platform/files";
import { type Extract, extract } from "tar-stream";

import type { CopyCounter } from "./copy-command.ts";
import { ArchiveRefusedError, CopyError } from "./errors.ts";

type Entry = Extract extends AsyncIterable<infer Item> ? Item : never;

/** Options of an {@link ArchiveReader}. */
interface ArchiveReaderOptions {
  /** The name that all entries have, or begin with. */
  readonly prefix: string;
  /** The path of the entry that is named like the prefix. */
  readonly target: string;
  readonly counter: CopyCounter;
  readonly onSkippedLink: (path: string, linkTarget: string) => void;
}

/** Writes the entries of an untrusted tar archive below a path. */
export class ArchiveReader {
  readonly #options: ArchiveReaderOptions;
  readonly #archive: Extract = extract();
  readonly #folders = new Set<string>();
  #ended = false;

  constructor(options: ArchiveReaderOptions) {
    this.#options = options;
    this.#archive.on("error", () => undefined);
  }

  /** Takes a part of the archive; calls back when the next one can be taken. */
  write(chunk: Buffer, done: (error?: Error) => void): void {
    if (this.#archive.destroyed || this.#archive.write(chunk)) done();
    else this.#archive.once("drain", () => done());
  }

  /** Ends the archive. */
  end(): void {
    this.#ended = true;
    this.#archive.end(Buffer.alloc(0));
  }

  /** Stops the extraction. */
  destroy(): void {
    this.#archive.destroy(new CopyError("the copy was stopped"));
  }

  /** Extracts until the archive ends; at its failure, no incomplete file is left. */
  async extract(): Promise<void> {
    let entries = 0;
    try {
      for await (const entry of this.#archive) {
        entries += 1;
        await this.#extract(entry);
        entry.resume();
      }
    } catch (cause) {
      if (cause instanceof ArchiveRefusedError || cause instanceof CopyError) throw cause;
      const detail = this.#ended ? "is incomplete" : `is invalid: ${(cause as Error).message}`;
      throw new CopyError(`the archive of the container ${detail}`, { cause });
    }
    if (entries === 0) throw new CopyError("the archive of the container is empty");
  }

  async #extract(entry: Entry): Promise<void> {
    const { type, name, mode, linkname } = entry.header;
    const relative = this.#relativeOf(name, name);
    const target = relative === "" ? this.#options.target : path.join(this.#options.target, relative);
    switch (type) {
      case "directory":
        await this.#createFolder(relative, { name, mode });
        return;
      case "symlink":
        this.#options.onSkippedLink(relative, linkname);
        return;
      case "file":
      case "contiguous-file":
        await this.#createParents(relative, name);
        await replaceFile(target, async (draft) => this.#writeFile(draft, { entry, relative, mode }));
        break;
      case "link": {
        const original = this.#relativeOf(linkname, name);
        await this.#createParents(relative, name);
        await this.#requireFile(original, name);
        await replaceFile(target, async (draft) => copyFile(path.join(this.#options.target, original), draft));
        break;
      }
      default:
        throw new ArchiveRefusedError(name, `its type is ${type}`);
    }
    this.#options.counter.addFile(relative);
  }

  // Returns the path below the target; the entry is named in errors.
  #relativeOf(name: string, entry: string): string {
    const { prefix } = this.#options;
    const segments = name.split("/");
    if (name.startsWith("/") || segments.includes("..") || name.includes("\0")) {
      throw new ArchiveRefusedError(entry, "its path leaves the target");
    }
    if (path.sep === "\\" && /[\\:]/u.test(name)) throw new ArchiveRefusedError(entry, "its path leaves the target");
    const clean = segments.filter((segment) => segment !== "" && segment !== ".").join("/");
    if (prefix === "" || clean === prefix) return prefix === "" ? clean : "";
    if (!clean.startsWith(`${prefix}/`)) throw new ArchiveRefusedError(entry, "its path is outside the source");
    return clean.slice(prefix.length + 1);
  }

  async #createFolder(
    relative: string,
    { name, mode }: { readonly name: string; readonly mode: number },
  ): Promise<void> {
    await this.#createParents(relative, name);
    if (relative === "") {
      makeFolder(this.#options.target, (mode & PERMISSIONS) | OWNER_ONLY);
    } else {
      await this.#ensureFolder(relative, { name, mode });
    }
  }

  async #createParents(relative: string, name: string): Promise<void> {
    if (relative === "") {
      makeFolder(path.dirname(this.#options.target));
      return;
    }
    makeFolder(this.#options.target);
    const segments = relative.split("/").slice(0, -1);
    for (const index of segments.keys()) {
      await this.#ensureFolder(segments.slice(0, index + 1).join("/"), { name, mode: DEFAULT_MODE });
    }
  }

  // A link that is on this machine already could lead anywhere.
  async #ensureFolder(
    relative: string,
    { name, mode }: { readonly name: string; readonly mode: number },
  ): Promise<void> {
    if (this.#folders.has(relative)) return;
    const folder = path.join(this.#options.target, relative);
    const found = await lstat(folder).catch(() => undefined);
    if (found === undefined) await mkdir(folder, { mode: (mode & PERMISSIONS) | OWNER_ONLY });
    else if (!found.isDirectory()) throw new ArchiveRefusedError(name, `${folder} is not a folder`);
    if (this.#folders.size < MAX_KNOWN_FOLDERS) this.#folders.add(relative);
  }

  // Hard links lead to files that were extracted before.
  async #requireFile(relative: string, name: string): Promise<void> {
    const parts = relative.split("/");
    for (const index of parts.keys()) {
      const found = await lstat(path.join(this.#options.target, ...parts.slice(0, index + 1))).catch(() => undefined);
      const isExpected = index === parts.length - 1 ? found?.isFile() : found?.isDirectory();
      if (isExpected !== true)
        throw new ArchiveRefusedError(name, "it is a hard link to a file that is not in the archive");
    }
  }

  async #writeFile(
    draft: string,
    { entry, relative, mode }: { readonly entry: Entry; readonly relative: string; readonly mode: number },
  ): Promise<void> {
    const file = await open(draft, "wx", mode & PERMISSIONS);
    try {
      for await (const chunk of entry as AsyncIterable<Buffer>) {
        for (let written = 0; written < chunk.length;) {
          written += (await file.write(chunk, written)).bytesWritten;
        }
        this.#options.counter.addBytes(relative, chunk.length);
      }
    } finally {
      await file.close();
    }
  }
}

const PERMISSIONS = 0o777;
const OWNER_ONLY = 0o700;
const DEFAULT_MODE = 0o755;
const MAX_KNOWN_FOLDERS = 10_000;

// The draft is beside the file, so that it can be renamed.
async function replaceFile(target: string, write: (draft: string) => Promise<void>): Promise<void> {
  const draft = path.join(path.dirname(target), `.${randomBytes(8).toString("hex")}.partial`);
  try {
    await write(draft);
    await rename(draft, target);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
