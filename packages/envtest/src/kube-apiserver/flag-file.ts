import { readFile } from "node:fs/promises";

import { readYaml } from "@kubescaffold/k8s/yaml";
import { isRecord } from "@kubescaffold/platform";

import { ServerFlagError } from "../failures/errors.ts";

/** Reads the file that a flag names. Fails: {@link ServerFlagError}. */
export async function readFlagFile(flag: string, file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    throw unreadable(flag, error);
  }
}

/** Reads the object in a YAML file that a flag names. Fails: {@link ServerFlagError}. */
export async function readYamlFile(flag: string, file: string): Promise<Readonly<Record<string, unknown>>> {
  const text = await readFlagFile(flag, file);
  const value = parseFile(flag, file, text);
  if (isRecord(value)) return value;
  throw new ServerFlagError(`cannot read the file of --${flag}: ${file} contains no object`);
}

function parseFile(flag: string, file: string, text: string): unknown {
  try {
    return readYaml(text, { file });
  } catch (error) {
    throw new ServerFlagError(`cannot use the file of --${flag}: ${(error as Error).message}`, {
      hint: "fix the YAML at this position",
      cause: error,
    });
  }
}

function unreadable(flag: string, error: unknown): ServerFlagError {
  return new ServerFlagError(`cannot read the file of --${flag}: ${(error as Error).message}`, {
    hint: "pass the path of a file that the current user can read",
    cause: error,
  });
}

/** Checks the kind of an object in a file. Fails: {@link ServerFlagError}. */
export function requireKind(
  { apiVersion, kind }: Readonly<Record<string, unknown>>,
  wanted: { readonly apiVersion: string; readonly kind: string; readonly flag: string },
): void {
  if (apiVersion === wanted.apiVersion && kind === wanted.kind) return;
  throw new ServerFlagError(
    `cannot read the file of --${wanted.flag}: it is ${String(kind)} of ${String(apiVersion)}, not ${wanted.kind} of ${wanted.apiVersion}`,
  );
}
