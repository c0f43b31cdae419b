import { existsSync } from "node:fs";
import path from "node:path";

import { writeOwnFile } from "../../../machinery/commit/own-file.ts";
import type { Invocation } from "../../command/command.ts";
import { InvalidFlagError } from "../../command/errors.ts";
import { switchFlag, textFlag } from "../../flags/flag-values.ts";
import { imageFlag } from "../../flags/image-flag.ts";
import { isDryRun } from "../../output/report-outcome.ts";
import { readProgram, runProgram } from "../../programs/run-program.ts";
import { readProject } from "../../session/project-session.ts";
import { type BuiltObject, manifestsOf, objectsOf, withManagerImage } from "./built-manifests.ts";
import { kubectlOf } from "./kubectl.ts";
import { requireCluster } from "./require-cluster.ts";

const INSTALLER = "dist/install.yaml";

/** Applies the CRDs of the project. */
export async function runInstall(invocation: Invocation): Promise<number> {
  await readProject(invocation);
  return apply(invocation, await buildCrds(invocation), "no CRDs to install");
}

/** Deletes the CRDs of the project. */
export async function runUninstall(invocation: Invocation): Promise<number> {
  await readProject(invocation);
  return remove(invocation, objectsOf(await buildCrds(invocation)), "no CRDs to delete");
}

/** Applies everything. */
export async function runDeploy(invocation: Invocation): Promise<number> {
  await readProject(invocation);
  return apply(invocation, await buildAll(invocation), "nothing to deploy");
}

/** Deletes everything but the CRDs and the namespace, or everything, the CRDs first. */
export async function runUndeploy(invocation: Invocation): Promise<number> {
  const { flags } = invocation;
  const timeout = timeoutOf(invocation);
  await readProject(invocation);
  const objects = objectsOf(await build(invocation, "config/default"));
  const deletesCrds = switchFlag(flags, "delete-crds") === true && switchFlag(flags, "keep-crds") !== true;
  return deletesCrds ? removeCrdsFirst(invocation, objects, timeout) : removeAllButData(invocation, objects);
}

/** Writes everything to `dist/install.yaml`. */
export async function runBuildInstaller(invocation: Invocation): Promise<number> {
  await readProject(invocation);
  const manifests = await buildAll(invocation);
  if (isDryRun(invocation)) {
    list(invocation, `would write to ${INSTALLER}`, objectsOf(manifests));
    return 0;
  }
  await writeOwnFile({ root: invocation.cwd, path: INSTALLER, content: manifests });
  invocation.terminal.writeOut(`${INSTALLER}\n`);
  return 0;
}

async function buildCrds(invocation: Invocation): Promise<string> {
  const hasCrds = existsSync(path.join(invocation.cwd, "config/crd/kustomization.yaml"));
  return hasCrds ? await build(invocation, "config/crd") : "";
}

// The image is set in the built manifests, so that the project stays as it is.
async function buildAll(invocation: Invocation): Promise<string> {
  const image = imageFlag(invocation.flags);
  const manifests = await build(invocation, "config/default");
  return image === undefined ? manifests : withManagerImage(manifests, image);
}

async function build(invocation: Invocation, folder: string): Promise<string> {
  return await readProgram(kubectlOf(invocation.flags), ["kustomize", folder], { invocation });
}

// Server-side: a large CRD does not fit into the annotation that a client-side apply writes.
async function apply(invocation: Invocation, manifests: string, emptyMessage: string): Promise<number> {
  if (isDryRun(invocation) && manifests.trim() !== "") {
    list(invocation, "would apply", objectsOf(manifests));
    return 0;
  }
  return send(invocation, ["apply", "--server-side", "--force-conflicts", "-f", "-"], { manifests, emptyMessage });
}

async function remove(
  invocation: Invocation,
  objects: readonly BuiltObject[],
  emptyMessage: string,
  timeout?: string,
): Promise<number> {
  if (isDryRun(invocation) && objects.length > 0) {
    list(invocation, "would delete", objects);
    return 0;
  }
  const ignores = switchFlag(invocation.flags, "ignore-not-found") === true;
  const limit = timeout === undefined ? [] : [`--timeout=${timeout}`];
  const args = ["delete", `--ignore-not-found=${String(ignores)}`, ...limit, "-f", "-"];
  return send(invocation, args, { manifests: manifestsOf(objects), emptyMessage });
}

