import { ACCEPTS_AGGREGATED } from "../discovery/aggregated-discovery.ts";
import { type DelegatedVersion, pathOf } from "./api-services.ts";
import { backendJson, DISCOVERY_USER } from "./backend-documents.ts";
import type { Forwarding } from "./forward.ts";
import { isListOf, isObjectOf, isText, isTruth } from "./json-checks.ts";

/** A version of a group in aggregated discovery. */
export interface VersionDiscovery {
  readonly version: string;
  readonly freshness?: string;
  readonly resources?: readonly object[] | null;
}

/** Returns the discovery of a version that another server serves; without resources if that server does not answer as it should. */
export async function discoveredVersion(
  forwarding: Forwarding,
  delegated: DelegatedVersion,
): Promise<VersionDiscovery> {
  const { version } = delegated;
  const found = (await aggregatedVersion(forwarding, delegated)) ?? (await legacyVersion(forwarding, delegated));
  return found === undefined ? { version, freshness: "Stale" } : { ...found, freshness: "Current" };
}

interface GroupDiscoveryList {
  readonly items?:
    | readonly {
        readonly metadata?: { readonly name?: string | null } | null;
        readonly versions?: readonly VersionDiscovery[] | null;
      }[]
    | null;
}

const KIND = { group: isText, version: isText, kind: isText };
const RESPONSE_KIND = isObjectOf(KIND);

const IS_GROUP_DISCOVERY_LIST = isObjectOf({
  items: isListOf(
    isObjectOf({
      metadata: isObjectOf({ name: isText }),
      versions: isListOf(
        isObjectOf({
          version: isText,
          resources: isListOf(
            isObjectOf({
              resource: isText,
              responseKind: RESPONSE_KIND,
              scope: isText,
              singularResource: isText,
              verbs: isListOf(isText),
              shortNames: isListOf(isText),
              categories: isListOf(isText),
              subresources: isListOf(
                isObjectOf({
                  subresource: isText,
                  responseKind: RESPONSE_KIND,
                  acceptedTypes: isListOf(RESPONSE_KIND),
                  verbs: isListOf(isText),
                }),
              ),
            }),
          ),
        }),
      ),
    }),
  ),
});

async function aggregatedVersion(
  forwarding: Forwarding,
  delegated: DelegatedVersion,
): Promise<VersionDiscovery | undefined> {
  const list = await backendJson<GroupDiscoveryList>(forwarding, delegated, {
    path: "/apis",
    accept: ACCEPTS_AGGREGATED,
    user: DISCOVERY_USER,
    answeredAs: "as=APIGroupDiscoveryList",
    isDocument: IS_GROUP_DISCOVERY_LIST,
  });
  if (list === undefined) return undefined;
  const { group, version } = delegated;
  const found = (list.items ?? []).find(({ metadata }) => metadata?.name === group);
  return (found?.versions ?? []).find((each) => each.version === version) ?? { version };
}

interface LegacyResource {
  readonly name?: string | null;
  readonly singularName?: string | null;
  readonly namespaced?: boolean | null;
  readonly kind?: string | null;
  readonly group?: string | null;
  readonly version?: string | null;
  readonly verbs?: readonly string[] | null;
  readonly shortNames?: readonly string[] | null;
  readonly categories?: readonly string[] | null;
}

const IS_RESOURCE_LIST = isObjectOf({
  resources: isListOf(
    isObjectOf({
      ...KIND,
      name: isText,
      singularName: isText,
      namespaced: isTruth,
      verbs: isListOf(isText),
      shortNames: isListOf(isText),
      categories: isListOf(isText),
    }),
  ),
});

async function legacyVersion(
  forwarding: Forwarding,
  delegated: DelegatedVersion,
): Promise<VersionDiscovery | undefined> {
  const list = await backendJson<{ readonly resources?: readonly LegacyResource[] | null }>(forwarding, delegated, {
    path: pathOf(delegated),
    accept: "application/json",
    user: { ...DISCOVERY_USER, groups: [] },
    isDocument: IS_RESOURCE_LIST,
  });
  return list && { version: delegated.version, resources: discoveredResources(list.resources ?? []) };
}

function discoveredResources(resources: readonly LegacyResource[]): readonly object[] {
  const named = resources.map(({ name, ...resource }) => ({ ...resource, name: name ?? "" }));
  return named
    .filter(({ name }) => !name.includes("/"))
    .map(({ name, namespaced, singularName, verbs, shortNames, categories, ...kind }) => {
      const subresources = named.filter((each) => each.name.startsWith(`${name}/`));
      return {
        resource: name,
        responseKind: responseKind(kind),
        scope: namespaced === true ? "Namespaced" : "Cluster",
        singularResource: singularName ?? "",
        verbs: verbs ?? [],
        ...(shortNames && { shortNames }),
        ...(categories && { categories }),
        ...(subresources.length > 0 && {
          subresources: subresources.map((each) => ({
            subresource: each.name.slice(name.length + 1),
            responseKind: responseKind(each),
            verbs: each.verbs ?? [],
          })),
        }),
      };
    });
}

function responseKind({ group, version, kind }: LegacyResource): object {
  return { group: group ?? "", version: version ?? "", kind: kind ?? "" };
}
