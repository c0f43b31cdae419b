import { readYamlDocuments } from "@kubescaffold/k8s/yaml";

import type { FileTree } from "../machinery/file-tree.ts";
import { controllerNames } from "../project/plans/plan-controllers.ts";
import { type ProjectConfig, type ProjectResource, qualifiedGroupOf } from "../project/project-config.ts";
import { namesOf } from "../project/resource-names.ts";
import type { Finding } from "./project-files.ts";

/**
 * Returns what a project has and its PROJECT file does not record: kinds, and controllers, webhooks and converters of kinds that it records.
 * Entries get lost when branches are merged; later commands then neither keep these parts in step nor find them.
 */
export function diagnoseUnrecorded(
  tree: FileTree,
  project: ProjectConfig,
  generated: readonly { readonly path: string; readonly content: string }[],
): readonly Finding[] {
  const manifests = generated.filter(({ path }) => path.endsWith(".yaml"));
  const objects = manifests.flatMap(({ content }) => readYamlDocuments(content) as readonly Manifest[]);
  const resources = project.resources ?? [];
  return [
    ...objects.flatMap((each) => unrecordedVersions(each, resources)),
    ...resources.flatMap((each) => unrecordedWebhooks(objects, { project, resource: each })),
    ...resources.flatMap((each) => unrecordedFiles(tree, { project, resource: each })),
  ];
}

/** What of generated manifests is looked at. */
interface Manifest {
  readonly kind: string;
  readonly spec?: {
    readonly group: string;
    readonly names: { readonly kind: string };
    readonly versions: readonly { readonly name: string }[];
  };
  readonly webhooks?: readonly { readonly rules?: readonly Rule[] }[];
}

interface Rule {
  readonly apiGroups?: readonly string[];
  readonly apiVersions?: readonly string[];
  readonly resources?: readonly string[];
}

interface Owner {
  readonly project: ProjectConfig;
  readonly resource: ProjectResource;
}

function unrecordedVersions({ kind, spec }: Manifest, resources: readonly ProjectResource[]): readonly Finding[] {
  if (kind !== "CustomResourceDefinition" || spec === undefined) return [];
  return spec.versions
    .filter(
      ({ name }) =>
        !resources.some(
          (each) => each.kind === spec.names.kind && each.version === name && qualifiedGroupOf(each) === spec.group,
        ),
    )
    .map(({ name }) => note(`the kind ${spec.names.kind} of ${spec.group}/${name} is in the sources`));
}

const TYPES = {
  MutatingWebhookConfiguration: ["defaulting", "defaulting"],
  ValidatingWebhookConfiguration: ["validation", "validating"],
} as const;

function unrecordedWebhooks(objects: readonly Manifest[], { project, resource }: Owner): readonly Finding[] {
  const { qualifiedGroup, version, plural } = namesOf(project, resource);
  const isOfResource = ({ apiGroups = [], apiVersions = [], resources = [] }: Rule): boolean =>
    apiGroups.includes(qualifiedGroup) && apiVersions.includes(version) && resources.includes(plural);
  return Object.entries(TYPES).flatMap(([configuration, [key, word]]) => {
    if (resource.webhooks?.[key] === true) return [];
    const webhooks = objects.filter((each) => each.kind === configuration).flatMap((each) => each.webhooks ?? []);
    if (!webhooks.some(({ rules = [] }) => rules.some((rule) => isOfResource(rule)))) return [];
    return [note(`a ${word} webhook of ${described(resource)} is in the sources`)];
  });
}

function unrecordedFiles(tree: FileTree, { project, resource }: Owner): readonly Finding[] {
  const { apiFolder, controllerFolder, kindLower } = namesOf(project, resource);
  const controller = `${controllerFolder}/${kindLower}_controller.ts`;
  // Kinds of one name in several groups may share the folder.
  const isControlled = (project.resources ?? []).some((each) => {
    const other = namesOf(project, each);
    const isSame = other.controllerFolder === controllerFolder && other.kindLower === kindLower;
    return isSame && controllerNames(each).length > 0;
  });
  const converter = `${apiFolder}/${kindLower}_conversion.ts`;
  const siblings = (project.resources ?? []).filter(
    (each) => each.kind === resource.kind && qualifiedGroupOf(each) === qualifiedGroupOf(resource),
  );
  const isConverted =
    resource.webhooks?.conversion === true ||
    siblings.some((each) => each.webhooks?.spoke?.includes(resource.version) === true);
  return [
    ...(isControlled || !tree.exists(controller)
      ? []
      : [note(`there is a controller of ${described(resource)}, ${controller}`)]),
    ...(isConverted || !tree.exists(converter)
      ? []
      : [note(`there is a conversion of ${described(resource)}, ${converter}`)]),
  ];
}

function described({ kind, version, ...resource }: ProjectResource): string {
  return `${kind} of ${qualifiedGroupOf(resource)}/${version}`.replace("of /", "");
}

function note(message: string): Finding {
  return {
    severity: "note",
    path: "PROJECT",
    message: `${message}, but PROJECT does not record it`,
    hint: "ignore this if you wrote it by hand; otherwise restore the entry from version control",
  };
}
