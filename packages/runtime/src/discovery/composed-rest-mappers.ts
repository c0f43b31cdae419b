import { apiVersionOf, groupKindToString, type GroupVersionKind, type GroupVersionResource } from "@kubescaffold/k8s";

import { AmbiguousKindError, AmbiguousResourceError, isNoMatch, NoMatchError } from "./errors.ts";
import { type PartialResource, partialResourceToString } from "./partial-resource.ts";
import type { RestMapper } from "./rest-mapping.ts";

/**
 * Combines mappers: lists contain the matches of all of them, without repetitions.
 *
 * Fails: `AmbiguousKindError` and `AmbiguousResourceError` if the mappers have different matches; a mapper without a match is skipped.
 *
 * apimachinery: pkg/api/meta.MultiRESTMapper
 */
export function createMultiRestMapper(mappers: readonly RestMapper[]): RestMapper {
  const kindsFor = async (resource: PartialResource): Promise<readonly GroupVersionKind[]> =>
    someOf(await collect(mappers, (mapper) => mapper.kindsFor(resource)), resource);
  const resourcesFor = async (resource: PartialResource): Promise<readonly GroupVersionResource[]> =>
    someOf(await collect(mappers, (mapper) => mapper.resourcesFor(resource)), resource);
  return {
    restMapping: async (gvk) => {
      const found = await collect(mappers, async (mapper) => [await mapper.restMapping(gvk)]);
      const [first, ...others] = found;
      if (first === undefined) {
        throw new NoMatchError(`kind ${gvk.kind} in ${apiVersionOf(gvk)}`);
      }
      if (others.length > 0) {
        throw new AmbiguousKindError(
          gvk,
          found.map(({ gvr }) => gvr),
        );
      }
      return first;
    },
    restMappings: async (groupKind) => {
      const found = await collect(mappers, (mapper) => mapper.restMappings(groupKind));
      if (found.length === 0) {
        throw new NoMatchError(`kind ${groupKindToString(groupKind)}`);
      }
      return found;
    },
    kindsFor,
    resourcesFor,
    kindFor: async (resource) => {
      const kinds = await kindsFor(resource);
      return onlyOf(kinds, () => ambiguous(resource, resourcesFor(resource)));
    },
    resourceFor: async (resource) => {
      const resources = await resourcesFor(resource);
      return onlyOf(resources, () => ambiguous(resource, resources));
    },
    singularOf: async (resource) => firstOf(mappers, (mapper) => mapper.singularOf(resource)),
    reset: () => {
      for (const mapper of mappers) mapper.reset();
    },
  };
}

/**
 * Combines mappers like {@link createMultiRestMapper}, but the first mapper with a single match answers.
 *
 * apimachinery: pkg/api/meta.FirstHitRESTMapper
 */
export function createFirstHitRestMapper(mappers: readonly RestMapper[]): RestMapper {
  return {
    ...createMultiRestMapper(mappers),
    restMapping: (gvk) => firstOf(mappers, (mapper) => mapper.restMapping(gvk)),
    kindFor: (resource) => firstOf(mappers, (mapper) => mapper.kindFor(resource)),
    resourceFor: (resource) => firstOf(mappers, (mapper) => mapper.resourceFor(resource)),
  };
}

/** Matches any group, version, resource, or kind in the patterns of {@link createPriorityRestMapper}. */
export const ANY = "*";

/** The patterns of {@link createPriorityRestMapper}; `*` matches anything. */
export interface RestMapperPriorities {
  /** The patterns of resources, the most important one first. */
  readonly resources: readonly GroupVersionResource[];
  /** The patterns of kinds, the most important one first. */
  readonly kinds: readonly GroupVersionKind[];
}

/**
 * Wraps a mapper that may have several matches, and selects one: each pattern reduces the matches to those that match it, unless none does, until one
 * is left.
 *
 * Fails: `AmbiguousResourceError` if several are left. `restMappings` returns the selected mapping first.
 *
 * apimachinery: pkg/api/meta.PriorityRESTMapper
 */
