import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import {
  type Finding,
  readFinding,
  removeFindings,
  renderMarkdown,
  type Schedule,
  writeFinding,
} from "@kubescaffold/envtest/verify";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

const FINDING: Finding = {
  id: 1,
  description: "after a crash after write 2, create configmaps default/web",
  violations: [
    {
      oracle: "end-state",
      step: "create the samples",
      object: "configmaps default/web",
      message: "configmaps default/web differs in data.a|b",
      differences: [{ object: "configmaps default/web", path: "data.a|b", expected: "1", actual: { x: 2 } }],
    },
  ],
  confirmed: { seen: 3, runs: 3 },
  schedule: {
    changes: [],
    steps: [{ kind: "create" }, { kind: "delete" }],
    perturbation: { kind: "crash", write: "create configmaps default/web 0d5a17c2b9ee", occurrence: 1, number: 2 },
  },
  output: ["last line"],
};

let folder = "";

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "findings-"));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("files of findings", () => {
  it("have the schedule for a replay", async () => {
    const file = await writeFinding(path.join(folder, "new"), FINDING);
    expect(path.basename(file)).toBe("1.json");
    expect(await readFinding(file)).toEqual({ schedule: FINDING.schedule });
  });

  it.each<Schedule>([
    {
      changes: [],
      steps: [{ kind: "create" }],
      perturbation: { kind: "late-events", group: "apps", resource: "deployments" },
    },
    {
      changes: [],
      steps: [{ kind: "create" }],
      perturbation: { kind: "deletion", write: "create configmaps default/web", occurrence: 1, number: 2 },
    },
    {
      changes: [],
      steps: [
        { kind: "create" },
        { kind: "unobserved-recreation" },
        { kind: "unobserved-change", change: { sample: 0, path: ["spec", "title"], value: "b" } },
      ],
    },
  ])("keep each kind of step and fault: %j", async (schedule) => {
    const file = await writeFinding(folder, { ...FINDING, schedule });
    expect(await readFinding(file)).toEqual({ schedule });
  });

  it("are removed before the next run, and no other files", async () => {
    const file = await writeFinding(folder, FINDING);
    writeFileSync(path.join(folder, "2.json"), "{}");
    await removeFindings(folder);
    expect(existsSync(file)).toBe(false);
    expect(existsSync(path.join(folder, "2.json"))).toBe(true);
    await removeFindings(path.join(folder, "absent"));
  });

  it.each([
    ["no JSON", "{"],
    ["another format", JSON.stringify({ schedule: FINDING.schedule })],
    [
      "another step",
      JSON.stringify({ format: "kubescaffold.dev/finding/v1", schedule: { changes: [], steps: [{ kind: "x" }] } }),
    ],
    [
      "an unobserved change of no field",
      JSON.stringify({
        format: "kubescaffold.dev/finding/v1",
        schedule: { changes: [], steps: [{ kind: "unobserved-change" }] },
      }),
    ],
    [
      "another fault",
      JSON.stringify({
        format: "kubescaffold.dev/finding/v1",
        schedule: { changes: [], steps: [], perturbation: { kind: "x", write: "", occurrence: 1 } },
      }),
    ],
  ])("are refused with %s", async (_name, text) => {
    const file = path.join(folder, "1.json");
    writeFileSync(file, text);
    await expect(readFinding(file)).rejects.toMatchObject({ code: "ENVTEST_VERIFY_OPTIONS" });
  });
});

describe("renderMarkdown", () => {
  it("lists findings with their fields, what is missing, and what is not compared", () => {
    const text = renderMarkdown({
      verdict: "findings",
      findings: [FINDING],
      missing: [],
      noise: ["secrets default/web data.password"],
      notes: ["a note"],
      schedules: { planned: 9, explored: 4, unreached: 0 },
      durationMs: 12_345,
    });
    expect(text).toBe(
      [
        "# Convergence",
        "",
        "1 finding: 4 of 9 schedules in 12 s.",
        "",
        "## 1. After a crash after write 2, create configmaps default/web",
        "",
        "- **end-state** (create the samples): configmaps default/web differs in data.a|b",
        "",
        "Seen in 3 of 3 runs.",
        "",
        "| Object | Field | Expected | Found |",
        "|---|---|---|---|",
        String.raw`| configmaps default/web | data.a\|b | 1 | {"x":2} |`,
        "",
        "The end of the output:",
        "",
        "    last line",
        "",
        "## Not compared",
        "",
        "- `secrets default/web data.password`",
        "",
        "## Notes",
        "",
        "- a note",
        "",
      ].join("\n"),
    );
  });
});
