import type { CrdFacts } from "@kubescaffold/generators/importer";

import type { ProjectResource } from "../../project/project-config.ts";
import type { CompletedProject, ReadFrom } from "../bare-resources.ts";
import { groupOf } from "../defined-groups.ts";

/**
 * Lists the versions that the webhook of a conversion converts, where PROJECT only says that there is one: kubebuilder recorded them from its version 4 on.
 *
 * Guarantees: of each kind at most one version is the hub, which is the stored one if PROJECT leaves it open; a kind without another version has no conversion.
 */
export function withSpokes({ project, readFrom }: CompletedProject, crds: readonly CrdFacts[]): CompletedProject {
  const listed = project.resources ?? [];
  const notes: ReadFrom[] = [];
  const resources = listed.map((resource) => {
    if (!isOpen(resource)) return resource;
    const group = groupOf(project, resource);
    const ofKind = listed.filter((each) => each.kind === resource.kind && groupOf(project, each) === group);
    const crd = crds.find((each) => each.group === group && each.kind === resource.kind);
    const spokes = ofKind.filter((each) => each !== resource && each.api !== undefined).map(({ version }) => version);
    const name = `${resource.kind} ${resource.version}`;
    const from = crd?.source ?? "PROJECT";
    if (hubOf(ofKind, crd) !== resource || spokes.length === 0) {
      notes.push({ what: `no conversion to ${name}: no other version is converted to it`, from });
      return withoutConversion(resource);
    }
    notes.push({ what: `conversions of ${spokes.join(", ")} to ${name}`, from });
    return { ...resource, webhooks: { ...resource.webhooks, spoke: spokes } };
  });
  return notes.length === 0
    ? { project, readFrom }
    : { project: { ...project, resources }, readFrom: [...readFrom, ...notes] };
}

function isOpen({ webhooks }: ProjectResource): boolean {
  return webhooks?.conversion === true && (webhooks.spoke ?? []).length === 0;
}

function hubOf(ofKind: readonly ProjectResource[], crd: CrdFacts | undefined): ProjectResource | undefined {
  const hubs = ofKind.filter(({ webhooks }) => webhooks?.conversion === true);
  const stored = crd?.versions.find(({ storage }) => storage)?.name;
  return hubs.find((each) => !isOpen(each)) ?? hubs.find(({ version }) => version === stored) ?? hubs[0];
}

function withoutConversion(resource: ProjectResource): ProjectResource {
  const { webhooks, ...others } = resource;
  const { conversion: _conversion, spoke: _spoke, ...kept } = webhooks ?? {};
  return kept.defaulting === true || kept.validation === true ? { ...others, webhooks: kept } : others;
}