export function createPriorityRestMapper(mapper: RestMapper, priorities: RestMapperPriorities): RestMapper {
  return {
    restMapping: (gvk) => mapper.restMapping(gvk),
    restMappings: async (groupKind) => {
      const found = await mapper.restMappings(groupKind);
      const preferred = selected(
        found,
        priorities.kinds.map(
          (pattern) =>
            ({ gvk }) =>
              isKind(pattern, gvk),
        ),
      );
      return preferred === undefined ? found : [preferred, ...found.filter((mapping) => mapping !== preferred)];
    },
    kindsFor: (resource) => mapper.kindsFor(resource),
    resourcesFor: (resource) => mapper.resourcesFor(resource),
    kindFor: async (resource) => {
      const kinds = await mapper.kindsFor(resource);
      const kind = selected(
        kinds,
        priorities.kinds.map((pattern) => (each) => isKind(pattern, each)),
      );
      return kind ?? ambiguous(resource, mapper.resourcesFor(resource));
    },
    resourceFor: async (resource) => {
      const resources = await mapper.resourcesFor(resource);
      const found = selected(
        resources,
        priorities.resources.map((pattern) => (each) => isResource(pattern, each)),
      );
      return found ?? ambiguous(resource, resources);
    },
    singularOf: (resource) => mapper.singularOf(resource),
    reset: () => mapper.reset(),
  };
}

// Mappers without a match are skipped; equal matches count once.
async function collect<T>(
  mappers: readonly RestMapper[],
  call: (mapper: RestMapper) => Promise<readonly T[]>,
): Promise<readonly T[]> {
  const found = new Map<string, T>();
  for (const mapper of mappers) {
    for (const match of await call(mapper).catch((error: unknown) => noneIfNoMatch<T>(error))) {
      const key = JSON.stringify(match, sortedKeys);
      if (!found.has(key)) found.set(key, match);
    }
  }
  return [...found.values()];
}

function sortedKeys(_key: string, value: unknown): unknown {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([left], [right]) => (left < right ? -1 : 1)))
    : value;
}

function noneIfNoMatch<T>(error: unknown): readonly T[] {
  if (!isNoMatch(error)) {
    throw error;
  }
  return [];
}

function someOf<T>(found: readonly T[], resource: PartialResource): readonly T[] {
  if (found.length === 0) {
    throw new NoMatchError(`resource ${partialResourceToString(resource)}`);
  }
  return found;
}

async function onlyOf<T>(found: readonly T[], otherwise: () => Promise<never>): Promise<T> {
  const [first, ...others] = found;
  return first === undefined || others.length > 0 ? otherwise() : first;
}

async function ambiguous(
  resource: PartialResource,
  matches: readonly GroupVersionResource[] | Promise<readonly GroupVersionResource[]>,
): Promise<never> {
  throw new AmbiguousResourceError(partialResourceToString(resource), await matches);
}

// An error that is not a missing match is more helpful than one that is.
async function firstOf<T>(mappers: readonly RestMapper[], call: (mapper: RestMapper) => Promise<T>): Promise<T> {
  const errors: unknown[] = [];
  for (const mapper of mappers) {
    try {
      return await call(mapper);
    } catch (error) {
      errors.push(error);
    }
  }
  throw errors.find((error) => !isNoMatch(error)) ?? errors[0] ?? new NoMatchError("anything: there are no mappers");
}

function selected<T>(found: readonly T[], patterns: readonly ((match: T) => boolean)[]): T | undefined {
  let left = found;
  for (const matches of patterns) {
    const narrowed = left.filter((each) => matches(each));
    left = narrowed.length === 0 ? left : narrowed;
  }
  return left.length === 1 ? left[0] : undefined;
}

function isKind(pattern: GroupVersionKind, { group, version, kind }: GroupVersionKind): boolean {
  return covers(pattern.group, group) && covers(pattern.version, version) && covers(pattern.kind, kind);
}

function isResource(pattern: GroupVersionResource, { group, version, resource }: GroupVersionResource): boolean {
  return covers(pattern.group, group) && covers(pattern.version, version) && covers(pattern.resource, resource);
}

function covers(pattern: string, value: string): boolean {
  return pattern === ANY || pattern === value;
}