// The CRDs are kept with all of their objects, and so is the manager's namespace, which may hold some of them and other things.
async function removeAllButData(invocation: Invocation, objects: readonly BuiltObject[]): Promise<number> {
  const { terminal } = invocation;
  const kept = objects.filter(({ kind }) => kind === "CustomResourceDefinition" || kind === "Namespace");
  const others = objects.filter((each) => !kept.includes(each));
  const status = await remove(invocation, others, "nothing to delete");
  // After a failure it is unknown what is left: kubectl printed what it could not delete.
  if (kept.length === 0 || status !== 0) return status;
  const names = kept.map(({ kind, name }) => (kind === "Namespace" ? `namespace ${name}` : name));
  terminal.writeOut(`${isDryRun(invocation) ? "would keep" : "kept"}, with all contents: ${names.join(", ")}\n`);
  if (kept.some(({ convertsByWebhook }) => convertsByWebhook)) {
    terminal.writeOut(
      "the operator converts some of their versions: until it is deployed again, objects can be read in the stored version only\n",
    );
  }
  terminal.writeOut("to delete them, pass --delete-crds (make undeploy delete-crds=true)\n");
  return status;
}

async function removeCrdsFirst(
  invocation: Invocation,
  objects: readonly BuiltObject[],
  timeout: string,
): Promise<number> {
  const crds = objects.filter(({ kind }) => kind === "CustomResourceDefinition");
  const deleted = await remove(invocation, crds, "no CRDs to delete", timeout);
  const left = deleted === 0 || isDryRun(invocation) ? [] : await existing(invocation, crds);
  if (left.length > 0) return reportLeft(invocation, left, timeout);
  const others = objects.filter((each) => !crds.includes(each));
  return (await remove(invocation, others, "nothing to delete")) || deleted;
}

async function existing(invocation: Invocation, crds: readonly BuiltObject[]): Promise<readonly string[]> {
  const left: string[] = [];
  for (const { name } of crds) {
    const args = ["get", "crd", name, "--ignore-not-found", "-o", "name"];
    const found = await readProgram(kubectlOf(invocation.flags), args, { invocation });
    if (found.trim() !== "") left.push(name);
  }
  return left;
}

// Without the manager nothing would run its finalizers: it stays until they are done.
async function reportLeft(invocation: Invocation, names: readonly string[], timeout: string): Promise<number> {
  const { terminal } = invocation;
  terminal.writeError(`not deleted within ${timeout}; the manager is still running:\n`);
  for (const name of names) {
    const args = ["get", name, "--all-namespaces", "--no-headers", "--ignore-not-found"];
    const objects = (await readProgram(kubectlOf(invocation.flags), args, { invocation })).trim();
    terminal.writeError(`  ${name}\n${objects === "" ? "" : `    ${objects.replaceAll("\n", "\n    ")}\n`}`);
  }
  terminal.writeError("hint: check its log for failing finalizers, then run undeploy again with a longer --timeout\n");
  return 1;
}

async function send(
  invocation: Invocation,
  args: readonly string[],
  { manifests, emptyMessage }: { readonly manifests: string; readonly emptyMessage: string },
): Promise<number> {
  if (manifests.trim() === "") {
    invocation.terminal.writeOut(`${emptyMessage}\n`);
    return 0;
  }
  const kubectl = kubectlOf(invocation.flags);
  await requireCluster(kubectl, invocation);
  return (await runProgram(kubectl, args, { invocation, input: manifests })) ?? 1;
}

function list({ terminal }: Invocation, heading: string, objects: readonly BuiltObject[]): void {
  const lines = objects.map(({ kind, name }) => `  ${kind} ${name}\n`);
  terminal.writeOut(`${heading}:\n${lines.join("")}`);
}

const UNIT = /^\d{1,9}(?:\.\d{1,9})?(?:ms|h|m|s)/u;

// Go's form, which kubectl takes: 90s, 1m30s.
function timeoutOf({ flags }: Invocation): string {
  const text = textFlag(flags, "timeout") ?? "2m";
  let rest = text;
  for (let unit = UNIT.exec(rest); unit !== null; unit = UNIT.exec(rest)) rest = rest.slice(unit[0].length);
  if (rest === "" && text !== "") return text;
  throw new InvalidFlagError(`invalid value "${text}" for flag --timeout: not a duration`, {
    hint: "pass a duration such as 90s or 5m",
  });
}
