import { ResourceConflictError } from "../errors.ts";
import { type ProjectConfig, type ProjectResource, qualifiedGroupOf } from "../project-config.ts";
import { pluralOf } from "../resource-names.ts";
import { validatePlural } from "../validate-names.ts";

/** What all versions of a kind share, since they are versions of one definition. */
export interface PlannedDefinition {
  /** The plural, where it is not the derived one. */
  readonly plural: string | undefined;
  readonly namespaced: boolean;
}

interface DefinitionRequest {
  readonly group: string;
  readonly domain: string;
  readonly version: string;
  readonly kind: string;
  readonly plural?: string | undefined;
  readonly namespaced?: boolean | undefined;
  readonly resource: boolean;
}

/**
 * Decides the plural and the scope of a kind: those that it has, in this version or another, else those that are asked for.
 *
 * Fails: `InvalidNameError`, {@link ResourceConflictError} for another plural or scope than the kind has, and for a plural that another kind has.
 */
export function planDefinition(
  project: ProjectConfig,
  stored: ProjectResource | undefined,
  request: DefinitionRequest,
): PlannedDefinition {
  const siblings = neighbours(project, request).filter(({ kind }) => kind === request.kind);
  const sibling = siblings.find(({ version }) => version !== request.version);
  const plural = pluralFor(stored ?? sibling, request);
  if (request.resource) refuseTakenPlural(project, plural, request);
  return { plural: plural === pluralOf(request.kind) ? undefined : plural, namespaced: scopeFor(sibling, request) };
}

// The kinds whose definitions the project holds in the group.
function neighbours(project: ProjectConfig, { group, domain }: DefinitionRequest): readonly ProjectResource[] {
  const qualified = qualifiedGroupOf({ group, domain });
  return (project.resources ?? []).filter((each) => each.api !== undefined && qualifiedGroupOf(each) === qualified);
}

function pluralFor(known: ProjectResource | undefined, { kind, plural }: DefinitionRequest): string {
  const derived = pluralOf(kind);
  const stored = known === undefined ? undefined : (known.plural ?? derived);
  if (plural !== undefined && stored !== undefined && stored !== plural) {
    throw new ResourceConflictError(
      `cannot use plural "${plural}" for kind ${kind}: PROJECT has the plural "${stored}"`,
      { hint: "leave out --plural, or correct the entry in PROJECT" },
    );
  }
  const wanted = plural ?? stored ?? derived;
  validatePlural(wanted);
  return wanted;
}

function refuseTakenPlural(project: ProjectConfig, plural: string, request: DefinitionRequest): void {
  const clash = neighbours(project, request).find(
    (each) => each.kind !== request.kind && (each.plural ?? pluralOf(each.kind)) === plural,
  );
  if (clash === undefined) return;
  throw new ResourceConflictError(
    `cannot create API ${request.kind} of group "${request.group}": its plural "${plural}" is that of ${clash.kind}`,
    { hint: "pass --plural with another one" },
  );
}

function scopeFor(sibling: ProjectResource | undefined, { kind, namespaced }: DefinitionRequest): boolean {
  if (sibling === undefined) return namespaced ?? true;
  const isNamespaced = sibling.api?.namespaced === true;
  if (namespaced === undefined || namespaced === isNamespaced) return isNamespaced;
  throw new ResourceConflictError(
    `cannot use --namespaced=${namespaced} for kind ${kind}: objects of ${sibling.version} live ${isNamespaced ? "in namespaces" : "outside of namespaces"}`,
    { hint: "leave out --namespaced: all versions of a kind have one scope" },
  );
}
