import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";

import { execa } from "execa";

const KEPT_FILES = 5;

/**
 * Opens secret URLs in the user's browser: through a file that only the user can read, since all users of a machine can read the arguments of programs.
 *
 * The files are removed by `close`; a browser may read one long after the program that opened it has exited.
 */
export class PrivateBrowser {
  readonly #platform: NodeJS.Platform;
  #folders: readonly string[] = [];

  constructor(platform: NodeJS.Platform = process.platform) {
    this.#platform = platform;
  }

  /** Opens a URL; returns false if there is no program for that, or no folder for the file. */
  async open(url: string): Promise<boolean> {
    try {
      const file = await this.#write(url);
      const [program, ...args] = browserCommand(file, this.#platform);
      await execa(program, args, { stdio: "ignore", timeout: 10_000 });
      return true;
    } catch {
      return false;
    }
  }

  /** Removes the files. */
  async close(): Promise<void> {
    await this.#keep([]);
  }

  // `mkdtemp` creates folders of mode 0700.
  async #write(url: string): Promise<string> {
    const folder = await mkdtemp(path.join(tmpdir(), "kubescaffold-page-"));
    await this.#keep([...this.#folders, folder].slice(-KEPT_FILES));
    const file = path.join(folder, "open.html");
    await writeFile(file, redirectTo(url), { mode: 0o600, flag: "wx" });
    return file;
  }

  async #keep(folders: readonly string[]): Promise<void> {
    const removed = this.#folders.filter((each) => !folders.includes(each));
    this.#folders = folders;
    await Promise.allSettled(removed.map((each) => rm(each, { recursive: true, force: true })));
  }
}

function redirectTo(url: string): string {
  const text = url.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
  return `<!doctype html>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0; url=${text}">
<title>Dashboard</title>
<a href="${text}">Open the dashboard</a>
`;
}

/** Returns the command that opens a file in the browser of a platform. */
export function browserCommand(file: string, platform: NodeJS.Platform): readonly [string, ...string[]] {
  if (platform === "win32") return ["rundll32", "url.dll,FileProtocolHandler", pathToFileURL(file).href];
  return [platform === "darwin" ? "open" : "xdg-open", file];
}
