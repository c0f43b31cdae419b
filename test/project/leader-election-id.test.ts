import { describe, expect, it } from "vitest";

import { leaderElectionIdOf } from "../../src/project/leader-election-id.ts";

describe("the leader election id", () => {
  // From kubebuilder: its own test, its testdata, and a project it was asked to make.
  it.each([
    ["test", "", "afd071e5"],
    ["sigs.k8s.io/kubebuilder/testdata/project-v4", "testproject.org", "da1d9c86.testproject.org"],
    ["guestbook", "demo", "5727742e.demo"],
  ])("of %s is upstream's", (repo, domain, id) => {
    expect(leaderElectionIdOf({ repo, domain })).toBe(id);
  });
});
