import type { FileTree } from "../machinery/file-tree.ts";
import type { ProjectConfig } from "../project/project-config.ts";
import { namesOf } from "../project/resource-names.ts";
import type { ProjectPart } from "./replay.ts";

type WebhookPart = Extract<ProjectPart, { readonly kind: "webhook" }>;

/**
 * Returns the webhooks of a resource as the commands that made them did: in two steps where the file has its validator before its defaulter,
 * which one command never writes.
 */
export function webhookSteps(part: WebhookPart, project: ProjectConfig, source: FileTree): readonly WebhookPart[] {
  const { resource } = part;
  const { defaulting, defaultingName: _name, defaultingPath: _path, ...others } = resource.webhooks ?? {};
  if (defaulting !== true || others.validation !== true || !isValidatorFirst(part, project, source)) return [part];
  return [
    { kind: "webhook", resource: { ...resource, webhooks: others } },
    { kind: "webhook", resource, added: ["defaulting"] },
  ];
}

function isValidatorFirst({ resource }: WebhookPart, project: ProjectConfig, source: FileTree): boolean {
  const { webhookFolder, kindLower } = namesOf(project, resource);
  const text = source.read(`${webhookFolder}/${kindLower}_webhook.ts`) ?? "";
  const validator = text.indexOf(".withValidator(");
  return validator !== -1 && validator < text.indexOf(".withDefaulter(");
}
