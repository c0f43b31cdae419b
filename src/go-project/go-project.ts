import type { CrdFacts } from "@kubescaffold/generators/importer";

import { PROJECT_FILE, type ProjectConfig } from "../project/project-config.ts";
import { parseProject } from "../project/project-file.ts";
import { completeResources, type CompletedProject, type ReadFrom } from "./bare-resources.ts";
import { withDefinedGroups, withGroupFolders } from "./defined-groups.ts";
import { GoLayoutError, NoGoProjectError } from "./errors.ts";
import type { GoFiles } from "./go-files.ts";
import { type GoLayout, goLayoutOf } from "./go-layout.ts";
import { withCoreKinds, withDefinedKinds, withOneController } from "./listed-kinds.ts";
import { withFoundWebhooks, webhooksOfMarkers, withSpokes } from "./listed-webhooks.ts";
import { type ManifestFacts, readManifestFacts, type WebhookFacts } from "./manifest-facts.ts";
import { findManifests } from "./manifest-places.ts";
import { projectOfManifests } from "./project-of-manifests.ts";

/** What a project in Go records in PROJECT and in its manifests. */
export interface GoProject extends ManifestFacts {
  readonly files: GoFiles;
  readonly layout: GoLayout;
  readonly project: ProjectConfig;
  /** The files that completed PROJECT, where it does not record everything. */
  readonly readFrom: readonly ReadFrom[];
}

/**
 * Reads what a project in Go says of itself; the webhooks of its manifests may be given as they are deployed.
 *
 * Fails: {@link NoGoProjectError}, {@link GoLayoutError}, `ProjectInvalidError`, `InvalidCrdError`, `YamlError`.
 */
export function readGoProject(files: GoFiles, deployed?: readonly WebhookFacts[]): GoProject {
  const text = files.read(PROJECT_FILE);
  const recorded = text === undefined ? undefined : parseProject(text, { olderVersions: ["1", "2"] });
  const manifests = readManifestFacts(files);
  const found = recorded?.resources === undefined ? ofManifests(files, manifests.crds, recorded) : undefined;
  const start = found ?? (recorded === undefined ? undefined : { project: recorded, readFrom: [] });
  if (start === undefined) throw new NoGoProjectError(files.folder);
  const layout = goLayoutOf(start.project);
  if (layout === undefined) throw new GoLayoutError(start.project.layout);
  const generated = { webhooks: deployed ?? manifests.webhooks, from: findManifests(files).webhooks };
  const webhooks = generated.webhooks.length > 0 ? generated : webhooksOfMarkers(files);
  const { crds } = manifests;
  const grouped = withDefinedGroups(start, crds);
  const listed = withDefinedKinds(grouped, { files, crds });
  const completed = completeResources(listed, { files, crds });
  const single = withOneController(completed, crds, grouped.project.resources ?? []);
  const served = withFoundWebhooks(withCoreKinds(single, crds), { found: webhooks, crds });
  const { project, readFrom } = withGroupFolders(withSpokes(served, crds));
  return { files, layout, ...manifests, webhooks: webhooks.webhooks, project, readFrom };
}

// Version 1 records no resources: its APIs are those of the CRDs.
function ofManifests(
  files: GoFiles,
  crds: readonly CrdFacts[],
  recorded: ProjectConfig | undefined,
): CompletedProject | undefined {
  const found =
    recorded?.version === "1" || recorded === undefined ? projectOfManifests(files, crds, recorded?.domain) : undefined;
  if (recorded === undefined) return found;
  const { resources, multigroup, domain = recorded.domain } = found?.project ?? {};
  return {
    project: {
      ...recorded,
      ...(domain === undefined ? {} : { domain }),
      ...(multigroup === undefined ? {} : { multigroup }),
      ...(resources === undefined ? {} : { resources }),
    },
    readFrom: found?.readFrom ?? [],
  };
}
