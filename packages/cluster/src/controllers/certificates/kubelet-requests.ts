import { KUBELET_PREFIX, KUBELETS, type ReadRequest } from "@kubescaffold/apiserver/cluster-api";

const CLIENT_USAGES = ["client auth", "digital signature", "key encipherment"];
const SERVING_USAGES = ["digital signature", "key encipherment", "server auth"];
const OPTIONAL_USAGE = "key encipherment";

/** Returns why a kubelet cannot use a request for a client certificate; undefined if it can. */
export function kubeletClientProblem(request: ReadRequest, usages: readonly string[]): string | undefined {
  if (!isOfNodes(request)) return WRONG_ORGANIZATION;
  if (request.dnsNames.length > 0) return "DNS subjectAltNames are not allowed";
  if (request.emailAddresses.length > 0) return "Email subjectAltNames are not allowed";
  if (request.ipAddresses.length > 0) return "IP subjectAltNames are not allowed";
  if (request.uris.length > 0) return "URI subjectAltNames are not allowed";
  if (!isOfNode(request)) return WRONG_NAME;
  return usageProblem(usages, CLIENT_USAGES);
}

/** Returns why a kubelet cannot use a request for a serving certificate; undefined if it can. */
export function kubeletServingProblem(request: ReadRequest, usages: readonly string[]): string | undefined {
  if (!isOfNodes(request)) return WRONG_ORGANIZATION;
  if (request.dnsNames.length === 0 && request.ipAddresses.length === 0) return "DNS or IP subjectAltName is required";
  if (request.emailAddresses.length > 0) return "Email subjectAltNames are not allowed";
  if (request.uris.length > 0) return "URI subjectAltNames are not allowed";
  return usageProblem(usages, SERVING_USAGES) ?? (isOfNode(request) ? undefined : WRONG_NAME);
}

const WRONG_ORGANIZATION = "subject organization is not system:nodes";
const WRONG_NAME = "subject common name does not begin with system:node:";

function isOfNodes({ organizations }: ReadRequest): boolean {
  return organizations.length === 1 && organizations[0] === KUBELETS;
}

function isOfNode({ commonName }: ReadRequest): boolean {
  return commonName.startsWith(KUBELET_PREFIX);
}

function usageProblem(usages: readonly string[], required: readonly string[]): string | undefined {
  const stated = new Set([...usages, OPTIONAL_USAGE]);
  const isMatch = stated.size === required.length && required.every((usage) => stated.has(usage));
  return isMatch ? undefined : `usages did not match [${required.join(" ")}]`;
}
