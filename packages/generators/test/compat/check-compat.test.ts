import { describe, expect, it } from "vitest";

import type { RevisionReader } from "../../src/contract/generator.ts";
import type { Diagnostic } from "../../src/diagnostics/diagnostic.ts";
import { runGenerators, type GenerateResult } from "../../src/run/run-generators.ts";
import { marked, sourceFile, widget } from "../checks/check-cases.ts";
import { memoryHost } from "../support/memory-host.ts";

const NAMED = widget("  size?: int32;\n  // +kubebuilder:validation:MaxLength=5\n  name?: string;");

describe("crd:compat with a folder", () => {
  it("says nothing of CRDs that are the same or allow more", async () => {
    const former = await crdsOf(NAMED);
    expect((await compare(NAMED, former)).diagnostics).toEqual([]);
    expect(
      (await compare(widget("  size?: int64;\n  name?: string;\n  more?: string[];"), former)).diagnostics,
    ).toEqual([]);
  });

  it("shows what breaks at the marker, the property or the type where it stands now, and makes nothing", async () => {
    const former = await crdsOf(
      widget("  size?: int32;\n  color?: 'red' | 'green';\n  gone?: string;\n  name?: string;"),
    );
    const result = await compare(
      widget(
        "  size: int32;\n  // +kubebuilder:validation:Enum=red\n  color?: string;\n  // +kubebuilder:validation:MaxLength=5\n  name?: string;",
      ),
      former,
    );
    expect(result.diagnostics.map((each) => [each.severity, each.code, textAt(each)])).toEqual(
      [
        ["error", "COMPAT_FIELD_REMOVED", "spec"],
        ["error", "COMPAT_REQUIRED_ADDED", "size"],
        ["error", "COMPAT_ENUM_NARROWED", "red"],
        ["error", "COMPAT_VALIDATION_TIGHTENED", "5"],
      ].toSorted(byPlace(result)),
    );
    expect(result.files).toEqual([]);
    expect(
      result.diagnostics.every(
        (each) => each.hint !== undefined && each.message.startsWith("widgets.checks.example.com v1: "),
      ),
    ).toBe(true);
  });

  it("reports a bound of a shared type once, with the number of places, and removed fields one by one", async () => {
    const members = Array.from(
      { length: 40 },
      (_, index) => `  a${String(index)}?: Name;\n  b${String(index)}?: Name[];`,
    );
    const types = (bound: string): string => `/** A name.${bound} */\nexport type Name = string;`;
    const former = await crdsOf(widget(["  c?: string;\n  d?: string;", ...members].join("\n"), types("")));
    const { diagnostics } = await compare(
      widget(members.join("\n"), types("\n * +kubebuilder:validation:MaxLength=5\n")),
      former,
    );
    expect(diagnostics.map(({ code, message }) => [code, /and the same in .*$/u.exec(message)?.[0]])).toEqual([
      ["COMPAT_VALIDATION_TIGHTENED", "and the same in 79 more places"],
      ["COMPAT_FIELD_REMOVED", undefined],
      ["COMPAT_FIELD_REMOVED", undefined],
    ]);
  });

  it("finds changes of items and of markers above the kind", async () => {
    const former = await crdsOf(
      marked("// +kubebuilder:resource:scope=Cluster,shortName=w", "  ports?: { port: int32; name?: string }[];"),
    );
    const { diagnostics } = await compare(
      marked("// +kubebuilder:resource:shortName=w", "  ports?: { port: int32 }[];"),
      former,
    );
    expect(diagnostics.map((each) => each.code).toSorted()).toEqual(["COMPAT_FIELD_REMOVED", "COMPAT_SCOPE_CHANGED"]);
  });

  it("reads what controller-gen wrote, with its own annotation and texts", async () => {
    const former = (await crdsOf(NAMED))
      .replace("kubescaffold.dev/version: ", "controller-gen.kubebuilder.io/version: ")
      .replace("description: A widget.", "description: Another text.");
    expect((await compare(NAMED.replace("  name?", "  nom?"), former)).diagnostics).toMatchObject([
      { code: "COMPAT_FIELD_REMOVED", hint: expect.stringContaining("renamed to nom") },
    ]);
  });

  it("misses kinds that are gone, but not those of other groups", async () => {
    const former = `${await crdsOf(`${NAMED}\nexport interface Gadget extends KubernetesObject { spec?: string }`)}${(await crdsOf(NAMED)).replaceAll("checks.example.com", "other.example.com")}`;
    const { diagnostics } = await compare(NAMED, former);
    expect(diagnostics).toMatchObject([
      { code: "COMPAT_CRD_REMOVED", file: "", message: expect.stringContaining("gadgets.checks.example.com") },
    ]);
  });

  it("can be relaxed by code, by the option and at the place", async () => {
    const former = await crdsOf(widget("  name?: string;"));
    const byOption = await compare(NAMED, former, ",relax=COMPAT_VALIDATION_TIGHTENED");
    expect(byOption.diagnostics).toMatchObject([{ severity: "warning", code: "COMPAT_VALIDATION_TIGHTENED" }]);
    expect(byOption.files).toHaveLength(1);
    const byMarker = await compare(
      NAMED.replace("  // +kubebuilder", "  // +kubescaffold:relax=COMPAT_VALIDATION_TIGHTENED\n  // +kubebuilder"),
      former,
    );
    expect(byMarker.diagnostics).toMatchObject([{ severity: "warning" }]);
  });

  it.each([
    ["no/such/place", "COMPAT_FORMER_MISSING"],
    ["empty", "COMPAT_FORMER_EMPTY"],
    ["broken", "COMPAT_FORMER_UNREADABLE"],
  ])("%s is its own error", async (place, code) => {
    const host = { "/p/empty/readme.yaml": "kind: ConfigMap\n", "/p/broken/a.yaml": "a: [\n" };
    expect((await run(NAMED, `compat=${place}`, host)).diagnostics).toMatchObject([
      { severity: "error", code, file: "" },
    ]);
  });
});

