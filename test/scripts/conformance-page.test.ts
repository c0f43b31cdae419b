import { readFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

import { describe, expect, it } from "vitest";

import { ROOT } from "../architecture/source-files.ts";

interface Result {
  readonly title: string;
  readonly state: string;
}

interface Page {
  readonly withPageResults: (titles: readonly string[], ran: readonly Result[], page: string) => readonly Result[];
}

const file = path.join(ROOT, "scripts", "conformance", "page.mjs");
const { withPageResults } = (await import(pathToFileURL(file).href)) as Page;

const PAGE = [
  "# Conformance",
  "",
  "## Not passed yet",
  "",
  "- `[sig-a] fails`",
  "",
  "## Not run yet",
  "",
  "- `[sig-a] waits`",
  "",
  "## Need a kernel",
  "",
  "- `[sig-a] needs`",
  "",
  "## Passed",
  "",
  "- `[sig-a] passes`",
  "- `[sig-a] has 'quotes'`",
  "",
].join("\n");

function statesOf(titles: readonly string[], ran: readonly Result[] = [], page = PAGE): readonly string[] {
  return withPageResults(titles, ran, page).map(({ state }) => state);
}

describe("the page of conformance results", () => {
  it("keeps the results of specs that were not run on this machine", () => {
    const titles = ["passes", "fails", "needs", "waits"].map((name) => `[sig-a] ${name} [Conformance]`);
    expect(statesOf(titles)).toEqual(["passed", "failed", "failed", "not run"]);
    expect(statesOf(["[sig-a] has `quotes` [Conformance]"])).toEqual(["passed"]);
  });

  it("prefers the results of this machine", () => {
    const [passes, needs] = ["[sig-a] passes [Conformance]", "[sig-a] needs [Conformance]"];
    const ran = [
      { title: passes, state: "failed" },
      { title: needs, state: "passed" },
    ];
    expect(statesOf([passes, needs], ran)).toEqual(["failed", "passed"]);
  });

  it("has not run a spec that the page does not list", () => {
    expect(statesOf(["[sig-a] is new [Conformance]"])).toEqual(["not run"]);
    expect(statesOf(["[sig-a] passes [Conformance]"], [], "")).toEqual(["not run"]);
  });

  it("reads the committed page", () => {
    const page = readFileSync(path.join(ROOT, "docs/verification/conformance.md"), "utf8");
    const [passed] = /(?<=\n)\d+(?= of \d+ specs pass)/u.exec(page) ?? ["0"];
    const titles = [...page.matchAll(/^- `(?<title>.+)`$/gmu)].map(([, title = ""]) => title);
    expect(statesOf(titles, [], page).filter((state) => state === "passed")).toHaveLength(Number(passed));
  });
});
