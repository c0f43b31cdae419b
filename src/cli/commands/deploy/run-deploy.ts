import { existsSync } from "node:fs";
import path from "node:path";

import { writeOwnFile } from "../../../machinery/commit/own-file.ts";
import type { Invocation } from "../../command/command.ts";
import { type Program, readProgram, runProgram } from "../../programs/run-program.ts";
import { readProject } from "../../session/project-session.ts";
import { type BuiltObject, manifestsOf, objectsOf, withManagerImage } from "./built-manifests.ts";
import { requireCluster } from "./require-cluster.ts";

const INSTALLER = "dist/install.yaml";

/** The kubectl that reaches the cluster. */
interface Tools {
  readonly kubectl: Program;
}

/** Applies the CRDs of the project. */
export async function runInstall(tools: Tools, invocation: Invocation): Promise<number> {
  await readProject(invocation);
  return apply(tools, invocation, {
    manifests: await buildCrds(tools, invocation),
    emptyMessage: "no CRDs to install",
  });
}

interface Removal extends Tools {
  /** Whether objects that do not exist count as deleted. */
  readonly ignoresMissing: boolean;
}

/** Deletes the CRDs of the project. */
export async function runUninstall(removal: Removal, invocation: Invocation): Promise<number> {
  await readProject(invocation);
  return remove(removal, invocation, objectsOf(await buildCrds(removal, invocation)), "no CRDs to delete");
}

interface Building extends Tools {
  /** The image of the manager; that of config/manager unless given. */
  readonly image: string | undefined;
}

/** Applies everything. */
export async function runDeploy(building: Building, invocation: Invocation): Promise<number> {
  await readProject(invocation);
  return apply(building, invocation, {
    manifests: await buildAll(building, invocation),
    emptyMessage: "nothing to deploy",
  });
}

/** How the operator is removed. */
export interface UndeployOptions extends Removal {
  /** Whether the CRDs and their objects are deleted, too. */
  readonly deletesCrds: boolean;
  /** How long their deletion may take, in Go's form. */
  readonly timeout: string;
}

/** Deletes everything but the CRDs and the namespace, or everything, the CRDs first. */
export async function runUndeploy(
  { deletesCrds, timeout, ...removal }: UndeployOptions,
  invocation: Invocation,
): Promise<number> {
  await readProject(invocation);
  const objects = objectsOf(await build(removal, invocation, "config/default"));
  return deletesCrds
    ? removeCrdsFirst({ ...removal, timeout }, invocation, objects)
    : removeAllButData(removal, invocation, objects);
}

/** Writes everything to `dist/install.yaml`. */
export async function runBuildInstaller(building: Building, invocation: Invocation): Promise<number> {
  await readProject(invocation);
  const manifests = await buildAll(building, invocation);
  if (invocation.isDryRun) {
    list(invocation, `would write to ${INSTALLER}`, objectsOf(manifests));
    return 0;
  }
  await writeOwnFile({ root: invocation.cwd, path: INSTALLER, content: manifests });
  invocation.terminal.writeOut(`${INSTALLER}\n`);
  return 0;
}

async function buildCrds(tools: Tools, invocation: Invocation): Promise<string> {
  const hasCrds = existsSync(path.join(invocation.cwd, "config/crd/kustomization.yaml"));
  return hasCrds ? await build(tools, invocation, "config/crd") : "";
}

// The image is set in the built manifests, so that the project stays as it is.
async function buildAll({ image, ...tools }: Building, invocation: Invocation): Promise<string> {
  const manifests = await build(tools, invocation, "config/default");
  return image === undefined ? manifests : withManagerImage(manifests, image);
}

async function build({ kubectl }: Tools, invocation: Invocation, folder: string): Promise<string> {
  return await readProgram(kubectl, ["kustomize", folder], { invocation });
}

// Server-side: a large CRD does not fit into the annotation that a client-side apply writes.
async function apply(tools: Tools, invocation: Invocation, sent: Sent): Promise<number> {
  if (invocation.isDryRun && sent.manifests.trim() !== "") {
    list(invocation, "would apply", objectsOf(sent.manifests));
    return 0;
  }
  return send(tools, invocation, ["apply", "--server-side", "--force-conflicts", "-f", "-"], sent);
}

