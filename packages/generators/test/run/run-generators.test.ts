import { readFileSync } from "node:fs";

import { describe, expect, it } from "vitest";

import { TOOL_VERSION } from "../../src/output/tool-version.ts";
import { runGenerators, type GenerateResult } from "../../src/run/run-generators.ts";
import { memoryHost } from "../support/memory-host.ts";

const TYPES = `// +groupName=demo.example.com
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
export interface Widget extends KubernetesObject {
  spec: string;
}
`;
const CONTROLLER = `// +kubebuilder:rbac:groups=demo.example.com,resources=widgets,verbs=get
export class Reconciler {}
`;
const WEBHOOK = `// +kubebuilder:webhook:path=/v,mutating=false,failurePolicy=fail,sideEffects=None,groups=a,resources=b,verbs=create,versions=v1,name=v.example.com,admissionReviewVersions=v1
`;
const PROJECT: Readonly<Record<string, string>> = {
  "/project/api/v1/widget_types.ts": TYPES,
  "/project/internal/controller/widget_controller.ts": CONTROLLER,
  "/project/internal/webhook/v1/widget_webhook.ts": WEBHOOK,
  "/project/hack/boilerplate.txt": "# Copyright YEAR Somebody\n",
};

describe("where the output goes", () => {
  it("is a folder for each generator when nothing is said", async () => {
    expect(pathsOf(await run("crd", "rbac:roleName=r", "webhook", "paths=./..."))).toEqual([
      "config/crd/demo.example.com_widgets.yaml",
      "config/rbac/role.yaml",
      "config/webhook/manifests.yaml",
    ]);
  });

  it("follows the rule of the generator before the rule of all", async () => {
    const words = [
      "crd",
      "rbac:roleName=r,fileName=other.yaml",
      "paths=./...",
      "output:dir=out",
      "output:crd:artifacts:config=config/crd/bases",
    ];
    expect(pathsOf(await run(...words))).toEqual(["config/crd/bases/demo.example.com_widgets.yaml", "out/other.yaml"]);
  });

  it("is the terminal with stdout, and nowhere with none", async () => {
    const printed = await run("rbac:roleName=r", "webhook", "paths=./...", "output:stdout", "output:webhook:none");
    expect(printed.files).toEqual([]);
    expect(printed.stdout.startsWith("---\napiVersion: rbac.authorization.k8s.io/v1\n")).toBe(true);
    expect(printed.stdout).not.toContain("Webhook");
  });
});

describe("paths", () => {
  it("name folders, files and lists of both", async () => {
    expect(pathsOf(await run("crd", "paths=./api/v1"))).toHaveLength(1);
    expect(pathsOf(await run("crd", "paths=./api/v1/widget_types.ts"))).toHaveLength(1);
    expect(pathsOf(await run("crd", "rbac:roleName=r", "paths=api/...;internal/..."))).toHaveLength(2);
    expect(pathsOf(await run("crd", "rbac:roleName=r", "paths=./api/...", "paths=./internal/..."))).toHaveLength(2);
  });

  it("are the folder itself when none are given", async () => {
    expect(pathsOf(await run("crd"))).toEqual([]);
  });

  it("omits tests, declarations, node_modules, dist, and dot folders", async () => {
    const copies = [
      "/project/node_modules/x/a.ts",
      "/project/dist/a.ts",
      "/project/.git/a.ts",
      "/project/a.test.ts",
      "/project/a.spec.ts",
      "/project/a.d.ts",
    ];
    const result = await runGenerators({
      root: "/project",
      arguments: ["crd", "paths=./..."],
      host: memoryHost(Object.fromEntries(copies.map((file) => [file, TYPES]))),
    });
    expect(pathsOf(result)).toEqual([]);
  });

  it("that do not exist are an error", async () => {
    expect(codesOf(await run("crd", "paths=./nowhere/..."))).toEqual(["LOADER_PATH_NOT_FOUND"]);
  });
});

describe("a source that cannot be read", () => {
  it("is an error that names it, since leaving it out would lose its kinds", async () => {
    const host = memoryHost({ "/project/api/v1/a.ts": TYPES, "/project/api/v1/b.ts": TYPES });
    const result = await runGenerators({
      root: "/project",
      arguments: ["crd", "paths=./..."],
      host: { ...host, readFile: (file) => (file.endsWith("b.ts") ? undefined : host.readFile(file)) },
    });
    expect(result.files).toEqual([]);
    expect(result.diagnostics).toMatchObject([{ severity: "error", code: "LOADER_UNREADABLE", file: "api/v1/b.ts" }]);
  });
});

