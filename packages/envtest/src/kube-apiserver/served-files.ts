import { readFile, rm } from "node:fs/promises";
import path from "node:path";

import type { RestConfig } from "@kubescaffold/k8s";
import { parseJson } from "@kubescaffold/k8s";
import { asRecord } from "@kubescaffold/platform";
import { makeFolder, writePrivateFile } from "@kubescaffold/platform/files";

import { kubeconfigOf } from "../control-plane/kubeconfig.ts";
import { ServerFlagError } from "../failures/errors.ts";
import type { ClusterFlags } from "./cluster-flags.ts";

/** The context, cluster, and user in the kubeconfig of a server. */
const CONTEXT = "scaffold-apiserver";

/** The files that tell other programs of a server: its kubeconfig, and the one that exists while it is ready. */
export class ServedFiles {
  readonly #kubeconfig: string | undefined;
  readonly #readyFile: string | undefined;
  readonly #written: { readonly file: string; readonly text: string }[] = [];

  constructor({ kubeconfig, readyFile }: Pick<ClusterFlags, "kubeconfig" | "readyFile">) {
    this.#kubeconfig = kubeconfig;
    this.#readyFile = readyFile;
  }

  /** Removes the files of an earlier server. Fails: {@link ServerFlagError} for a file that no server has written. */
  async prepare(): Promise<void> {
    const stale = [
      { flag: "kubeconfig", file: this.#kubeconfig, isOurs: isServersKubeconfig },
      { flag: "ready-file", file: this.#readyFile, isOurs: (text: string) => /^(?:https:\/\/\S+\n)?$/u.test(text) },
    ];
    for (const { flag, file, isOurs } of stale) {
      const text = file === undefined ? undefined : await existing(flag, file);
      if (file === undefined || text === undefined || isOurs(text)) continue;
      throw new ServerFlagError(
        `cannot use --${flag}=${file}: the file exists, and no API server of this command wrote it`,
        {
          hint: "pass another path, or remove the file",
        },
      );
    }
    for (const { file } of stale) if (file !== undefined) await rm(file, { force: true });
  }

  /** Writes the kubeconfig, and then the file that makes the server ready. Fails: {@link ServerFlagError}; nothing is left then. */
  async publish(url: string, config: RestConfig): Promise<void> {
    // A server on all addresses has that of the loopback device, too, which its certificate contains.
    const reachable = url.replace(/^https:\/\/(?:0\.0\.0\.0|\[::\])(?=:)/u, "https://127.0.0.1");
    try {
      if (this.#kubeconfig !== undefined)
        await this.#write("kubeconfig", this.#kubeconfig, kubeconfigOf({ ...config, server: reachable }, CONTEXT));
      if (this.#readyFile !== undefined) await this.#write("ready-file", this.#readyFile, `${reachable}\n`);
    } catch (error) {
      await this.remove();
      throw error;
    }
  }

  /** Removes the files unless others have changed them. */
  async remove(): Promise<void> {
    for (const { file, text } of this.#written.splice(0).toReversed()) {
      if ((await readFile(file, "utf8").catch(() => undefined)) === text) await rm(file, { force: true });
    }
  }

  async #write(flag: string, file: string, text: string): Promise<void> {
    try {
      makeFolder(path.resolve(path.dirname(file)));
      await writePrivateFile(file, text);
      this.#written.push({ file, text });
    } catch (error) {
      throw new ServerFlagError(`cannot write the file of --${flag}: ${(error as Error).message}`, {
        hint: "pass a path in a folder that the current user can write",
        cause: error,
      });
    }
  }
}

async function existing(flag: string, file: string): Promise<string | undefined> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw new ServerFlagError(`cannot use --${flag}=${file}: ${(error as Error).message}`, {
      hint: "pass the path of a file",
      cause: error,
    });
  }
}

// They are JSON, and have our context as the current one.
function isServersKubeconfig(text: string): boolean {
  try {
    return text === "" || asRecord(parseJson(text))["current-context"] === CONTEXT;
  } catch {
    return false;
  }
}
