import type { GroupVersionKind, GroupVersionResource, JSONValue } from "@kubescaffold/k8s";
import { CelAuthorizer, CelResourceCheck, type CelValue, toPlainValue } from "@kubescaffold/schema/cel";

import type { AdmissionAttributes } from "../../pipeline/extension-points.ts";
import type { UserInfo } from "../../request/request-context.ts";
import type { ApiObject } from "../../storage/api-object.ts";
import { reviewedObject } from "../reviewed-object.ts";
import type { Decisions } from "./authority.ts";

/** What the expressions of a policy or the conditions of a webhook are evaluated with. */
export interface ExpressionInput {
  /** The write, with objects in the version that the rules are about. */
  readonly attributes: AdmissionAttributes;
  readonly resource: GroupVersionResource;
  readonly kind: GroupVersionKind;
  readonly decisions: Decisions;
  /** Absent for cluster-scoped objects, and for match conditions. */
  readonly namespace?: ApiObject | undefined;
  readonly params?: ApiObject | undefined;
}

/** The values of the variables of expressions. */
export type ExpressionValues = ReadonlyMap<string, CelValue>;

/** Returns the values of all variables but `variables`. */
export function expressionValues(input: ExpressionInput): ExpressionValues {
  const { attributes, decisions, namespace, params } = input;
  const authority = decisions.authorityOf(attributes.user);
  const { resource, subresource, namespace: inNamespace, name } = attributes;
  return new Map<string, CelValue>([
    ["object", plain(reviewedObject(attributes))],
    ["oldObject", plain(attributes.oldObject)],
    ["request", toPlainValue(requestOf(input))],
    ["namespaceObject", plain(namespace && visibleNamespace(namespace))],
    ["params", plain(params)],
    ["authorizer", new CelAuthorizer(authority)],
    [
      "authorizer.requestResource",
      new CelResourceCheck(authority, {
        group: resource.group,
        resource: resource.resource,
        subresource,
        namespace: inNamespace,
        name,
      }),
    ],
  ]);
}

function plain(object: object | undefined): CelValue {
  return toPlainValue(object as JSONValue | undefined);
}

// Empty fields are left out, as where a real server converts the request.
function requestOf({ attributes, resource, kind }: ExpressionInput): JSONValue {
  const { subresource, name, namespace } = attributes;
  return {
    uid: "",
    kind: gvk(kind),
    resource: gvr(resource),
    ...(subresource === "" ? {} : { subResource: subresource, requestSubResource: subresource }),
    requestKind: gvk(attributes.kind),
    requestResource: gvr(attributes.resource),
    ...(name === "" ? {} : { name }),
    ...(namespace === "" ? {} : { namespace }),
    operation: attributes.operation,
    userInfo: userInfo(attributes.user),
    dryRun: attributes.isDryRun,
    options: attributes.options as JSONValue,
  };
}

function gvk({ group, version, kind }: GroupVersionKind): JSONValue {
  return { group, version, kind };
}

function gvr({ group, version, resource }: GroupVersionResource): JSONValue {
  return { group, version, resource };
}

function userInfo({ name, uid = "", groups, extra = {} }: UserInfo): JSONValue {
  return {
    ...(name === "" ? {} : { username: name }),
    ...(uid === "" ? {} : { uid }),
    ...(groups.length === 0 ? {} : { groups: [...groups] }),
    ...(Object.keys(extra).length === 0 ? {} : { extra: extra as JSONValue }),
  };
}

const HIDDEN_METADATA: ReadonlySet<string> = new Set(["managedFields", "ownerReferences", "selfLink"]);

function visibleNamespace({ metadata, ...namespace }: ApiObject): ApiObject {
  const { apiVersion: _version, kind: _kind, ...parts } = namespace;
  const visible = Object.entries(metadata).filter(([field]) => !HIDDEN_METADATA.has(field));
  return { ...parts, metadata: Object.fromEntries(visible) } as unknown as ApiObject;
}
