import { describe, expect, it } from "vitest";

import { CHECK_CODES } from "../../src/checks/check-codes.ts";
import type { Diagnostic } from "../../src/diagnostics/diagnostic.ts";
import { runGenerators, type GenerateResult } from "../../src/run/run-generators.ts";
import { goldenCases } from "../support/golden-cases.ts";
import { memoryHost } from "../support/memory-host.ts";
import { CHECK_CASES, marked, SOUND_CASES, sourceFile, widget } from "./check-cases.ts";

describe("a CRD with something wrong", () => {
  it.each(CHECK_CASES)("$name is $code at its place, with a hint", async ({ source, options, code, severity, at }) => {
    const { diagnostics } = await check(source, options);
    expect(diagnostics.map((each) => [each.severity, each.code, textAt(each)])).toEqual([[severity, code, at]]);
    expect(diagnostics[0]?.hint ?? "").not.toBe("");
  });

  it.each(CHECK_CASES)("$name is written when its code is relaxed", async ({ source, options, code, severity }) => {
    const { files, diagnostics } = await check(
      source,
      [...(options === undefined ? [] : [options]), `relax=${code}`].join(","),
    );
    expect(files).toHaveLength(1);
    expect(diagnostics.map((each) => [each.severity, each.code])).toEqual(
      severity === "error" ? [["warning", code]] : [],
    );
  });

  it("every code has a case, but those that take several kinds or megabytes", () => {
    const shown = new Set(CHECK_CASES.map((each) => each.code));
    const others = [
      "CRD_TOO_LARGE",
      "CRD_TOO_LARGE_TO_APPLY",
      "CRD_NAME_CONFLICT",
      "CRD_GROUP_PROTECTED",
      "CRD_DEFAULT_MISPLACED",
    ];
    expect(
      CHECK_CODES.map((each) => each.code)
        .filter((code) => !shown.has(code))
        .toSorted(),
    ).toEqual(others.toSorted());
  });
});

describe("a sound CRD", () => {
  it.each(SOUND_CASES)("with %s has no finding", async (_, source) => {
    const { files, diagnostics } = await check(source);
    expect(diagnostics).toEqual([]);
    expect(files).toHaveLength(1);
  });
});

it.each(["9223372036854775807", "-9223372036854775808"])("the bound %s of int64 is a sound default", async (bound) => {
  const { diagnostics } = await check(widget(`  // +kubebuilder:default=${bound}\n  size?: int64;`));
  expect(diagnostics).toEqual([]);
});

it("a default beyond 2^53 that its schema rejects is reported", async () => {
  const markers = "  // +kubebuilder:default=9223372036854775807\n  // +kubebuilder:validation:Maximum=5\n";
  const { diagnostics } = await check(widget(`${markers}  size?: int64;`));
  expect(diagnostics).toMatchObject([
    { code: "CRD_DEFAULT_REJECTED", message: expect.stringContaining("should be less than or equal to 5") as string },
  ]);
});

describe("relaxing", () => {
  const BAD = "  // +kubebuilder:default=5\n  name?: string;";

  it.each([
    ["the property", widget(`  // +kubescaffold:relax=CRD_DEFAULT_REJECTED\n${BAD}`)],
    [
      "the type around it",
      widget(
        "  inner?: Inner;",
        `// +kubescaffold:relax=CRD_DEFAULT_PRUNED;CRD_DEFAULT_REJECTED\nexport interface Inner {\n${BAD}\n}`,
      ),
    ],
    ["the kind", widget(BAD).replace("/** A widget. */", "// +kubescaffold:relax={CRD_DEFAULT_REJECTED}")],
    ["the package", `// +kubescaffold:relax=CRD_DEFAULT_REJECTED\n\n${widget(BAD)}`],
  ])("by a marker at %s makes the error a warning", async (_, source) => {
    const { diagnostics, files } = await check(source);
    expect(diagnostics.map((each) => [each.severity, each.code])).toEqual([["warning", "CRD_DEFAULT_REJECTED"]]);
    expect(files).toHaveLength(1);
  });

  it("elsewhere or of another code changes nothing", async () => {
    const elsewhere = widget(`  // +kubescaffold:relax=CRD_DEFAULT_REJECTED\n  other?: string;\n${BAD}`);
    expect((await check(elsewhere)).diagnostics).toMatchObject([{ severity: "error" }]);
    expect((await check(widget(BAD), "relax=CRD_TOO_LARGE")).diagnostics).toMatchObject([{ severity: "error" }]);
  });

  it("of an unknown code is an error that names the nearest", async () => {
    const hint = "did you mean CRD_TOO_LARGE?";
    expect((await check(widget(BAD), "relax=CRD_TO_LARGE")).diagnostics).toMatchObject([
      { code: "CRD_RELAX_UNKNOWN", file: "", hint },
    ]);
    const { diagnostics } = await check(marked("// +kubescaffold:relax=CRD_TO_LARGE"));
    expect(diagnostics).toMatchObject([{ severity: "error", code: "CRD_RELAX_UNKNOWN", line: 8, hint }]);
  });
});

