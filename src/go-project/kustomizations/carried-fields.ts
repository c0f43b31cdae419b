import path from "node:path";

import type { Schema } from "@kubescaffold/generators/importer";
import { messageOf } from "@kubescaffold/k8s";
import { printYaml } from "@kubescaffold/k8s/yaml";
import { isRecord } from "@kubescaffold/platform";

import { buildKustomization } from "../../kustomize/build.ts";
import { type Kustomization, readKustomization } from "../../kustomize/kustomization.ts";
import { type Manifest, nameOf, textAt } from "../../kustomize/manifest.ts";
import type { FileTree } from "../../machinery/file-tree.ts";
import { insertAtMarker } from "../../machinery/insertion-points.ts";
import { isDnsLabel } from "../../project/name-rules.ts";
import type { GoFiles } from "../go-files.ts";
import { documentsIn, textOf, type WebhookFacts } from "../manifest-facts.ts";
import { findManifests } from "../manifest-places.ts";
import type { NotMapped } from "../plan-project.ts";
import { applyKustomizeSettings, documentOf, type FolderSettings, KUSTOMIZATION } from "./kustomize-settings.ts";

type Files = Pick<GoFiles, "crds" | "paths" | "read">;

/**
 * Gives the kustomizations below `config` what those of the Go project set: the parts of the base, prefixes of names, patches of CRDs, and the replicas of the manager.
 * Returns what it cannot have.
 */
export function carryFields(files: Files, tree: FileTree): readonly NotMapped[] {
  carryNames(files, tree);
  carryReplicas(files, tree);
  return [...carryBase(files, tree), ...carryCrdPatches(files, tree)];
}

function carryBase(files: Files, tree: FileTree): readonly NotMapped[] {
  const wanted = files.read(KUSTOMIZATION);
  if (wanted === undefined) return [];
  const { text, notMapped } = applyKustomizeSettings(tree.readExisting(KUSTOMIZATION), wanted, folderSettings(files));
  tree.update(KUSTOMIZATION, () => text);
  return notMapped;
}

const FOLDERS = ["config/manager", "config/rbac", "config/webhook"];

/** Returns what the folders of a project set by themselves: a namespace, if it is one, and prefixes of names. */
function folderSettings(files: Pick<GoFiles, "read">): FolderSettings {
  const settings = [...FOLDERS, "config/certmanager"].map((folder) => kustomizationAt(files, folder));
  const distinct = (key: string): readonly string[] =>
    [...new Set(settings.map((each) => textOf(each[key])))].filter((each) => each !== "");
  const [namespace = "", ...others] = distinct("namespace");
  return { namespace: others.length === 0 ? namespace : "", prefixes: distinct("namePrefix") };
}

function kustomizationAt({ read }: Pick<GoFiles, "read">, folder: string): Schema {
  const file = `${folder}/kustomization.yaml`;
  const text = read(file);
  return text === undefined ? {} : documentOf(text, file);
}

// Each folder of the base may have its own.
function carryNames(files: Files, tree: FileTree): void {
  for (const folder of FOLDERS) {
    const file = `${folder}/kustomization.yaml`;
    const wanted = kustomizationAt(files, folder);
    if (!tree.exists(file)) continue;
    const own = documentOf(tree.read(file) ?? "", file);
    for (const key of ["namePrefix", "nameSuffix"]) {
      const value = textOf(wanted[key]);
      if (!isDnsLabel(value.replaceAll(/^-|-$/gu, "")) || own[key] !== undefined) continue;
      tree.update(file, (text) => `${text.trimEnd()}\n\n${key}: ${value}\n`);
    }
  }
}

const MANAGER = "config/manager/manager.yaml";

function carryReplicas(files: Files, tree: FileTree): void {
  if (!tree.exists(MANAGER)) return;
  const [replicas] = documentsIn(files, MANAGER).flatMap((document) => {
    const isDeployment = isRecord(document) && document["kind"] === "Deployment" && isRecord(document["spec"]);
    return isDeployment ? [(document["spec"] as Schema)["replicas"]] : [];
  });
  if (typeof replicas !== "number" || !Number.isSafeInteger(replicas) || replicas < 0) return;
  tree.update(MANAGER, (text) => text.replace(/^(?<key> {2}replicas: )\d+$/mu, (_, key: string) => key + replicas));
}

const CRDS = "config/crd/kustomization.yaml";
// The scaffold has its own for conversion.
const SCAFFOLDED = /^patches\/(?:cainjection|webhook)_in_[^/]+\.yaml$/u;