describe("headers", () => {
  it("are before the first document, with the year", async () => {
    const result = await run("rbac:roleName=r,headerFile=hack/boilerplate.txt,year=2031", "paths=./...");
    expect(result.files[0]?.content.startsWith("# Copyright 2031 Somebody\n---\n")).toBe(true);
  });

  it("lose the word YEAR when no year is given", async () => {
    const result = await run("crd:headerFile=hack/boilerplate.txt", "paths=./...");
    expect(result.files[0]?.content.startsWith("# Copyright  Somebody\n---\n")).toBe(true);
  });

  it("that cannot be read are an error", async () => {
    expect(codesOf(await run("webhook:headerFile=none.txt", "paths=./..."))).toEqual(["GENERATE_HEADER_FILE"]);
  });
});

describe("wrong arguments", () => {
  it.each([
    [[], ["GENERATE_NO_GENERATOR"]],
    [["paths=./..."], ["GENERATE_NO_GENERATOR"]],
    [["crd", "crd:maxDescLen=0"], ["GENERATE_REPEATED_GENERATOR"]],
    [["crds"], ["GENERATE_UNKNOWN_ARGUMENT"]],
    [["rbac"], ["MARKER_MISSING_ARGUMENT"]],
    [["crd:maxDescLen=x"], ["MARKER_BAD_ARGUMENT"]],
    [["crd:unknown=x"], ["MARKER_UNKNOWN_ARGUMENT"]],
    [["crd", "output:rbac:stdout"], ["GENERATE_OUTPUT_WITHOUT_GENERATOR"]],
    [["crd:crdVersions=v1beta1", "paths=./..."], ["GENERATE_CRD_VERSION"]],
  ])("%j are refused with %j", async (words, codes) => {
    const result = await run(...words);
    expect(codesOf(result)).toEqual(codes);
    expect(result.files).toEqual([]);
    expect(result.diagnostics.every((each) => each.hint !== undefined)).toBe(true);
  });
});

describe("a run", () => {
  it("with an error yields no file of any generator", async () => {
    const result = await runGenerators({
      root: "/project",
      arguments: ["crd", "rbac:roleName=r", "paths=./..."],
      host: memoryHost({
        ...PROJECT,
        "/project/api/v1/more.ts": "// +kubebuilder:rbac:verb=get\nexport const a = 1;\n",
      }),
    });
    expect(codesOf(result)).toEqual(["MARKER_UNKNOWN_ARGUMENT"]);
    expect(result.files).toEqual([]);
    expect(result.diagnostics[0]).toMatchObject({
      file: "api/v1/more.ts",
      line: 1,
      column: 22,
      sourceLine: "// +kubebuilder:rbac:verb=get",
    });
  });

  it("makes the same bytes every time", async () => {
    const words = ["crd", "rbac:roleName=r", "webhook", "paths=./..."];
    expect(await run(...words)).toEqual(await run(...words));
  });

  it("reads sources with Windows line ends and a byte order mark", async () => {
    const windows = memoryHost({ "/project/v1/a.ts": TYPES.replaceAll("\n", "\r\n") });
    const unix = memoryHost({ "/project/v1/a.ts": TYPES });
    const results = await Promise.all(
      [windows, unix].map((host) => runGenerators({ root: "/project", arguments: ["crd", "paths=./..."], host })),
    );
    expect(results[0]).toEqual(results[1]);
    expect(results[0]?.files).toHaveLength(1);
  });
});

it("the version in manifests is that of the package", () => {
  const { version } = JSON.parse(readFileSync(new URL("../../../../package.json", import.meta.url), "utf8")) as {
    version: string;
  };
  expect(TOOL_VERSION).toBe(`v${version}`);
});

function run(...words: readonly string[]): Promise<GenerateResult> {
  return runGenerators({ root: "/project", arguments: words, host: memoryHost(PROJECT) });
}

function pathsOf(result: GenerateResult): readonly string[] {
  expect(result.diagnostics.filter((each) => each.severity === "error")).toEqual([]);
  return result.files.map((file) => file.path);
}

function codesOf(result: GenerateResult): readonly string[] {
  return result.diagnostics.map((each) => each.code);
}
