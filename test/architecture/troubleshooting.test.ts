import { describe, expect, it } from "vitest";

import { listFiles, readSource } from "./source-files.ts";

const PAGE = "docs/guides/troubleshooting.md";
// Messages of other programs, and one that a source assembles from two parts.
const ELSEWHERE = [
  "cannot set an ownerRef on a resource you can't delete",
  "cannot set blockOwnerDeletion",
  'roles.rbac.authorization.k8s.io "…" is forbidden: … attempting to grant RBAC permissions not currently held',
  "Cannot assign to read only property '…' of object '#<Object>'",
  "cannot …: the cache is not started",
];
const SHORTEST = 4;

const headings = [...readSource(PAGE).matchAll(/^### (?<text>.*)$/gmu)].map(({ groups }) => groups?.["text"] ?? "");
const messages = headings
  .flatMap((heading) => [...heading.matchAll(/`(?<message>[^`]+)`/gu)].map(({ groups }) => groups?.["message"] ?? ""))
  .filter((message) => / /u.test(message) && !ELSEWHERE.includes(message));

const sources = ["src", "packages"]
  .flatMap((folder) => listFiles(folder))
  .filter((file) => /\/src\/.*\.ts$|^src\/.*\.ts$/u.test(file) && !/\/src\/api\//u.test(file))
  .map(readSource);

describe("the page about troubleshooting", () => {
  it("has at least 25 messages and symptoms, each once", () => {
    expect(headings.length).toBeGreaterThanOrEqual(25);
    expect(headings).toEqual([...new Set(headings)]);
  });

  it("quotes messages as a source of the repository prints them", () => {
    expect(messages.length).toBeGreaterThan(25);
    expect(messages.filter((message) => !sources.some((source) => prints(source, message)))).toEqual([]);
  });

  it("has a cause and a fix for each", () => {
    const entries = readSource(PAGE).split(/^### /mu).slice(1);
    expect(entries.filter((entry) => !/^\*\*Cause\*\*: .*\*\*Fix\*\*: /msu.test(entry))).toEqual([]);
  });
});

// An ellipsis stands for a value; what is between two of them must be in the source.
function prints(source: string, message: string): boolean {
  const parts = message.split("…").map((part) => part.replaceAll(/^[\s:;,"]+|[\s:;,"]+$/gu, ""));
  return parts.filter((part) => part.length >= SHORTEST).every((part) => source.includes(part));
}
