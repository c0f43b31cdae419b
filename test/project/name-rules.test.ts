import { describe, expect, it } from "vitest";

import {
  isDomain,
  isGroup,
  isKind,
  isLabel,
  isProjectName,
  isRepo,
  isVersion,
  isWebhookPath,
  KIND_LENGTH,
  PROJECT_NAME_LENGTH,
} from "../../src/project/name-rules.ts";

describe("the rules of names", () => {
  it.each([
    ["a label", isLabel, ["a", "a-1", "a".repeat(63)], ["", "1a", "a-", "A", "a".repeat(64)]],
    ["a project name", isProjectName, ["a".repeat(28)], ["a".repeat(29), "a.b"]],
    ["a domain", isDomain, ["demo", "1.a-b.c"], ["", "a..b", ".a", "a_b", `${"a.".repeat(126)}aa`]],
    ["a version", isVersion, ["v1", "v10beta2"], ["v0", "v1alpha", "1", "V1", "v1alpha0"]],
    ["a kind", isKind, ["A", "HTTPRoute2", `K${"i".repeat(58)}`], ["a", "A-b", "2A", "É", `K${"i".repeat(59)}`]],
    ["a repo", isRepo, ["guestbook", "@acme/guest.book_2"], ["Guestbook", "a/b", "@a/b/c", ".a", "a".repeat(215)]],
    ["the path of a webhook", isWebhookPath, ["/a", "/a-1/b"], ["", "/", "a", "/a/", "/A", "/a.b", "/-a"]],
  ])("tell what is %s", (_, rule, accepted, refused) => {
    expect(accepted.filter((each) => !rule(each))).toEqual([]);
    expect(refused.filter((each) => rule(each))).toEqual([]);
  });

  it("hold a group together with its domain", () => {
    expect([isGroup("", "demo"), isGroup("a", ""), isGroup("a.b", "demo")]).toEqual([true, true, true]);
    expect([isGroup("", ""), isGroup("-a", "demo"), isGroup("A", "demo"), isGroup("a", "D")]).toEqual([
      false,
      false,
      false,
      false,
    ]);
  });

  it("leave room for what is derived from a name", () => {
    expect([PROJECT_NAME_LENGTH, KIND_LENGTH]).toEqual([28, 59]);
  });
});
