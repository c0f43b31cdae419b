import { describe, expect, it } from "vitest";

import { ruleAllows, type PolicyRule } from "../../src/authorization/rbac-authorizer.ts";
import type { RequestInfo } from "../../src/request/request-context.ts";

function resourceRequest(verb: string, resource: string, more: Partial<RequestInfo> = {}): RequestInfo {
  const [name = "", subresource = ""] = resource.split("/");
  const about = { group: "apps", version: "v1", namespace: "n", resource: name, subresource, name: "web" };
  return { isResourceRequest: true, path: "", verb, ...about, ...more };
}

function pathRequest(verb: string, path: string): RequestInfo {
  const none = { group: "", version: "", namespace: "", resource: "", subresource: "", name: "" };
  return { isResourceRequest: false, verb, path, ...none };
}

function resourceRule(resources: readonly string[], more: Partial<PolicyRule> = {}): PolicyRule {
  return { apiGroups: ["apps"], resources, verbs: ["get"], ...more };
}

describe("ruleAllows", () => {
  it.each<readonly [string, PolicyRule, RequestInfo, boolean]>([
    ["the resource it names", resourceRule(["deployments"]), resourceRequest("get", "deployments"), true],
    ["no other verb", resourceRule(["deployments"]), resourceRequest("list", "deployments"), false],
    ["every verb by *", resourceRule(["deployments"], { verbs: ["*"] }), resourceRequest("bind", "deployments"), true],
    ["no other group", resourceRule(["pods"]), resourceRequest("get", "pods", { group: "" }), false],
    [
      "every group by *",
      resourceRule(["pods"], { apiGroups: ["*"] }),
      resourceRequest("get", "pods", { group: "" }),
      true,
    ],
    [
      "no subresource by the resource",
      resourceRule(["deployments"]),
      resourceRequest("get", "deployments/status"),
      false,
    ],
    [
      "a subresource it names",
      resourceRule(["deployments/status"]),
      resourceRequest("get", "deployments/status"),
      true,
    ],
    [
      "not the resource by its subresource",
      resourceRule(["deployments/status"]),
      resourceRequest("get", "deployments"),
      false,
    ],
    ["subresources by *", resourceRule(["*"]), resourceRequest("get", "deployments/status"), true],
    ["one subresource of all by */", resourceRule(["*/scale"]), resourceRequest("get", "deployments/scale"), true],
    ["no other subresource by */", resourceRule(["*/scale"]), resourceRequest("get", "deployments/status"), false],
    ["no resource by */", resourceRule(["*/scale"]), resourceRequest("get", "deployments"), false],
    [
      "a name it lists",
      resourceRule(["deployments"], { resourceNames: ["web"] }),
      resourceRequest("get", "deployments"),
      true,
    ],
    [
      "no other name",
      resourceRule(["deployments"], { resourceNames: ["db"] }),
      resourceRequest("get", "deployments"),
      false,
    ],
    [
      "nothing without a name where it lists names",
      resourceRule(["deployments"], { resourceNames: ["web"] }),
      resourceRequest("get", "deployments", { name: "" }),
      false,
    ],
    [
      "every name by an empty list",
      resourceRule(["deployments"], { resourceNames: [] }),
      resourceRequest("get", "deployments"),
      true,
    ],
    ["no path by resources", resourceRule(["*"], { apiGroups: ["*"] }), pathRequest("get", "/metrics"), false],
    ["the path it names", { verbs: ["get"], nonResourceURLs: ["/metrics"] }, pathRequest("get", "/metrics"), true],
    ["no path below it", { verbs: ["get"], nonResourceURLs: ["/logs"] }, pathRequest("get", "/logs/x"), false],
    ["paths by their beginning", { verbs: ["get"], nonResourceURLs: ["/logs/*"] }, pathRequest("get", "/logs/x"), true],
    ["not the beginning itself", { verbs: ["get"], nonResourceURLs: ["/logs/*"] }, pathRequest("get", "/logs"), false],
    ["every path by *", { verbs: ["*"], nonResourceURLs: ["*"] }, pathRequest("post", "/x"), true],
    ["no resource by paths", { verbs: ["*"], nonResourceURLs: ["*"] }, resourceRequest("get", "deployments"), false],
  ])("allows %s", (_title, rule, request, allowed) => {
    expect(ruleAllows(rule, request)).toBe(allowed);
  });
});