describe("crd:compat with a commit", () => {
  const revisions = (text: string, asked: string[] = []): RevisionReader => ({
    readFolder: async (revision, folder) => {
      asked.push(`${revision} ${folder}`);
      return revision === "v1"
        ? {
            kind: "files",
            files: [
              { name: "a.yaml", text },
              { name: "readme.md", text: "# No" },
            ],
          }
        : { kind: "missing", reason: "git knows no such commit" };
    },
  });

  it("compares with the output folder at that commit, or with the folder that is named", async () => {
    const asked: string[] = [];
    const former = await crdsOf(widget("  name?: string;\n  gone?: string;"));
    const words = ["crd:compat=v1", "paths=./...", "output:crd:artifacts:config=config/crd/bases"];
    const result = await runGenerators({
      root: "/p",
      arguments: words,
      host: hostOf(widget("  name?: string;")),
      revisions: revisions(former, asked),
    });
    expect(result.diagnostics).toMatchObject([{ code: "COMPAT_FIELD_REMOVED" }]);
    await runGenerators({
      root: "/p",
      arguments: ["crd:compat=v1:old/crds", "paths=./..."],
      host: hostOf(NAMED),
      revisions: revisions(former, asked),
    });
    expect(asked).toEqual(["v1 config/crd/bases", "v1 old/crds"]);
  });

  it("says why when there is none", async () => {
    const reader = revisions("");
    const missing = await runGenerators({
      root: "/p",
      arguments: ["crd:compat=v2", "paths=./..."],
      host: hostOf(NAMED),
      revisions: reader,
    });
    expect(missing.diagnostics).toMatchObject([
      { code: "COMPAT_FORMER_MISSING", message: expect.stringContaining("git knows no such commit") },
    ]);
    const printed = await runGenerators({
      root: "/p",
      arguments: ["crd:compat=v1", "paths=./...", "output:stdout"],
      host: hostOf(NAMED),
      revisions: reader,
    });
    expect(printed.diagnostics).toMatchObject([{ code: "COMPAT_NO_FOLDER" }]);
  });

  it("is never remembered, since a name may be for another commit later", async () => {
    const former = await crdsOf(NAMED);
    const result = await runGenerators({
      root: "/p",
      arguments: ["crd:compat=v1", "paths=./..."],
      host: hostOf(NAMED),
      revisions: revisions(former),
    });
    expect(result).toMatchObject({ diagnostics: [], dependsOnMore: true });
  });
});

async function crdsOf(source: string): Promise<string> {
  const { stdout, diagnostics } = await run(source, "", {}, ["output:stdout"]);
  expect(diagnostics).toEqual([]);
  return stdout;
}

function compare(source: string, former: string, more = ""): Promise<GenerateResult> {
  return run(source, `compat=former${more}`, { "/p/former/crds.yaml": former });
}

function run(
  source: string,
  options: string,
  others: Readonly<Record<string, string>>,
  words: readonly string[] = [],
): Promise<GenerateResult> {
  const word = options === "" ? "crd" : `crd:${options}`;
  return runGenerators({ root: "/p", arguments: [word, "paths=./v1", ...words], host: hostOf(source, others) });
}

function hostOf(source: string, others: Readonly<Record<string, string>> = {}): ReturnType<typeof memoryHost> {
  return memoryHost({ "/p/v1/widget_types.ts": sourceFile(source), ...others });
}

function textAt({ sourceLine = "", column, length = 1 }: Diagnostic): string {
  return sourceLine.slice(column - 1, column - 1 + length);
}

// Diagnostics come in the order of their places.
function byPlace({ diagnostics }: GenerateResult): (left: readonly string[], right: readonly string[]) => number {
  const codes: readonly string[] = diagnostics.map((each) => each.code);
  return (left, right) => codes.indexOf(left[1] ?? "") - codes.indexOf(right[1] ?? "");
}
