import { describe, expect, it } from "vitest";

import { newForbidden } from "../src/new-status-error.ts";
import { StatusError } from "../src/status-error.ts";

function hintFor(message: string, code = 403): string | undefined {
  return new StatusError({ kind: "Status", apiVersion: "v1", metadata: {}, status: "Failure", code, message }).hint;
}

describe("the hint of a forbidden request", () => {
  it.each([
    [
      'cannot list resource "pods" in API group "" at the cluster scope',
      'groups="",resources=pods,verbs=get;list;watch',
    ],
    [
      'cannot watch resource "jobs" in API group "batch" in the namespace "a"',
      "groups=batch,resources=jobs,verbs=get;list;watch",
    ],
    [
      'cannot update resource "guestbooks/status" in API group "webapp.demo" in the namespace "default"',
      "groups=webapp.demo,resources=guestbooks/status,verbs=update",
    ],
    ['cannot get path "/metrics"', "urls=/metrics,verbs=get"],
  ])("is the marker that permits it: %s", (denied, marker) => {
    expect(hintFor(`x is forbidden: User "system:serviceaccount:a:b" ${denied}: RBAC: not found`)).toBe(
      `in an operator, add \`+kubebuilder:rbac:${marker}\` to its sources and regenerate the manifests`,
    );
  });

  it("does not exist for other failures", () => {
    expect(newForbidden({ group: "", resource: "pods" }, "a", "exceeded quota: q").hint).toBeUndefined();
    expect(hintFor('User "a" cannot list resource "pods" in API group "" at the cluster scope', 409)).toBeUndefined();
    expect(hintFor('User "a" cannot list resource "pods\n`rm`" in API group "" at the cluster scope')).toBeUndefined();
  });
});
