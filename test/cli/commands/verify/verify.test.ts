import { readFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { readVerifyOptions } from "../../../../src/cli/commands/verify/verify-options.ts";
import { runCommand } from "../../../support/run-command.ts";
import { temporaryFolder } from "../../../support/temporary-folder.ts";

const CRD = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: webs.verify.example.com }
spec:
  group: verify.example.com
  names: { kind: Web, listKind: WebList, plural: webs, singular: web }
  scope: Namespaced
  versions:
    - name: v1
      served: true
      storage: true
      schema: { openAPIV3Schema: { type: object, x-kubernetes-preserve-unknown-fields: true } }
`;
const SAMPLE = "apiVersion: verify.example.com/v1\nkind: Web\nmetadata: { name: web }\n";

function operatorFolder(): string {
  return temporaryFolder({ "crd.yaml": CRD, "sample.yaml": SAMPLE });
}

describe("scaffold verify", () => {
  it.each([
    ["", "no operator to verify: this folder is in no project"],
    ["--command ./manager --crds crd.yaml", "cannot verify --command without --samples"],
    ["--command ./manager --samples sample.yaml", "cannot verify --command without --crds"],
    ["--crds crd.yaml --samples sample.yaml", "cannot use --crds without --command"],
    ["--command ./manager --crds absent --samples sample.yaml", "absent"],
    ["--command ./manager --crds crd.yaml --samples absent", "absent"],
    ["--command ./manager --crds crd.yaml --samples empty.yaml", "no samples"],
    ["--command ./manager --crds crd.yaml --samples sample.yaml --objects absent", "absent"],
    ["--command ./manager --crds crd.yaml --samples sample.yaml --env A-B=1", 'invalid value "A-B=1" for flag --env'],
    ["--command ./manager --crds crd.yaml --samples sample.yaml --replay sample.yaml", "is not a finding"],
    [
      "--command ./manager --crds crd.yaml --samples sample.yaml --update-baseline",
      "--update-baseline without --baseline",
    ],
    ["--command ./manager --crds crd.yaml --samples sample.yaml --baseline sample.yaml", "is not a baseline"],
    ["--command ./manager --crds crd.yaml --samples sample.yaml --baseline absent", "cannot read the baseline"],
    ["--unknown", "unknown flag"],
  ])("exits with 2 for invalid usage: %s", async (flags, message) => {
    const root = temporaryFolder({ "crd.yaml": CRD, "sample.yaml": SAMPLE, "empty.yaml": "" });
    const { status, stderr } = await runCommand(root, `verify ${flags}`.trim());
    expect({ status, stderr }).toEqual({ status: 2, stderr: expect.stringContaining(message) });
  });

  it("exits with 3 when the operator does not start, and prints its last lines", async () => {
    const root = operatorFolder();
    const flags = "--command ./missing-program --crds crd.yaml --samples sample.yaml --report report.md";
    const { status, stdout } = await runCommand(root, `verify ${flags}`);
    expect({ status, stdout }).toEqual({
      status: 3,
      stdout: expect.stringContaining("cannot judge: the operator exits when it starts"),
    });
    expect(stdout).toContain("missing-program");
    expect(readFileSync(path.join(root, "report.md"), "utf8")).toContain("## Missing");
  });

  it("prints an event per line with --output json", async () => {
    const root = operatorFolder();
    const { stdout } = await runCommand(
      root,
      "verify --command ./missing-program --crds crd.yaml --samples sample.yaml --output json",
    );
    const events = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { readonly event: string });
    expect(events.map(({ event }) => event)).toEqual(["reference", "report"]);
    expect(events.at(-1)).toMatchObject({ verdict: "undecided", findings: [], files: [] });
  });

  it("passes on the variables that the user names", () => {
    const flags = { crds: [], samples: [], objects: [], roles: [], ignore: [], env: ["A=1=2,3", "PATH"] };
    const terminal = { isInteractive: false, writeOut: () => undefined, writeError: () => undefined };
    const { env } = readVerifyOptions({ ...NO_FLAGS, ...flags }, { cwd: "/", terminal });
    expect(env).toEqual({ A: "1=2,3", PATH: process.env["PATH"] });
  });
});

const NO_FLAGS = {
  command: undefined,
  ready: undefined,
  time: undefined,
  settle: undefined,
  seed: undefined,
  kubernetes: undefined,
  findings: undefined,
  report: undefined,
  replay: undefined,
  baseline: undefined,
  "update-baseline": undefined,
  output: undefined,
};
