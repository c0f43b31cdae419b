import { planCertificates } from "../../changes/plan-certificates.ts";
import type { SettingResult } from "../../changes/setting-changes.ts";
import { certificateIssuerOf } from "../../project/certificates.ts";
import type { ProjectConfig } from "../../project/project-config.ts";
import type { Invocation } from "../command/command.ts";
import { pluginsToReplay, type ProjectSession } from "./project-session.ts";

/** A project before and after the change of a setting. */
export interface SettingChange {
  readonly previous: ProjectConfig;
  readonly project: ProjectConfig;
  /** Whether files that cannot be changed line by line are overwritten. */
  readonly force: boolean;
}

/** Plans the change of the issuer of certificates, as {@link planCertificates} does; nothing if it stays. */
export async function switchCertificates(
  invocation: Invocation,
  { tree }: Pick<ProjectSession, "tree">,
  { previous, project, force }: SettingChange,
): Promise<SettingResult> {
  if (certificateIssuerOf(previous) === certificateIssuerOf(project)) return { notes: [], replaced: [] };
  const plugins = await pluginsToReplay(invocation, previous);
  return planCertificates({ tree, previous, project, plugins, force });
}
