import { readdir, readFile } from "node:fs/promises";
import path from "node:path";

import type { GroupVersionKind } from "@kubescaffold/k8s";
import { readYamlDocuments } from "@kubescaffold/k8s/yaml";
import { isRecord } from "@kubescaffold/platform";

import type { KindInfo } from "../contract/protocol.ts";
import { yamlOf } from "./object-reads.ts";

interface Sample {
  readonly apiVersion: unknown;
  readonly kind: unknown;
  readonly file: string;
  readonly yaml: string;
}

/** A resource that a server serves. */
export interface ServedKind extends GroupVersionKind {
  /** The plural name. */
  readonly resource: string;
  readonly isNamespaced: boolean;
  readonly verbs: readonly string[];
}

/** The resources of a server, and the schemas of its custom resources. */
export interface KindSource {
  /** In the order of preference. */
  readonly served: readonly ServedKind[];
  readonly definitionOf: (kind: ServedKind) => Readonly<Record<string, unknown>> | undefined;
}

/** Returns the kinds that a page can create, those of a project first, with its samples. */
export async function kindsOf(
  { served: all, definitionOf }: KindSource,
  projectDirectory: string | undefined,
): Promise<readonly KindInfo[]> {
  const samples =
    projectDirectory === undefined ? [] : await readSamples(path.join(projectDirectory, "config", "samples"));
  const definitions =
    projectDirectory === undefined ? [] : await filesIn(path.join(projectDirectory, "config", "crd", "bases"));
  const seen = new Set<string>();
  const kinds = all
    .filter(({ verbs }) => verbs.includes("create") && verbs.includes("patch") && verbs.includes("get"))
    .map((served): KindInfo => {
      const { group, version, resource, kind, isNamespaced } = served;
      const apiVersion = group === "" ? version : `${group}/${version}`;
      const isOfProject = definitions.includes(`${group}_${resource}.yaml`);
      const definition = definitionOf(served);
      const schema = definition === undefined ? undefined : schemaOf(definition, version);
      return {
        apiVersion,
        kind,
        resource,
        isNamespaced,
        isOfProject,
        ...(schema === undefined ? {} : { schema }),
        samples: samples
          .filter((sample) => sample.apiVersion === apiVersion && sample.kind === kind)
          .map(({ file, yaml }) => ({ file, yaml })),
      };
    })
    // Of kinds that are not the project's, one version is enough.
    .filter(({ apiVersion, kind, isOfProject }) => {
      const key = `${apiVersion.split("/")[0] ?? ""} ${kind}`;
      if (isOfProject || !seen.has(key)) return seen.add(key) !== undefined;
      return false;
    });
  return [...kinds.filter(({ isOfProject }) => isOfProject), ...kinds.filter(({ isOfProject }) => !isOfProject)];
}

function schemaOf(definition: Readonly<Record<string, unknown>>, version: string): unknown {
  const spec = isRecord(definition["spec"]) ? definition["spec"] : {};
  const versions = Array.isArray(spec["versions"]) ? spec["versions"].filter(isRecord) : [];
  const schema = versions.find(({ name }) => name === version)?.["schema"];
  return isRecord(schema) ? schema["openAPIV3Schema"] : undefined;
}

async function readSamples(folder: string): Promise<readonly Sample[]> {
  const files = (await filesIn(folder)).filter((file) => /\.ya?ml$/u.test(file) && !file.startsWith("kustomization."));
  const samples = await Promise.all(files.map(async (file) => await readSample(path.join(folder, file), file)));
  return samples.flat();
}

async function readSample(file: string, name: string): Promise<readonly Sample[]> {
  try {
    const text = await readFile(file, "utf8");
    const objects = readYamlDocuments(text, { file: name }).filter(isRecord);
    return objects.map((object) => ({
      apiVersion: object["apiVersion"],
      kind: object["kind"],
      file: name,
      yaml: objects.length === 1 ? text : yamlOf(object),
    }));
  } catch {
    // The generators report what is wrong with it.
    return [];
  }
}

async function filesIn(folder: string): Promise<readonly string[]> {
  try {
    return (await readdir(folder)).toSorted();
  } catch {
    return [];
  }
}
