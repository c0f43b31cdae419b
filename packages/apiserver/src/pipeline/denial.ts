import { forbidden } from "../request/failures.ts";
import type { AuthorizationAttributes, AuthorizationDecision } from "./authorizer.ts";

/** Makes the 403 of a request that authorization refused. */
export function denial(attributes: AuthorizationAttributes, decision: AuthorizationDecision): Error {
  const { group, resource, name, isResourceRequest } = attributes;
  const reason = decision.reason === "" ? "" : `: ${decision.reason}`;
  const subject = isResourceRequest ? { group, resource } : { group: "", resource: "" };
  return forbidden(
    { groupResource: subject, name: isResourceRequest ? name : "" },
    `${denialText(attributes)}${reason}`,
  );
}

function denialText(attributes: AuthorizationAttributes): string {
  const { user, verb, isResourceRequest, path, group, namespace } = attributes;
  const who = `User ${quote(user.name)} cannot ${escapeHtml(verb)}`;
  if (!isResourceRequest) {
    return `${who} path ${quote(path)}`;
  }
  const { resource, subresource } = attributes;
  const what = subresource === "" ? resource : `${resource}/${subresource}`;
  const where = namespace === "" ? "at the cluster scope" : `in the namespace ${quote(namespace)}`;
  return `${who} resource ${quote(what)} in API group ${quote(group)} ${where}`;
}

const quote = (text: string): string => JSON.stringify(escapeHtml(text));

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
