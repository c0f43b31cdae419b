import { describe, expect, it } from "vitest";

import { PROJECT_NAME_LENGTH } from "../../src/project/name-rules.ts";
import { validateDomain, validateKind, validateProjectName, validateRepo } from "../../src/project/validate-names.ts";

describe("names of a project", () => {
  it("a project name may be as long as its longest object name allows", () => {
    expect(PROJECT_NAME_LENGTH).toBe(28);
    validateProjectName("a".repeat(28));
    expect(() => validateProjectName("a".repeat(29))).toThrow(
      expect.objectContaining({
        code: "PROJECT_INVALID_NAME",
        message: expect.stringContaining("-controller-manager-metrics-service"),
        hint: expect.stringContaining("28"),
      }),
    );
  });

  it.each(["My_Project", "1abc", "-a", "a-", "ä", ""])("%s is no project name", (name) => {
    expect(() => validateProjectName(name)).toThrow(/is not a DNS label/u);
  });

  it.each(["Bad_Domain", "a..b", "-a", "a b", ""])("%s is no domain", (domain) => {
    expect(() => validateDomain(domain)).toThrow(
      expect.objectContaining({ code: "PROJECT_INVALID_NAME", hint: expect.stringContaining("--domain") }),
    );
  });

  it.each(["my.domain", "demo", "k8s.io"])("%s is a domain", (domain) => {
    expect(() => validateDomain(domain)).not.toThrow();
  });

  it.each(["guestbook", "@acme/guestbook-operator"])("%s is an npm package", (repo) => {
    expect(() => validateRepo(repo)).not.toThrow();
  });

  it.each(["Guestbook", "a/b/c", ".hidden"])("%s is no npm package", (repo) => {
    expect(() => validateRepo(repo)).toThrow("it is not an npm package name");
  });

  it.each([
    ["github.com/Acme/guestbook", "@acme/guestbook"],
    ["Guestbook", "guestbook"],
    ["Ümlaut & Co.", "umlaut-co"],
    ["///", "guestbook-operator"],
  ])("%s leads to %s", (repo, name) => {
    expect(() => validateRepo(repo)).toThrow(
      expect.objectContaining({ hint: `pass --repo with a name such as ${name}` }),
    );
  });

  it("a kind may be as long as servers let the kind of its lists be", () => {
    validateKind(`K${"i".repeat(58)}`);
    expect(() => validateKind(`K${"i".repeat(59)}`)).toThrow(
      expect.objectContaining({
        code: "PROJECT_INVALID_NAME",
        message: expect.stringContaining("List"),
        hint: expect.stringContaining("at most 59"),
      }),
    );
  });
});
