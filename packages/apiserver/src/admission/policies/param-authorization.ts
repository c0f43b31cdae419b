import { forbiddenField, type GroupKind, type GroupResource } from "@kubescaffold/k8s";
import type {
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
} from "@kubescaffold/k8s/admissionregistration/v1";
import { deepEqual } from "@kubescaffold/schema/values";

import { type AdmissionAttributes, type AdmissionPlugin, checkPermission } from "../../pipeline/extension-points.ts";
import type { ServerContext } from "../../pipeline/server-context.ts";
import { invalid } from "../../request/failures.ts";
import type { UserInfo } from "../../request/request-context.ts";
import { MUTATING_BINDINGS, MUTATING_POLICIES, VALIDATING_BINDINGS, VALIDATING_POLICIES } from "./policy-resources.ts";

const { group: GROUP } = VALIDATING_BINDINGS;

/** Lets users write only policies and bindings whose parameters they may read themselves. */
export function paramAuthorization(context: ServerContext): AdmissionPlugin {
  return {
    name: "ParamAuthorization",
    validate: async (attributes) => {
      const { resource, subresource, object, user } = attributes;
      if (resource.group !== GROUP || subresource !== "" || object === undefined) return;
      if (user.groups.includes("system:masters")) return;
      if (POLICIES.has(resource.resource)) await checkPolicy(context, attributes);
      const policies = POLICIES_OF_BINDINGS.get(resource.resource);
      if (policies !== undefined) await checkBinding(context, attributes, policies);
    },
  };
}

const POLICIES: ReadonlySet<string> = new Set([VALIDATING_POLICIES.resource, MUTATING_POLICIES.resource]);
const POLICIES_OF_BINDINGS: ReadonlyMap<string, GroupResource> = new Map([
  [VALIDATING_BINDINGS.resource, VALIDATING_POLICIES],
  [MUTATING_BINDINGS.resource, MUTATING_POLICIES],
]);

async function checkPolicy(context: ServerContext, attributes: AdmissionAttributes): Promise<void> {
  const { spec = {} } = attributes.object as unknown as ValidatingAdmissionPolicy;
  const old = attributes.oldObject as ValidatingAdmissionPolicy | undefined;
  const { paramKind } = spec;
  if (paramKind === undefined || deepEqual(paramKind, old?.spec?.paramKind)) return;
  const target = { ...targetOf(context, paramKind), verb: "get", namespace: "*", name: "*" };
  if (await mayRead(context, attributes.user, target)) return;
  const { kind = "", apiVersion = "" } = paramKind;
  throw refusal(attributes, {
    kind: attributes.kind.kind,
    field: "spec.paramKind",
    detail: `user ${userText(attributes.user)} must have "get" permission on all objects of the referenced paramKind (kind=${kind}, apiVersion=${apiVersion})`,
  });
}

async function checkBinding(
  context: ServerContext,
  attributes: AdmissionAttributes,
  policies: GroupResource,
): Promise<void> {
  const { spec = {} } = attributes.object as unknown as ValidatingAdmissionPolicyBinding;
  const old = attributes.oldObject as ValidatingAdmissionPolicyBinding | undefined;
  const { paramRef, policyName = "" } = spec;
  if (paramRef === undefined) return;
  if (old?.spec?.policyName === policyName && deepEqual(paramRef, old.spec.paramRef)) return;
  const { name = "", namespace = "" } = paramRef;
  const verb = name === "" ? "list" : "get";
  const policy = context.objects.get(policies, { namespace: "", name: policyName }) as
    | ValidatingAdmissionPolicy
    | undefined;
  const target = targetOf(context, policy?.spec?.paramKind);
  if (await mayRead(context, attributes.user, { ...target, verb, name, namespace })) return;
  throw refusal(attributes, {
    kind: attributes.kind.kind,
    field: "spec.paramRef",
    detail: bindingDetail({
      policy,
      policyName,
      isResolved: target.resource !== "*",
      isMutating: policies === MUTATING_POLICIES,
      verb,
      user: attributes.user,
    }),
  });
}

interface RefusedBinding {
  readonly policy: ValidatingAdmissionPolicy | undefined;
  readonly policyName: string;
  readonly isResolved: boolean;
  readonly isMutating: boolean;
  readonly verb: string;
  readonly user: UserInfo;
}

function bindingDetail({ policy, policyName, isResolved, isMutating, verb, user }: RefusedBinding): string {
  const who = userText(user);
  const everything = `to determine minimum required permissions and user ${who} does not have "${verb}" permission for all groups, versions and resources`;
  if (policy === undefined) return `unable to get policy ${policyName} ${everything}`;
  const { paramKind } = policy.spec ?? {};
  if (paramKind !== undefined && !isResolved) {
    const { kind = "", apiVersion = "" } = paramKind;
    return `unable to resolve paramKind &ParamKind{APIVersion:${apiVersion},Kind:${kind},} ${everything}`;
  }
  // For mutating policies, upstream passes the two the wrong way round.
  const [subject, right] = isMutating ? [verb, who] : [who, verb];
  return `user ${subject} does not have "${right}" permission on the object referenced by paramRef`;
}

interface ParamTarget {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
}

function targetOf(
  { resources }: ServerContext,
  paramKind: { readonly apiVersion?: string; readonly kind?: string } | undefined,
): ParamTarget {
  if (paramKind === undefined) return { group: "*", version: "*", resource: "*" };
  const { apiVersion = "", kind = "" } = paramKind;
  const [group = "", version = ""] = apiVersion.includes("/") ? apiVersion.split("/") : ["", apiVersion];
  return { group, version, resource: resources.findByKind({ group, version, kind })?.resource ?? "*" };
}

async function mayRead(
  context: ServerContext,
  user: UserInfo,
  target: ParamTarget & { readonly verb: string; readonly namespace: string; readonly name: string },
): Promise<boolean> {
  const { allowed } = await checkPermission(context, {
    ...target,
    isResourceRequest: true,
    path: "",
    subresource: "",
    user,
  });
  return allowed;
}

// Upstream prints the user with Go's fmt package.
function userText({ name, uid = "", groups, extra = {} }: UserInfo): string {
  const extras = Object.keys(extra)
    .toSorted()
    .map((key) => `${key}:[${(extra[key] ?? []).join(" ")}]`);
  return `&{${name} ${uid} [${groups.join(" ")}] map[${extras.join(" ")}]}`;
}

function refusal(
  { name }: AdmissionAttributes,
  { kind, field, detail }: { readonly kind: string; readonly field: string; readonly detail: string },
): Error {
  const groupKind: GroupKind = { group: GROUP, kind };
  return invalid({ groupKind, name }, [forbiddenField(field, detail)]);
}
