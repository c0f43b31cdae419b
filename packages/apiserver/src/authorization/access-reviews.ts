import { newBadRequest, newInvalid, type FieldError } from "@kubescaffold/k8s";

import type { AuthorizationAttributes } from "../pipeline/authorizer.ts";
import type { VirtualCreate, VirtualResource } from "../pipeline/virtual-resource.ts";
import type { RequestInfo } from "../request/request-info.ts";
import type { UserInfo } from "../request/user-info.ts";
import type { ServerContext } from "../server/server-context.ts";
import type { ApiObject } from "../storage/api-object.ts";

const GROUP = { group: "authorization.k8s.io", version: "v1" } as const;

/** Answers the reviews that ask whether somebody may do something. */
export function accessReviews(context: ServerContext): readonly VirtualResource[] {
  return [
    review(
      "selfsubjectaccessreviews",
      "SelfSubjectAccessReview",
      async ({ object, user }) => await answer(context, object, { user, kind: "SelfSubjectAccessReview" }),
    ),
    review(
      "subjectaccessreviews",
      "SubjectAccessReview",
      async ({ object }) =>
        await answer(context, object, { user: subjectOf(object, "SubjectAccessReview"), kind: "SubjectAccessReview" }),
    ),
    review("localsubjectaccessreviews", "LocalSubjectAccessReview", async ({ object, namespace }) => {
      checkNamespace(object, namespace);
      const kind = "LocalSubjectAccessReview";
      return await answer(context, object, { user: subjectOf(object, kind), kind });
    }),
  ];
}

function review(
  resource: string,
  kind: string,
  create: (request: VirtualCreate) => Promise<ApiObject>,
): VirtualResource {
  return { ...GROUP, resource, subresource: "", kind: { ...GROUP, kind }, create };
}

interface ResourceAttributes {
  readonly namespace?: string;
  readonly verb?: string;
  readonly group?: string;
  readonly version?: string;
  readonly resource?: string;
  readonly subresource?: string;
  readonly name?: string;
}

interface ReviewSpec {
  readonly resourceAttributes?: ResourceAttributes;
  readonly nonResourceAttributes?: { readonly path?: string; readonly verb?: string };
  readonly user?: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

async function answer(
  context: ServerContext,
  object: ApiObject,
  review: { readonly user: UserInfo; readonly kind: string },
): Promise<ApiObject> {
  const spec = specOf(object);
  checkAttributes(spec, review.kind);
  const attributes: AuthorizationAttributes = { ...requestInfoOf(spec), user: review.user };
  const { allowed, reason } = await context.authorizer.authorize(attributes);
  return { ...object, status: { allowed, ...(reason === "" ? {} : { reason }) } };
}

function specOf(object: ApiObject): ReviewSpec {
  return (object["spec"] ?? {});
}

function subjectOf(object: ApiObject, kind: string): UserInfo {
  const { user = "", uid, groups = [], extra } = specOf(object);
  if (user === "" && groups.length === 0) {
    throw invalid(kind, {
      type: "FieldValueInvalid",
      field: "spec.user",
      badValue: "",
      detail: "at least one of user or group must be specified",
    });
  }
  return { name: user, groups, ...(uid === undefined ? {} : { uid }), ...(extra === undefined ? {} : { extra }) };
}

function checkAttributes(spec: ReviewSpec, kind: string): void {
  if ((spec.resourceAttributes === undefined) !== (spec.nonResourceAttributes === undefined)) return;
  const badValue = spec.nonResourceAttributes === undefined ? null : spec.resourceAttributes;
  const detail =
    spec.nonResourceAttributes === undefined
      ? "exactly one of nonResourceAttributes or resourceAttributes must be specified"
      : "cannot be specified in combination with resourceAttributes";
  const field = spec.nonResourceAttributes === undefined ? "spec.resourceAttributes" : "spec.nonResourceAttributes";
  throw invalid(kind, { type: "FieldValueInvalid", field, badValue, detail });
}

function checkNamespace(object: ApiObject, namespace: string): void {
  const asked = specOf(object).resourceAttributes?.namespace ?? "";
  if (asked !== namespace) {
    throw newBadRequest(`spec.resourceAttributes.namespace must match namespace: ${namespace}`);
  }
}

function invalid(kind: string, error: FieldError): Error {
  return newInvalid({ group: GROUP.group, kind }, "", [error]);
}

function requestInfoOf({ resourceAttributes, nonResourceAttributes }: ReviewSpec): RequestInfo {
  const asked = resourceAttributes ?? {};
  return {
    isResourceRequest: resourceAttributes !== undefined,
    path: nonResourceAttributes?.path ?? "",
    verb: asked.verb ?? nonResourceAttributes?.verb ?? "",
    group: asked.group ?? "",
    version: asked.version ?? "",
    namespace: asked.namespace ?? "",
    resource: asked.resource ?? "",
    subresource: asked.subresource ?? "",
    name: asked.name ?? "",
  };
}
