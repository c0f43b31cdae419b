import { importCrds } from "@kubescaffold/generators/importer";
import { builtInResources, structSchema } from "@kubescaffold/k8s/tables";

import { packageSpecs } from "../../../changes/package-specs.ts";
import { contributorFor, partsOf } from "../../../changes/replay.ts";
import { castConversion } from "../../../go-project/conversion-casts.ts";
import {
  exampleObject,
  withCalls,
  withExample,
  withoutConversion,
  withoutStatusTest,
} from "../../../go-project/examples/example-object.ts";
import { samplesOf } from "../../../go-project/examples/samples.ts";
import { webhookCalls } from "../../../go-project/examples/webhook-calls.ts";
import type { GoProject } from "../../../go-project/go-project.ts";
import { markerFile, replaceRbacMarkers, replaceWebhookMarkers } from "../../../go-project/place-markers.ts";
import type { NotMapped, PlannedProject } from "../../../go-project/plan-project.ts";
import { planRbacMarkers } from "../../../go-project/rbac-markers.ts";
import { configurationMarkers, isServedBy, planWebhookMarkers } from "../../../go-project/webhook-markers.ts";
import { breakConstants } from "../../../machinery/break-lines.ts";
import type { FileTree } from "../../../machinery/file-tree.ts";
import { renderTemplate } from "../../../machinery/template.ts";
import { addTypeMarker } from "../../../machinery/type-markers.ts";
import { createReplayContext } from "../../../plugin/replay-context.ts";
import { NPM, withPackageManager } from "../../../project/package-manager.ts";
import { type ProjectConfig, type ProjectResource, qualifiedGroupOf } from "../../../project/project-config.ts";
import { namesOf, pluralOf, typesFile } from "../../../project/resource-names.ts";
import type { Invocation } from "../../command/command.ts";
import { pluginsFor, runScaffolds } from "../../session/project-session.ts";
import { foldersInProject } from "../import-crd/import-folders.ts";

/** A project that is being made of one in Go. */
export interface ImportedProject {
  readonly tree: FileTree;
  readonly go: GoProject;
  readonly planned: PlannedProject;
  readonly root: string;
}

/** Says of each resource in which files its controllers are. */
export type ControllerFiles = ReadonlyMap<ProjectResource, readonly string[]>;

/** Runs the scaffolds of `init`, `create api` and `create webhook` for all that PROJECT says. */
export async function scaffoldImported(
  invocation: Invocation,
  { tree, planned, root, boilerplate }: ImportedProject & { readonly boilerplate: string },
): Promise<{ readonly project: ProjectConfig; readonly controllerFiles: ControllerFiles }> {
  const plugins = await pluginsFor(invocation);
  const packages = packageSpecs({ packageRoot: invocation.program.packageRoot, projectRoot: root });
  const { project } = await runScaffolds({
    invocation,
    session: { root, tree, commit: async () => undefined },
    project: withPackageManager(planned.project, invocation.program.packageManager ?? NPM),
    plugins,
    command: "init",
    scaffoldOf: (plugin) => plugin.init,
    options: { boilerplate, packages },
  });
  const controllerFiles = new Map<ProjectResource, readonly string[]>();
  for (const part of partsOf(project).filter(({ kind }) => kind !== "init")) {
    const before = new Set(tree.files());
    for (const plugin of plugins.plugins) {
      const context = createReplayContext(plugin, { tree, project, chain: plugins.keys, render: renderTemplate });
      for (const contributor of contributorFor(part, plugin, { tree })) await contributor.run(context);
    }
    if (part.kind !== "controller") continue;
    const files = tree.files().filter((file) => !before.has(file) && file.endsWith("_controller.ts"));
    controllerFiles.set(part.resource, [...(controllerFiles.get(part.resource) ?? []), ...files]);
  }
  return { project, controllerFiles };
}

