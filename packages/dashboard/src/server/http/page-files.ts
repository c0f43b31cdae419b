import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";

/** A file of the page. */
export interface PageFile {
  readonly contentType: string;
  readonly bytes: Buffer;
}

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".ico": "image/x-icon",
  ".woff2": "font/woff2",
};

const ASSET = /^\/(?<file>assets\/(?!\.)[\w.-]+)$/u;

/** Reads the files of a built page, which are `index.html` and those in `assets`. */
export class PageFiles {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Returns the file of a path; undefined if there is none, or if it is not one of the page. */
  async read(pathname: string): Promise<PageFile | undefined> {
    const file = pathname === "/" || pathname === "/index.html" ? "index.html" : ASSET.exec(pathname)?.groups?.["file"];
    const contentType = CONTENT_TYPES[path.extname(file ?? "")];
    if (file === undefined || contentType === undefined) return undefined;
    try {
      return { contentType, bytes: await readFile(path.join(this.#folder, file)) };
    } catch {
      return undefined;
    }
  }
}

// Beside the bundled entry points and their chunks in the published package; in a checkout, the output of the build of the page.
const CANDIDATES = ["../../page/", "../page/", "../../../dist/page/"];

/** Returns the folder of the built page; undefined if it was not built. */
export function findPageDirectory(): string | undefined {
  return CANDIDATES.map((candidate) => fileURLToPath(new URL(candidate, import.meta.url))).find((folder) =>
    existsSync(path.join(folder, "index.html")),
  );
}
