import { newInvalid, type FieldError, type JSONValue } from "@kubescaffold/k8s";

import type { AuthorizationAttributes, VirtualCreate, VirtualResource } from "../pipeline/extension-points.ts";
import type { ServerContext } from "../pipeline/server-context.ts";
import type { Release } from "../release/release.ts";
import type { RequestInfo, UserInfo } from "../request/request-context.ts";
import type { ApiObject } from "../storage/api-object.ts";

const GROUP = { group: "authorization.k8s.io", version: "v1" } as const;

/** Answers the reviews that ask whether somebody may do something. */
export function accessReviews(context: ServerContext): readonly VirtualResource[] {
  return [
    review("SelfSubjectAccessReview", async ({ object, user }) => await answer(context, object, { user, errors: [] })),
    review(
      "SubjectAccessReview",
      async ({ object }) => await answer(context, object, { user: subjectOf(object), errors: subjectErrors(object) }),
    ),
    review("LocalSubjectAccessReview", async ({ object, namespace }) => {
      const local = { ...object, metadata: { ...object.metadata, namespace } };
      const errors = [...subjectErrors(object), ...namespaceErrors(object, namespace)];
      return await answer(context, local, { user: subjectOf(object), errors });
    }),
  ];
}

function review(kind: string, create: (request: VirtualCreate) => Promise<ApiObject>): VirtualResource {
  return { ...GROUP, resource: `${kind.toLowerCase()}s`, subresource: "", kind: { ...GROUP, kind }, create };
}

interface ResourceAttributes {
  readonly namespace?: string;
  readonly verb?: string;
  readonly group?: string;
  readonly version?: string;
  readonly resource?: string;
  readonly subresource?: string;
  readonly name?: string;
  readonly fieldSelector?: FieldSelectorAttributes;
}

interface FieldSelectorAttributes {
  readonly rawSelector?: string;
  readonly requirements?: readonly {
    readonly key?: string;
    readonly operator?: string;
    readonly values?: readonly string[];
  }[];
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
  review: { readonly user: UserInfo; readonly errors: readonly FieldError[] },
): Promise<ApiObject> {
  const spec = specOf(object);
  const errors = [...attributeErrors(spec, context.release), ...review.errors];
  // Upstream leaves the kind out of these failures.
  if (errors.length > 0) throw newInvalid({ group: GROUP.group, kind: "" }, "", errors);
  const fieldSelector = selectorOf(spec.resourceAttributes?.fieldSelector);
  const attributes: AuthorizationAttributes = { ...requestInfoOf(spec), user: review.user, fieldSelector };
  const { allowed, reason } = await context.authorizer.authorize(attributes);
  return { ...object, status: { allowed, ...(reason === "" ? {} : { reason }) } };
}

// Requirements of one value are all that authorizers look at.
function selectorOf({ rawSelector = "", requirements = [] }: FieldSelectorAttributes = {}): string {
  if (rawSelector !== "") return rawSelector;
  return requirements
    .filter(({ operator, values = [] }) => operator === "In" && values.length === 1)
    .map(({ key = "", values = [] }) => `${key}=${values[0] ?? ""}`)
    .join(",");
}

function specOf(object: ApiObject): ReviewSpec {
  return object["spec"] ?? {};
}

function subjectOf(object: ApiObject): UserInfo {
  const { user = "", uid, groups = [], extra } = specOf(object);
  return { name: user, groups, ...(uid === undefined ? {} : { uid }), ...(extra === undefined ? {} : { extra }) };
}

function subjectErrors(object: ApiObject): readonly FieldError[] {
  const { user = "", groups = [] } = specOf(object);
  if (user !== "" || groups.length > 0) return [];
  return [invalidValue("spec.user", "", "at least one of user or group must be specified")];
}

function attributeErrors(
  { resourceAttributes, nonResourceAttributes }: ReviewSpec,
  release: Release,
): readonly FieldError[] {
  const isUnion = release.since("1.37");
  const exactlyOne = "exactly one of nonResourceAttributes or resourceAttributes must be specified";
  if (resourceAttributes !== undefined && nonResourceAttributes !== undefined) {
    const detail = isUnion ? exactlyOne : "cannot be specified in combination with resourceAttributes";
    return [invalidValue(isUnion ? "spec" : "spec.nonResourceAttributes", inGo(nonResourceAttributes), detail)];
  }
  if (resourceAttributes !== undefined || nonResourceAttributes !== undefined) return [];
  return [invalidValue(isUnion ? "spec" : "spec.resourceAttributes", null, exactlyOne)];
}

function namespaceErrors(object: ApiObject, namespace: string): readonly FieldError[] {
  const { resourceAttributes, nonResourceAttributes } = specOf(object);
  if (nonResourceAttributes !== undefined) {
    const detail = "disallowed on this kind of request";
    return [invalidValue("spec.nonResourceAttributes", inGo(nonResourceAttributes), detail)];
  }
  const asked = resourceAttributes?.namespace ?? "";
  if (resourceAttributes === undefined || asked === namespace) return [];
  return [invalidValue("spec.resourceAttributes.namespace", asked, "must match metadata.namespace")];
}

// Failures show the fields as Go names them.
function inGo({ path = "", verb = "" }: NonNullable<ReviewSpec["nonResourceAttributes"]>): JSONValue {
  return { Path: path, Verb: verb };
}

function invalidValue(field: string, badValue: FieldError["badValue"], detail: string): FieldError {
  return { type: "FieldValueInvalid", field, badValue, detail };
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
