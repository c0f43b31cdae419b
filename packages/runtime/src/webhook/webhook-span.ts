import type { AdmissionRequest } from "@kubescaffold/k8s/admission/v1";

import { describeCurrentSpan, endAsFailed, type OpenSpan, startRemoteSpan } from "../tracing/spans.ts";

/** Starts the span of a request to a webhook, as a child of the API server's span; undefined without an SDK. */
export function startWebhookSpan(route: string, request: Request): OpenSpan | undefined {
  return startRemoteSpan(request.headers, () => ({
    name: `${request.method} ${route}`,
    kind: "server",
    attributes: {
      "http.request.method": request.method,
      "http.route": route,
      "url.path": route,
      "url.scheme": "https",
    },
  }));
}

/** Ends the span of a request with the status of its response; statuses from 500 on are failures. */
export function endWebhookSpan(open: OpenSpan | undefined, status: number): void {
  if (open === undefined) return;
  open.span.setAttribute("http.response.status_code", status);
  if (status >= 500) endAsFailed(open, String(status));
  else open.span.end();
}

/** Adds the object and the answer of an admission request to the span of its request; the object's fields are left out. */
export function describeAdmission(request: AdmissionRequest, response: { readonly allowed: boolean }): void {
  describeCurrentSpan(() => ({
    "kubescaffold.admission.uid": request.uid,
    "kubescaffold.admission.operation": request.operation,
    "kubescaffold.object.group": request.kind?.group ?? "",
    "kubescaffold.object.version": request.kind?.version ?? "",
    "kubescaffold.object.kind": request.kind?.kind ?? "",
    ...(request.namespace === undefined ? {} : { "k8s.namespace.name": request.namespace }),
    ...(request.name === undefined ? {} : { "kubescaffold.object.name": request.name }),
    "kubescaffold.admission.allowed": response.allowed,
  }));
}
