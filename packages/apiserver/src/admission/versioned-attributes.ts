import { newInternalError, StatusError } from "@kubescaffold/k8s";

import type { AdmissionAttributes } from "../pipeline/extension-points.ts";
import type { ServerContext } from "../pipeline/server-context.ts";
import type { ApiObject } from "../storage/api-object.ts";
import type { RuleMatch } from "./rule-matching.ts";

/** A write as a webhook or policy sees it: in another version than that of the request, where its rules are about that. */
export interface VersionedAttributes extends AdmissionAttributes {
  /** Completes a changed object of this version, and returns it in the version of the request. */
  readonly requested: (changed: ApiObject) => Promise<ApiObject>;
}

/** Returns a write in the version that a webhook or policy is to see. Fails: with 500 when its objects cannot be converted. */
export async function versionedAttributes(
  { versions }: ServerContext,
  attributes: AdmissionAttributes,
  match: RuleMatch,
): Promise<VersionedAttributes> {
  const { group, version } = attributes.kind;
  // Scales are of one version, whichever the resource's.
  if (match.kind.group === group && match.kind.version === version) {
    return { ...attributes, requested: async (changed) => attributes.normalize(changed) };
  }
  const seen = async (object: ApiObject | undefined): Promise<ApiObject | undefined> =>
    object && (await failing(versions.convert(object, { from: attributes.resource, to: match.resource })));
  return {
    ...attributes,
    object: await seen(attributes.object),
    oldObject: await seen(attributes.oldObject),
    requested: async (changed) => {
      const complete = versions.complete(changed, match.resource);
      const way = { from: match.resource, to: attributes.resource };
      return attributes.normalize(await failing(versions.convert(complete, way)));
    },
  };
}

async function failing<T>(converting: Promise<T>): Promise<T> {
  try {
    return await converting;
  } catch (error) {
    throw error instanceof StatusError ? newInternalError(error.message) : error;
  }
}