/** Writes types for the definitions of the Go project, and for kinds that are defined elsewhere; returns what they cannot say. */
export function writeImportedTypes({ tree, go, planned }: ImportedProject, header: string): readonly NotMapped[] {
  const { project, externals } = planned;
  const folderOf = foldersInProject(project, tree);
  const folders = new Map(
    (project.resources ?? [])
      .filter((each) => each.api !== undefined)
      .map((each) => [`${qualifiedGroupOf(each)}/${each.version}`, namesOf(project, each).apiFolder]),
  );
  const placeOf = (group: string, version: string): string =>
    folders.get(`${group}/${version}`) ?? folderOf(group, version);
  const own = importCrds({ crds: go.crds, folderOf: placeOf, structSchema, header });
  // As `import crd --external` would, whatever the group of the project is.
  const externalFolder = (group: string, version: string): string => `api/${group}/${version}`;
  const elsewhere = importCrds({ crds: externals, folderOf: externalFolder, structSchema, header, isExternal: true });
  for (const { path, content, kind } of [...own.files, ...elsewhere.files])
    tree.create(path, breakConstants(content), { ifExists: kind === "group" ? "skip" : "overwrite" });
  markApplied(tree, project);
  const known = new Set((project.resources ?? []).map((each) => `${qualifiedGroupOf(each)}/${each.kind}`));
  const unknown = go.crds.filter(({ group, kind }) => !known.has(`${group}/${kind}`));
  return [
    ...unknown.map(({ group, kind, source }) => ({
      what: source,
      why: `PROJECT has no entry for ${kind} of ${group}; its types were written anyway`,
    })),
    ...own.notes.map((note) => ({ what: "a definition", why: note })),
  ];
}

// Definitions do not say which kinds get what server-side apply takes; PROJECT does.
function markApplied(tree: FileTree, project: ProjectConfig): void {
  for (const resource of (project.resources ?? []).filter(({ api }) => api?.ssa === true)) {
    const { kind } = resource;
    const file = typesFile(project, resource);
    if (!tree.exists(file)) continue;
    tree.update(file, (text) => addTypeMarker(text, { type: kind, marker: "+kubebuilder:ac:generate=true" }) ?? text);
  }
}

const RBAC_FILE = "internal/controller/rbac_markers.ts";
const WEBHOOK_FILE = "internal/webhook/webhook_markers.ts";

/** Puts the markers of roles and webhooks where their code is, and the others into their own files; returns what has no code. */
export function placeImportedMarkers(
  { tree, go, planned }: ImportedProject,
  { files, header }: { readonly files: ControllerFiles; readonly header: string },
): readonly NotMapped[] {
  const { project } = planned;
  const rbac = planRbacMarkers(go.roles, project);
  if (go.roles.length > 0) {
    for (const [resource, paths] of files)
      for (const path of paths) tree.update(path, (text) => replaceRbacMarkers(text, rbac.of(resource)));
  }
  const says =
    "Permissions of the manager, in addition to those of its controllers for their own kinds; move each line to the code that needs it.";
  if (rbac.others.length > 0) tree.create(RBAC_FILE, markerFile({ header, says, markers: rbac.others }));
  const webhooks = planWebhookMarkers(go.webhooks, project.resources ?? []);
  const lost = webhooks.filter((webhook) => {
    if (webhook.owner === undefined) return true;
    const names = namesOf(project, webhook.owner);
    const file = `${names.webhookFolder}/${names.kindLower}_webhook.ts`;
    const { isMutating, owner } = webhook;
    const lines = webhooks
      .filter((each) => each.owner === owner && each.isMutating === isMutating)
      .map(({ line }) => line);
    tree.update(file, (text) => replaceWebhookMarkers(text, { isMutating, lines }));
    return !tree.readExisting(file).includes(webhook.line);
  });
  const markers = [...configurationMarkers(go.webhooks), ...lost.map(({ line }) => line)];
  const purpose = "Webhooks to translate from Go, and the names of their configurations.";
  if (markers.length > 0) tree.create(WEBHOOK_FILE, markerFile({ header, says: purpose, markers }));
  return lost.map(({ name }) => ({
    what: `webhook ${name}`,
    why: `PROJECT has no entry for it; its marker is in ${WEBHOOK_FILE}, and its handler must be written and registered`,
  }));
}

