import type { Aggregator } from "../pipeline/extension-points.ts";
import type { ServerContext } from "../pipeline/server-context.ts";
import { API_SERVICES, delegatedVersion, namesService, registeredVersions } from "./api-services.ts";
import type { BackendClient } from "./backend-client.ts";
import { type BackendFinder, routeTo } from "./routes.ts";

/** Serves group versions whose APIService names a Service: requests go to the server behind it. */
export function apiAggregator(
  { objects, clock }: ServerContext,
  { client, find }: { readonly client: BackendClient; readonly find: BackendFinder },
): Aggregator {
  const forwarding = { client, clock, routeTo: routeTo.bind(undefined, objects, find) };
  return {
    serve: (context, answerLocally) => {
      const { info } = context;
      const groupVersion = info.isResourceRequest ? info : groupVersionOf(info.path);
      if (groupVersion !== undefined) {
        const version = delegatedVersion(objects, groupVersion);
        if (version === undefined) return undefined;
        // Most servers have no other servers beside them.
        return import("./forward.ts").then(async ({ forward }) => await forward(forwarding, version, context));
      }
      if (!LISTS_VERSIONS.test(info.path)) return undefined;
      if (!objects.list(API_SERVICES).some((object) => namesService(object))) return undefined;
      const registered = registeredVersions(objects);
      return import("./merged-documents.ts").then(
        async ({ mergedDocument }) => await mergedDocument({ ...forwarding, registered, answerLocally }, context),
      );
    },
  };
}

const GROUP_VERSION = /^\/(?:api|apis\/(?<group>[^/]+))\/(?<version>[^/]+)\/?$/u;

function groupVersionOf(path: string): { readonly group: string; readonly version: string } | undefined {
  const { group = "", version = "" } = GROUP_VERSION.exec(path)?.groups ?? {};
  return version === "" ? undefined : { group, version };
}

// The documents that list group versions of all servers.
const LISTS_VERSIONS = /^\/(?:apis(?:\/[^/]+)?\/?|openapi\/v[23](?:\/.*)?)?$/u;
