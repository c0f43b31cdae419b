import { describe, expect, it } from "vitest";

import { describeRequest, matchesRequest } from "../../src/chaos/request-target.ts";

function describeTarget(method: string, target: string): string {
  const { verb, group, resource, subresource, namespace, name } = describeRequest(
    method,
    new URL(target, "http://server"),
  );
  return [verb, group, resource, subresource, namespace, name].join(" ");
}

describe("the description of a request", () => {
  it.each([
    ["GET", "/api/v1/configmaps", "list  configmaps   "],
    ["GET", "/api/v1/namespaces/web/configmaps?watch=true", "watch  configmaps  web "],
    ["GET", "/api/v1/namespaces/web/configmaps?watch=1", "watch  configmaps  web "],
    ["GET", "/api/v1/namespaces/web/configmaps/a", "get  configmaps  web a"],
    ["GET", "/api/v1/namespaces", "list  namespaces   "],
    ["GET", "/api/v1/namespaces/web", "get  namespaces   web"],
    ["PUT", "/api/v1/namespaces/web/status", "update  namespaces status  web"],
    ["PUT", "/api/v1/namespaces/web/finalize", "update  namespaces finalize  web"],
    ["POST", "/apis/apps/v1/namespaces/web/deployments", "create apps deployments  web "],
    ["PATCH", "/apis/apps/v1/namespaces/web/deployments/a/scale", "patch apps deployments scale web a"],
    ["DELETE", "/apis/apps/v1/namespaces/web/deployments/a", "delete apps deployments  web a"],
    ["DELETE", "/apis/apps/v1/namespaces/web/deployments", "deletecollection apps deployments  web "],
    ["GET", "/apis/apps/v1", "get apps    "],
    ["GET", "/version", "get     "],
  ])("%s %s is %j", (method, target, description) => {
    expect(describeTarget(method, target)).toBe(description);
  });

  it("matches if all given values are equal", () => {
    const request = describeRequest("GET", new URL("http://server/api/v1/configmaps"));
    expect(matchesRequest({}, request)).toBe(true);
    expect(matchesRequest({ verb: "list", resource: "configmaps" }, request)).toBe(true);
    expect(matchesRequest({ verb: "list", resource: "secrets" }, request)).toBe(false);
  });
});