async function remove(
  { ignoresMissing, timeout, ...tools }: Removal & { readonly timeout?: string },
  invocation: Invocation,
  objects: readonly BuiltObject[],
  emptyMessage: string,
): Promise<number> {
  if (invocation.isDryRun && objects.length > 0) {
    list(invocation, "would delete", objects);
    return 0;
  }
  const limit = timeout === undefined ? [] : [`--timeout=${timeout}`];
  const args = ["delete", `--ignore-not-found=${String(ignoresMissing)}`, ...limit, "-f", "-"];
  return send(tools, invocation, args, { manifests: manifestsOf(objects), emptyMessage });
}

// The CRDs are kept with all of their objects, and so is the manager's namespace, which may hold some of them and other things.
async function removeAllButData(
  removal: Removal,
  invocation: Invocation,
  objects: readonly BuiltObject[],
): Promise<number> {
  const { terminal } = invocation;
  const kept = objects.filter(({ kind }) => kind === "CustomResourceDefinition" || kind === "Namespace");
  const others = objects.filter((each) => !kept.includes(each));
  const status = await remove(removal, invocation, others, "nothing to delete");
  // After a failure it is unknown what is left: kubectl printed what it could not delete.
  if (kept.length === 0 || status !== 0) return status;
  const names = kept.map(({ kind, name }) => (kind === "Namespace" ? `namespace ${name}` : name));
  terminal.writeOut(`${invocation.isDryRun ? "would keep" : "kept"}, with all contents: ${names.join(", ")}\n`);
  if (kept.some(({ convertsByWebhook }) => convertsByWebhook)) {
    terminal.writeOut(
      "the operator converts some of their versions: until it is deployed again, objects can be read in the stored version only\n",
    );
  }
  terminal.writeOut("to delete them, pass --delete-crds (make undeploy delete-crds=true)\n");
  return status;
}

async function removeCrdsFirst(
  { timeout, ...removal }: Removal & { readonly timeout: string },
  invocation: Invocation,
  objects: readonly BuiltObject[],
): Promise<number> {
  const crds = objects.filter(({ kind }) => kind === "CustomResourceDefinition");
  const deleted = await remove({ ...removal, timeout }, invocation, crds, "no CRDs to delete");
  const left = deleted === 0 || invocation.isDryRun ? [] : await existing(removal, invocation, crds);
  if (left.length > 0) return reportLeft({ ...removal, timeout }, invocation, left);
  const others = objects.filter((each) => !crds.includes(each));
  return (await remove(removal, invocation, others, "nothing to delete")) || deleted;
}

async function existing(
  { kubectl }: Tools,
  invocation: Invocation,
  crds: readonly BuiltObject[],
): Promise<readonly string[]> {
  const left: string[] = [];
  for (const { name } of crds) {
    const args = ["get", "crd", name, "--ignore-not-found", "-o", "name"];
    const found = await readProgram(kubectl, args, { invocation });
    if (found.trim() !== "") left.push(name);
  }
  return left;
}

// Without the manager nothing would run its finalizers: it stays until they are done.
async function reportLeft(
  { kubectl, timeout }: Tools & { readonly timeout: string },
  invocation: Invocation,
  names: readonly string[],
): Promise<number> {
  const { terminal } = invocation;
  terminal.writeError(`not deleted within ${timeout}; the manager is still running:\n`);
  for (const name of names) {
    const args = ["get", name, "--all-namespaces", "--no-headers", "--ignore-not-found"];
    const objects = (await readProgram(kubectl, args, { invocation })).trim();
    terminal.writeError(`  ${name}\n${objects === "" ? "" : `    ${objects.replaceAll("\n", "\n    ")}\n`}`);
  }
  terminal.writeError("hint: check its log for failing finalizers, then run undeploy again with a longer --timeout\n");
  return 1;
}

interface Sent {
  readonly manifests: string;
  /** What is printed if there are none. */
  readonly emptyMessage: string;
}

async function send(
  { kubectl }: Tools,
  invocation: Invocation,
  args: readonly string[],
  { manifests, emptyMessage }: Sent,
): Promise<number> {
  if (manifests.trim() === "") {
    invocation.terminal.writeOut(`${emptyMessage}\n`);
    return 0;
  }
  await requireCluster(kubectl, invocation);
  return (await runProgram(kubectl, args, { invocation, input: manifests })) ?? 1;
}

function list({ terminal }: Invocation, heading: string, objects: readonly BuiltObject[]): void {
  const lines = objects.map(({ kind, name }) => `  ${kind} ${name}\n`);
  terminal.writeOut(`${heading}:\n${lines.join("")}`);
}
