import { describe, expect, it } from "vitest";

import { parseRequestInfo } from "../../src/request/request-context.ts";

const info = (method: string, url: string): object => {
  const [path = "", query = ""] = url.split("?");
  const parsed = parseRequestInfo({ method, path, query: new URLSearchParams(query) });
  if (parsed === undefined) return { malformed: path };
  const { isResourceRequest, verb, group, version, namespace, resource, subresource, name } = parsed;
  return isResourceRequest ? { verb, group, version, namespace, resource, subresource, name } : { verb, path };
};

const pods = { group: "", version: "v1", namespace: "n", resource: "pods", subresource: "", name: "" };

describe("parseRequestInfo", () => {
  it.each([
    ["GET", "/api/v1/namespaces/n/pods", { ...pods, verb: "list" }],
    ["GET", "/api/v1/namespaces/n/pods?watch=true", { ...pods, verb: "watch" }],
    ["GET", "/api/v1/namespaces/n/pods?watch=0", { ...pods, verb: "list" }],
    ["GET", "/api/v1/namespaces/n/pods?watch", { ...pods, verb: "watch" }],
    ["POST", "/api/v1/namespaces/n/pods", { ...pods, verb: "create" }],
    ["DELETE", "/api/v1/namespaces/n/pods", { ...pods, verb: "deletecollection" }],
    ["DELETE", "/api/v1/namespaces/n/pods/p", { ...pods, verb: "delete", name: "p" }],
    ["PUT", "/api/v1/namespaces/n/pods/p/status", { ...pods, verb: "update", name: "p", subresource: "status" }],
    ["PATCH", "/api/v1/namespaces/n/pods/p", { ...pods, verb: "patch", name: "p" }],
    ["GET", "/api/v1/pods", { ...pods, verb: "list", namespace: "" }],
    ["GET", "/api/v1/watch/namespaces/n/pods/p", { ...pods, verb: "watch", name: "p" }],
    ["GET", "/api/v1/namespaces/n", { ...pods, verb: "get", resource: "namespaces", name: "n" }],
    [
      "PUT",
      "/api/v1/namespaces/n/finalize",
      { ...pods, verb: "update", resource: "namespaces", name: "n", subresource: "finalize" },
    ],
    ["GET", "/api/v1/namespaces", { ...pods, verb: "list", resource: "namespaces", namespace: "" }],
    [
      "GET",
      "/apis/apps/v1/namespaces/n/deployments/a%3Ab",
      { ...pods, verb: "get", group: "apps", resource: "deployments", name: "a:b" },
    ],
    ["GET", "/api/v1/namespaces/n/pods?fieldSelector=metadata.name%3Dp", { ...pods, verb: "list", name: "p" }],
    ["GET", "/api/v1", { verb: "get", path: "/api/v1" }],
    ["GET", "/apis/apps/v1", { verb: "get", path: "/apis/apps/v1" }],
    ["POST", "/healthz", { verb: "post", path: "/healthz" }],
  ])("reads %s %s", (method, url, expected) => {
    expect(info(method, url)).toEqual(expected);
  });
});