describe("kinds together", () => {
  it("may not share a name in one group", async () => {
    const source = `${marked("// +kubebuilder:resource:shortName=w")}\n/** +kubebuilder:resource:shortName=w */\nexport interface Gadget extends KubernetesObject {\n  spec?: string;\n}\n`;
    expect((await check(source)).diagnostics).toMatchObject([{ code: "CRD_NAME_CONFLICT", severity: "error" }]);
  });

  it("that share a wrong type have one finding", async () => {
    const source = `${widget("  // +kubebuilder:default=5\n  name?: string;")}\nexport interface Gadget extends KubernetesObject {\n  other: WidgetSpec;\n}\n`;
    expect((await check(source)).diagnostics).toMatchObject([{ code: "CRD_DEFAULT_REJECTED" }]);
  });
});

describe("a rule that may cost too much", () => {
  it("names what has no bounds, with the markers that bound it", async () => {
    const source = widget(
      "  items?: Item[];",
      "// +kubebuilder:validation:XValidation:rule=`self.names.all(x, self.labels.exists(k, k.contains(x)))`\nexport interface Item { names: string[]; labels: Record<string, string> }",
    );
    const [found, ...others] = (await check(source)).diagnostics;
    expect(others).toEqual([]);
    expect(found?.code).toBe("CRD_RULE_COST");
    expect(found?.message).toContain("more than 100 times");
    for (const bound of [
      "spec.items with +kubebuilder:validation:MaxItems",
      "spec.items[].names with +kubebuilder:validation:MaxItems",
      "spec.items[].labels with +kubebuilder:validation:MaxProperties",
      "spec.items[].names[] with +kubebuilder:validation:MaxLength",
    ])
      expect(found?.hint).toContain(bound);
  });

  it("is found among rules that are dear only together", async () => {
    const rule =
      "  // +kubebuilder:validation:XValidation:rule=`self.all(x, x.contains('abc'))`\n  // +kubebuilder:validation:MaxItems=3000\n  // +kubebuilder:validation:items:MaxLength=8000";
    const members = Array.from({ length: 20 }, (_, index) => `${rule}\n  names${index}?: string[];`).join("\n");
    const { diagnostics } = await check(widget(members));
    expect(new Set(diagnostics.map((each) => each.code))).toEqual(new Set(["CRD_RULE_COST"]));
    expect(diagnostics.map((each) => each.message).join()).toContain(
      "the rules of Widget, including this one, may exceed the cost budget",
    );
  });
});

it("a group of Kubernetes needs an approval", async () => {
  const source = sourceFile(marked("")).replace("checks.example.com", "checks.k8s.io");
  const approved = source.replace(
    "\nexport interface Widget ",
    '\n// +kubebuilder:metadata:annotations="api-approved.kubernetes.io=unapproved, testing"\nexport interface Widget ',
  );
  expect((await run(source)).diagnostics).toMatchObject([{ code: "CRD_GROUP_PROTECTED" }]);
  expect((await run(approved)).diagnostics).toEqual([]);
});

it("sources with errors are not checked, since findings would follow from them", async () => {
  expect(
    (await check(widget("  // +kubebuilder:default=5\n  name?: string;\n  size?: number;"))).diagnostics,
  ).toMatchObject([{ code: "GENERATE_BARE_NUMBER" }]);
});

it("no golden case of controller-gen that servers take has an error", async () => {
  const trusted = goldenCases("crd", ["crd"]).filter(
    ({ name }) => name === "guestbook" || name === "kubebuilder-scaffold",
  );
  for (const each of trusted) {
    const { diagnostics } = await runGenerators({
      root: each.input,
      arguments: [...each.arguments, "paths=./...", "output:stdout"],
    });
    expect(diagnostics).toEqual([]);
  }
  expect(trusted).toHaveLength(2);
});

function check(source: string, options = ""): Promise<GenerateResult> {
  return run(sourceFile(source), options);
}

function run(text: string, options = ""): Promise<GenerateResult> {
  const word = options === "" ? "crd" : `crd:${options}`;
  return runGenerators({
    root: "/p",
    arguments: [word, "paths=./..."],
    host: memoryHost({ "/p/v1/widget_types.ts": text }),
  });
}

function textAt({ sourceLine = "", column, length = 1 }: Diagnostic): string {
  return sourceLine.slice(column - 1, column - 1 + length);
}
