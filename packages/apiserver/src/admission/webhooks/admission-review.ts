import type { AdmissionAttributes } from "../../pipeline/admission-plugin.ts";
import type { UserInfo } from "../../request/user-info.ts";
import type { WebhookMatch } from "./webhook-matching.ts";

/** Makes the review that is sent to a webhook, of objects in the version of the match, with a uid that its answer must echo. */
export function admissionReview(uid: string, attributes: AdmissionAttributes, match: WebhookMatch): object {
  const subresource =
    attributes.subresource === ""
      ? {}
      : { subResource: attributes.subresource, requestSubResource: attributes.subresource };
  return {
    kind: "AdmissionReview",
    apiVersion: "admission.k8s.io/v1",
    request: {
      uid,
      kind: gvk(match.kind),
      resource: match.resource,
      requestKind: gvk(attributes.kind),
      requestResource: attributes.resource,
      ...subresource,
      ...(attributes.name === "" ? {} : { name: attributes.name }),
      ...(attributes.namespace === "" ? {} : { namespace: attributes.namespace }),
      operation: attributes.operation,
      userInfo: userInfo(attributes.user),
      object: attributes.object ?? null,
      oldObject: attributes.oldObject ?? null,
      dryRun: attributes.isDryRun,
      options: attributes.options,
    },
  };
}

function gvk({ group, version, kind }: WebhookMatch["kind"]): object {
  return { group, version, kind };
}

function userInfo(user: UserInfo): object {
  return {
    username: user.name,
    ...(user.uid === undefined ? {} : { uid: user.uid }),
    groups: user.groups,
    ...(user.extra === undefined ? {} : { extra: user.extra }),
  };
}
