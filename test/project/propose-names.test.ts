import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { isGroup, PROJECT_NAME_LENGTH } from "../../src/project/name-rules.ts";
import {
  validateControllerName,
  validateDomain,
  validateGroup,
  validateOwnKind,
  validatePlural,
  validateProjectName,
  validateRepo,
  validateVersion,
  validateWebhookPath,
} from "../../src/project/validate-names.ts";

const DOMAINS = [
  "demo",
  "my.domain",
  "",
  "a".repeat(63),
  `${"a".repeat(62)}.`.repeat(3) + "a".repeat(63),
  "Bad_Domain",
];

const CHECKS: Readonly<Record<string, (typed: string) => void>> = {
  "a project name": validateProjectName,
  "a domain": validateDomain,
  "a version": validateVersion,
  "a kind": validateOwnKind,
  "a plural": validatePlural,
  "a controller name": validateControllerName,
  "a repo": validateRepo,
  "the path of a webhook": validateWebhookPath,
};

const NEAR_NAMES = fc.oneof(
  fc.string({ unit: fc.constantFrom(..."abzAZ019-_./ :é".split("")), maxLength: 80 }),
  fc.string({ unit: "binary", maxLength: 30 }),
  fc.constantFrom("Condition", "Schema", "constructor", "K".repeat(59), "v0", "v1alpha", "https://example.com/x"),
);

describe("values that hints propose", () => {
  it.each(Object.entries(CHECKS))("%s is accepted", (_, check) => {
    fc.assert(
      fc.property(NEAR_NAMES, (typed) => {
        const hint = hintOf(() => check(typed));
        if (hint === undefined) return;
        expect(hintOf(() => check(proposed(hint)))).toBeUndefined();
      }),
      { numRuns: 2000 },
    );
  });

  it("a group is accepted, and where the domain takes none the hint says so", () => {
    fc.assert(
      fc.property(NEAR_NAMES, fc.constantFrom(...DOMAINS), (typed, domain) => {
        const hint = hintOf(() => validateGroup(typed, domain));
        if (hint === undefined || (typed === "" && domain === "")) return;
        const blamesDomain = hint.startsWith("correct `domain` in PROJECT");
        expect([hint, isGroup(blamesDomain ? "g-1" : proposed(hint), domain)]).toEqual([hint, !blamesDomain]);
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    [validateOwnKind, "bad kind", "BadKind"],
    [validateOwnKind, "guest-book", "GuestBook"],
    [validateOwnKind, "Café", "Cafe"],
    [validateOwnKind, "2nd", "Nd"],
    [validateOwnKind, "日本", "Guestbook"],
    [validateOwnKind, "Condition", "GuestbookCondition"],
    [validateOwnKind, "condition", "GuestbookCondition"],
    [validateVersion, "1", "v1"],
    [validateVersion, "V1Beta2", "v1beta2"],
    [validateVersion, "v1alpha", "v1alpha1"],
    [validateVersion, "1.2.0", "v1"],
    [validateVersion, "latest", "v1"],
    [validatePlural, "Guest_Books", "guest-books"],
    [validateControllerName, "Captain.Backup", "captain-backup"],
    [validateDomain, "https://Example.com/x", "example.com"],
    [validateProjectName, "My Project_", "my-project"],
    [validateProjectName, "a".repeat(40), "a".repeat(PROJECT_NAME_LENGTH)],
    [validateWebhookPath, "Mutate Pods", "/mutate-pods"],
    [(typed: string): void => validateGroup(typed, "demo"), "Web_App", "web-app"],
  ])("%s: %s becomes %s", (check, typed, value) => {
    expect(proposed(hintOf(() => check(typed)) ?? "")).toBe(value);
  });
});

function hintOf(check: () => void): string | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    return (error as { readonly hint: string }).hint;
  }
}

function proposed(hint: string): string {
  const value = /such as (?<value>\S+)$/u.exec(hint)?.groups?.["value"];
  if (value === undefined) throw new Error(`no value is proposed: ${hint}`);
  return value;
}
