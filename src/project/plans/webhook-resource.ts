import { coreGroupDomain, coreTypesModule } from "../core-groups.ts";
import { ResourceConflictError, ResourceNotFoundError } from "../errors.ts";
import { proposeResource } from "../near-resource.ts";
import { findResource, type ProjectConfig, type ProjectResource } from "../project-config.ts";
import { namesOf, pluralOf } from "../resource-names.ts";
import { gvkFlags } from "../shell-word.ts";
import { validateGvk, validatePlural } from "../validate-names.ts";
import { type ExternalApi, type ExternalRequest, planExternal, refuseOwnTypes } from "./plan-external.ts";

/** The kind that webhooks are asked for, as it was typed. */
export interface WebhookSubject extends ExternalRequest {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** The plural, where it is not the derived one. */
  readonly plural?: string | undefined;
}

/**
 * Returns the entry of the kind that webhooks are for: the project's, else one of Kubernetes or of someone else.
 *
 * Fails: {@link ResourceNotFoundError} when nobody has the kind, {@link ResourceConflictError} when PROJECT says otherwise of it, and when its
 * webhooks would share a file with those of another group.
 */
export function webhookResource(project: ProjectConfig, request: WebhookSubject): ProjectResource {
  const resource = withPlural(resourceFor(project, request), request);
  refuseSharedFile(project, resource);
  return resource;
}

function resourceFor(project: ProjectConfig, request: WebhookSubject): ProjectResource {
  const { version, kind } = request;
  const external = planExternal({ ...request, resource: false });
  if (external !== undefined) return externalResource(project, request, external);
  const core = coreGroupDomain(request.group === "" ? "core" : request.group);
  const group = request.group === "" && core !== undefined ? "core" : request.group;
  const stored = findResource(project, { group, version, kind }) ?? findResource(project, request);
  if (stored !== undefined && (stored.api !== undefined || stored.core === true || stored.external === true))
    return stored;
  validateGvk({ group, domain: core ?? project.domain ?? "", version, kind });
  if (core === undefined) throw unknownApi(project, request);
  return {
    core: true,
    ...(core === "" ? {} : { domain: core }),
    group,
    kind,
    path: coreTypesModule(group, version),
    version,
  };
}

function unknownApi(project: ProjectConfig, { group, version, kind }: WebhookSubject): ResourceNotFoundError {
  const known = (project.resources ?? []).filter((each) => each.api !== undefined && (each.group ?? "") === group);
  const names = known.map((each) => `${each.kind} ${each.version}`);
  const proposed = proposeResource(project, { group, version, kind });
  const listed = names.length === 0 ? "" : `the group has ${names.join(", ")}; for another kind, `;
  const create = `${proposed === undefined ? listed : `${proposed} For another kind, `}run \`npx scaffold create api ${gvkFlags({ group, version, kind })}\` first`;
  return new ResourceNotFoundError(`cannot create a webhook: no API found for ${group}/${version}, Kind=${kind}`, {
    hint: `${create}, or set the module of its types with --external-api-path`,
  });
}

function externalResource(
  project: ProjectConfig,
  { group, version, kind }: WebhookSubject,
  external: ExternalApi,
): ProjectResource {
  const { path, module } = external;
  const stored = findResource(project, { group, version, kind, domain: external.domain });
  const domain = external.domain ?? (stored === undefined ? project.domain : stored.domain) ?? "";
  validateGvk({ group, domain, version, kind });
  refuseOwnTypes(stored);
  return {
    ...stored,
    ...(domain === "" ? {} : { domain }),
    external: true,
    ...(group === "" ? {} : { group }),
    kind,
    ...(module === undefined ? {} : { module }),
    path,
    version,
  };
}

// The plural of a kind that PROJECT knows is settled.
function withPlural(resource: ProjectResource, { plural, kind }: WebhookSubject): ProjectResource {
  if (plural === undefined) return resource;
  validatePlural(plural);
  const isKnown = resource.api !== undefined || resource.plural !== undefined || resource.webhooks !== undefined;
  const known = resource.plural ?? pluralOf(kind);
  if (plural === known) return resource;
  if (!isKnown) return { ...resource, plural };
  throw new ResourceConflictError(`cannot use plural "${plural}" for kind ${kind}: PROJECT has the plural "${known}"`, {
    hint: "omit --plural, or fix the entry in PROJECT",
  });
}

// Without folders of groups, kinds of one name and version have one file.
function refuseSharedFile(project: ProjectConfig, resource: ProjectResource): void {
  const fileOf = (each: ProjectResource): string => {
    const { webhookFolder, kindLower } = namesOf(project, each);
    return `${webhookFolder}/${kindLower}_webhook.ts`;
  };
  const isSame = (each: ProjectResource): boolean => each.group === resource.group && each.domain === resource.domain;
  const clash = (project.resources ?? []).find(
    (each) => each.webhooks !== undefined && fileOf(each) === fileOf(resource) && !isSame(each),
  );
  if (clash === undefined) return;
  throw new ResourceConflictError(
    `cannot create the webhook: ${fileOf(resource)} holds the webhooks of ${resource.kind} of group "${clash.group ?? ""}"`,
    {
      hint:
        project.multigroup === true
          ? "two kinds with the same name, group, and version cannot both have webhooks"
          : "run `npx scaffold edit --multigroup` first: it moves the existing files to folders per group",
    },
  );
}