/**
 * Gives the objects of generated tests what their schemas and rules require: the content of a sample, or values made of the schema; and lets conversions
 * compile. Returns the kinds for which no valid object was found: their tests are skipped.
 */
export function fillExamples({ tree, go, planned }: ImportedProject, files: ControllerFiles): readonly NotMapped[] {
  return (planned.project.resources ?? []).flatMap((resource) => {
    const group = qualifiedGroupOf(resource);
    const crd = go.crds.find((each) => each.group === group && each.kind === resource.kind);
    if (crd === undefined) return [];
    const notes: NotMapped[] = [];
    const fill = (version: string, tests: readonly string[]): void => {
      const existing = tests.filter((test) => tree.exists(test));
      if (existing.length === 0) return;
      const example = exampleObject(crd, version, samplesOf(go.files, { group, version, kind: crd.kind }));
      for (const test of existing) tree.update(test, (text) => withExample(text, example));
      if (example.problem === undefined) return;
      const what = `tests of ${crd.kind} ${version} of ${group}`;
      notes.push({ what, why: `they are skipped until they create a valid object: ${example.problem}` });
    };
    const { webhookFolder, kindLower } = namesOf(planned.project, resource);
    const controllers = files.get(resource) ?? [];
    const sources = [...controllers, `${webhookFolder}/${kindLower}_webhook.ts`];
    fill(resource.version, sources.map(testOf));
    if (crd.versions.find(({ name }) => name === resource.version)?.hasStatus === false)
      for (const test of controllers.map(testOf).filter((file) => tree.exists(file)))
        tree.update(test, withoutStatusTest);
    for (const spoke of resource.webhooks?.spoke ?? []) {
      const test = `${webhookFolder}/${kindLower}_${spoke}_conversion.test.ts`;
      fill(spoke, [test]);
      const { apiFolder } = namesOf(planned.project, { ...resource, version: spoke });
      const conversion = `${apiFolder}/${kindLower}_conversion.ts`;
      if (!tree.exists(conversion)) continue;
      const copied = tree.readExisting(conversion);
      const cast = castConversion(copied, crd, { hub: resource.version, spoke });
      if (cast === copied) continue;
      tree.update(conversion, () => cast);
      if (!tree.exists(test) || tree.readExisting(test).includes("describe.skip(")) continue;
      tree.update(test, withoutConversion);
      const what = `tests of the conversion of ${crd.kind} ${spoke} of ${group}`;
      notes.push({
        what,
        why: "they are skipped until the conversion is translated: the schemas of the versions differ",
      });
    }
    return notes;
  });
}

function testOf(file: string): string {
  return file.replace(/\.ts$/u, ".test.ts");
}

/** Makes tests of webhooks write what calls them. Returns the kinds for which there is no such object: their tests are skipped. */
export function fitWebhookTests({ tree, go, planned }: ImportedProject): readonly NotMapped[] {
  return (planned.project.resources ?? []).flatMap((resource): readonly NotMapped[] => {
    const { webhookFolder, kindLower } = namesOf(planned.project, resource);
    const test = `${webhookFolder}/${kindLower}_webhook.test.ts`;
    const own = go.webhooks.filter((webhook) => isServedBy(webhook, resource));
    if (own.length === 0 || !tree.exists(test)) return [];
    const { kind, version } = resource;
    const group = qualifiedGroupOf(resource);
    const crd = go.crds.find((each) => each.group === group && each.kind === kind);
    const builtIn = builtInResources.find(
      (each) => each.group === group && each.version === version && each.kind === kind,
    );
    const plural = crd?.plural ?? builtIn?.plural ?? resource.plural ?? pluralOf(kind);
    const isNamespaced = builtIn?.namespaced ?? crd?.scope !== "Cluster";
    const calls = webhookCalls(own, { group, plural, isNamespaced });
    tree.update(test, (text) => withCalls(text, calls));
    if (calls.problem === undefined) return [];
    const what = `tests of the webhooks of ${kind} ${version}`;
    return [
      { what, why: `they are skipped until they create an object that the webhooks are called for: ${calls.problem}` },
    ];
  });
}
