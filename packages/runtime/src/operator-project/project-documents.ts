import { readFile } from "node:fs/promises";
import path from "node:path";

import { messageOf, ScaffoldError } from "@kubescaffold/k8s";
import { readYamlDocuments } from "@kubescaffold/k8s/yaml";

/** The fields of a kustomization that tell how its objects are named. */
export interface Kustomization {
  readonly namePrefix?: string;
  readonly namespace?: string;
  readonly resources?: readonly string[];
}

/** Reads the kustomization of a folder. Fails: {@link NotAnOperatorError}. */
export async function readKustomization(folder: string): Promise<Kustomization> {
  const [document] = await readDocuments(path.join(folder, "kustomization.yaml"));
  return document ?? {};
}

/** Reads the documents of a YAML file. Fails: {@link NotAnOperatorError}. */
export async function readDocuments(file: string): Promise<readonly unknown[]> {
  try {
    return readYamlDocuments(await readFile(file, "utf8"), { file }).filter((document) => document !== null);
  } catch (error) {
    throw new NotAnOperatorError(file, error);
  }
}

/**
 * Thrown when a folder does not contain the manifests of an operator project.
 *
 * Fix: Use the folder of a project, and run `scaffold manifests` in it first.
 */
export class NotAnOperatorError extends ScaffoldError {
  readonly code = "ENVTEST_NOT_AN_OPERATOR";

  constructor(file: string, cause: unknown) {
    super(`cannot read the operator's manifests: ${file}: ${messageOf(cause)}`, {
      cause,
      hint: "pass the folder of a project created by `npx kubescaffold init`, and run `npx scaffold manifests` in it first",
    });
  }
}
