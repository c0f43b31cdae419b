import { CustomResourceDefinition } from "@kubescaffold/k8s/apiextensions/v1";
import { createDiscoveryClient, type LiveClient, type RestClient } from "@kubescaffold/runtime";

import type { KindSource, ServedKind } from "../objects/kinds.ts";
import type { ResourceName } from "./watch-targets.ts";

/** Reads the resources of a cluster, and the definitions of those of the project, which the user may be forbidden to read. */
export async function readConnectedKinds(
  { client, rest }: { readonly client: LiveClient; readonly rest: RestClient },
  resources: readonly ResourceName[],
): Promise<KindSource> {
  const [served, definitions] = await Promise.all([readServed(rest), readDefinitions(client, resources)]);
  return { served, definitionOf: ({ group, resource }) => definitions.get(`${resource}.${group}`) };
}

async function readServed(rest: RestClient): Promise<readonly ServedKind[]> {
  const discovery = createDiscoveryClient(rest);
  const versions = (await discovery.groups()).flatMap(({ name: group, versions: all }) =>
    all.map(async ({ version, resources }): Promise<readonly ServedKind[]> =>
      // A server behind an APIService may not respond.
      (resources ?? (await discovery.resources({ group, version }).catch(() => [])))
        .filter(({ name }) => !name.includes("/"))
        .map(({ name, kind, namespaced, verbs }) => ({
          group,
          version,
          kind,
          resource: name,
          isNamespaced: namespaced,
          verbs,
        })),
    ),
  );
  return (await Promise.all(versions)).flat();
}

async function readDefinitions(
  client: LiveClient,
  resources: readonly ResourceName[],
): Promise<ReadonlyMap<string, Readonly<Record<string, unknown>>>> {
  const found = await Promise.all(
    resources.map(async ({ group, resource }) => {
      const name = `${resource}.${group}`;
      try {
        return [[name, { ...(await client.get(CustomResourceDefinition, { name })) }] as const];
      } catch {
        return [];
      }
    }),
  );
  return new Map(found.flat());
}