function carryCrdPatches(files: Files, tree: FileTree): readonly NotMapped[] {
  const folder = path.posix.dirname(path.posix.normalize(findManifests(files).crds));
  if (!tree.exists(CRDS)) return [];
  return patchesOf(kustomizationAt(files, folder)).flatMap((patch): readonly NotMapped[] => {
    const name = textOf(patch["path"]);
    if (SCAFFOLDED.test(name)) return [];
    const file = path.posix.join(folder, name);
    const text = name === "" ? undefined : files.read(file);
    if (name !== "" && (text === undefined || !/^[\w.-]+\.ya?ml$/u.test(path.posix.basename(name))))
      return [{ what: `${folder}/kustomization.yaml: the patch ${name}`, why: "the Go project has no such file" }];
    const target = `patches/${path.posix.basename(name)}`;
    if (text !== undefined) tree.create(`config/crd/${target}`, text);
    const entry = text === undefined ? patch : { ...patch, path: target };
    const lines = printYaml([entry]).trimEnd().split("\n");
    tree.update(CRDS, (content) => insertAtMarker(content, { path: CRDS, marker: "crdkustomizewebhookpatch", lines }));
    return [];
  });
}

function patchesOf(document: Schema): readonly Schema[] {
  const listed = ["patchesStrategicMerge", "patches", "patchesJson6902"].flatMap((key) => {
    const list = document[key];
    return Array.isArray(list) ? (list as readonly unknown[]) : [];
  });
  return listed.flatMap((each): readonly Schema[] => {
    if (isRecord(each)) return [each];
    const text = textOf(each);
    return text === "" ? [] : [text.includes("\n") ? { patch: text } : { path: text }];
  });
}

/** Webhooks with what the kustomization beside their manifest sets, and why that was not read. */
export interface BuiltWebhooks {
  readonly webhooks: readonly WebhookFacts[];
  readonly notMapped: readonly NotMapped[];
}

/**
 * Returns generated webhooks as the kustomization beside them deploys them: with the selectors, policies, and other fields of its patches.
 *
 * Guarantees: names without the prefix of that kustomization, and Services of the folder under the name that a generator gives, since the new project
 * sets both itself. Webhooks that the patches delete are left out; if the folder cannot be built, the webhooks are those of the manifest.
 */
export function builtWebhooks(
  files: Pick<GoFiles, "paths" | "read">,
  generated: readonly WebhookFacts[],
): BuiltWebhooks {
  const folder = path.posix.dirname(findManifests(files).webhooks);
  if (generated.length === 0) return { webhooks: generated, notMapped: [] };
  try {
    const kustomization = readKustomization(files.read, folder);
    if (kustomization === undefined || !changesObjects(kustomization)) return { webhooks: generated, notMapped: [] };
    const objects = buildKustomization(files.read, folder);
    return { webhooks: webhooksIn(objects, kustomization, generated), notMapped: [] };
  } catch (error) {
    const why = `its patches are not part of the new project: ${messageOf(error)}`;
    return { webhooks: generated, notMapped: [{ what: `${folder}/kustomization.yaml`, why }] };
  }
}

const SAME_OBJECTS = new Set(["apiVersion", "configurations", "kind", "metadata", "resources"]);

function changesObjects({ content }: Kustomization): boolean {
  return Object.entries(content).some(([key, value]) => value !== null && !SAME_OBJECTS.has(key));
}

function webhooksIn(
  objects: readonly Manifest[],
  { content }: Kustomization,
  generated: readonly WebhookFacts[],
): readonly WebhookFacts[] {
  const services = new Set(objects.filter(({ kind }) => kind === "Service").map((each) => nameOf(each)));
  const [prefix, suffix] = [textAt(content, "namePrefix"), textAt(content, "nameSuffix")];
  const configurations = objects
    .map((each) => ({ each, name: nameOf(each).slice(prefix.length) }))
    .map(({ each, name }) => ({ each, name: suffix === "" ? name : name.slice(0, -suffix.length) }));
  // The order of the manifest is kept: patches put what they name first.
  return generated.flatMap(({ isMutating, configuration, object }): readonly WebhookFacts[] => {
    const kind = `${isMutating ? "Mutating" : "Validating"}WebhookConfiguration`;
    const found = configurations.find(({ each, name }) => each.kind === kind && name === configuration);
    const webhooks: readonly unknown[] = Array.isArray(found?.each["webhooks"]) ? found.each["webhooks"] : [];
    const built = webhooks.find((each) => isRecord(each) && each["name"] === object["name"]);
    return isRecord(built) ? [{ isMutating, configuration, object: withOwnService(built, services) }] : [];
  });
}

function withOwnService(object: Schema, services: ReadonlySet<string>): Schema {
  const config = isRecord(object["clientConfig"]) ? object["clientConfig"] : {};
  const service = isRecord(config["service"]) ? config["service"] : {};
  if (!services.has(textOf(service["name"]))) return object;
  const own = { ...service, name: "webhook-service", namespace: "system" };
  return { ...object, clientConfig: { ...config, service: own } };
}
