import {
  apiVersionOf,
  groupKindToString,
  type GroupVersion,
  type GroupVersionKind,
  type GroupVersionResource,
} from "@kubescaffold/k8s";

import { AmbiguousResourceError, NoMatchError } from "./errors.ts";
import {
  matchingResources,
  type NamedMapping,
  type PartialResource,
  partialResourceToString,
} from "./partial-resource.ts";
import type { RestMapper, RestMapping, Scope } from "./rest-mapping.ts";

/** A resource of {@link createDefaultRestMapper}. */
export interface MappedKind {
  /** The kind. */
  readonly gvk: GroupVersionKind;
  /** Whether the objects are namespaced. */
  readonly scope: Scope;
  /** The plural name. Default: the lower-case kind with `s`, `es`, or `ies`, as upstream's mapper guesses it. */
  readonly plural?: string;
  /** The singular name. Default: the lower-case kind. */
  readonly singular?: string;
}

/** Options of {@link createDefaultRestMapper}. */
export interface DefaultRestMapperOptions {
  /** The preferred group versions; those of other kinds come last, in the order of the kinds. Default: none. */
  readonly groupVersions?: readonly GroupVersion[];
}

/**
 * Creates a mapper in memory, for tests and for kinds that are known in advance; it sends no requests.
 *
 * Guarantees: the last kind of a resource counts. A resource that matches several kinds is an `AmbiguousResourceError`, also if they are versions of one
 * kind; `createPriorityRestMapper` selects one.
 *
 * apimachinery: pkg/api/meta.NewDefaultRESTMapper
 *
 * @example
 * const mapper = createDefaultRestMapper([{ gvk: Guestbook.gvk, scope: "namespaced" }]);
 */
export function createDefaultRestMapper(
  kinds: readonly MappedKind[],
  { groupVersions = [] }: DefaultRestMapperOptions = {},
): RestMapper {
  const known = inOrder([...byResource(kinds).values()], groupVersions);
  const matching = (resource: PartialResource): readonly Known[] => {
    const found = matchingResources(known, resource);
    if (found.length === 0) {
      throw new NoMatchError(`resource ${partialResourceToString(resource)}`);
    }
    return found;
  };
  const only = (resource: PartialResource): Known => {
    const [first, ...others] = matching(resource);
    if (first === undefined || others.length > 0) {
      throw new AmbiguousResourceError(
        partialResourceToString(resource),
        matching(resource).map(({ gvr }) => gvr),
      );
    }
    return first;
  };
  return {
    restMapping: async (gvk) => mappingOf(known, gvk),
    restMappings: async (groupKind) => {
      const found = known.filter(({ gvk }) => gvk.group === groupKind.group && gvk.kind === groupKind.kind);
      if (found.length === 0) {
        throw new NoMatchError(`kind ${groupKindToString(groupKind)}`);
      }
      return found.map(({ mapping }) => mapping);
    },
    kindFor: async (resource) => only(resource).gvk,
    kindsFor: async (resource) => matching(resource).map(({ gvk }) => gvk),
    resourceFor: async (resource) => only(resource).gvr,
    resourcesFor: async (resource) => matching(resource).map(({ gvr }) => gvr),
    singularOf: async (resource) => singularOf(resource, matching({ resource })),
    reset: () => undefined,
  };
}

interface Known extends NamedMapping {
  readonly mapping: RestMapping;
}

function byResource(kinds: readonly MappedKind[]): ReadonlyMap<string, Known> {
  const result = new Map<string, Known>();
  for (const { gvk, scope, plural = guessPlural(gvk.kind), singular = gvk.kind.toLowerCase() } of kinds) {
    const gvr: GroupVersionResource = { group: gvk.group, version: gvk.version, resource: plural };
    result.set(JSON.stringify([gvr.group, gvr.version, gvr.resource]), {
      gvk,
      gvr,
      singular,
      mapping: { gvk, gvr, scope },
    });
  }
  return result;
}

// Upstream's rules; `pluralize` of `@kubescaffold/k8s` has those of controller-gen.
function guessPlural(kind: string): string {
  const singular = kind.toLowerCase();
  if (singular.endsWith("endpoints")) {
    return singular;
  }
  if (singular.endsWith("y")) {
    return `${singular.slice(0, -1)}ies`;
  }
  return singular.endsWith("s") ? `${singular}es` : `${singular}s`;
}

function inOrder(known: readonly Known[], groupVersions: readonly GroupVersion[]): readonly Known[] {
  const order = groupVersions.map((groupVersion) => apiVersionOf(groupVersion));
  const rank = ({ gvk }: Known): number => {
    const index = order.indexOf(apiVersionOf(gvk));
    return index === -1 ? order.length : index;
  };
  return known.toSorted((left, right) => rank(left) - rank(right));
}

function mappingOf(known: readonly Known[], wanted: GroupVersionKind): RestMapping {
  const found = known.find(
    ({ gvk }) => gvk.kind === wanted.kind && gvk.group === wanted.group && gvk.version === wanted.version,
  );
  if (found === undefined) {
    throw new NoMatchError(`kind ${wanted.kind} in ${apiVersionOf(wanted)}`);
  }
  return found.mapping;
}

function singularOf(resource: string, found: readonly Known[]): string {
  const names = new Set(found.map(({ singular }) => singular));
  const [name = ""] = names;
  if (names.size > 1) {
    throw new AmbiguousResourceError(
      resource,
      found.map(({ gvr }) => gvr),
    );
  }
  return name;
}
