// cspell:ignore MISING Patern deploymnt replcas zzzzzzzz guestb
import { writeFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { runCli } from "../../../../src/cli/run-cli.ts";
import { CREATE_API, INIT, runCommand, runCommands, STANDARD_REGISTRY } from "../../../support/run-command.ts";
import { temporaryFolder } from "../../../support/temporary-folder.ts";

async function explain(topic: string, root = temporaryFolder()): Promise<string> {
  const { status, stdout, stderr } = await runCommand(root, `explain ${topic}`);
  return status === 0 ? stdout : stderr;
}

describe("explain", () => {
  it("prints the meaning and the fix of an error code", async () => {
    expect(await explain("CLI_MISSING_FLAG")).toBe(
      "CLI_MISSING_FLAG\n\nMeaning:  A required flag is missing.\nFix:      Set the flag; `--help` lists the required flags.\n",
    );
  });

  it("prints the help of a marker, with or without its sign and value", async () => {
    const text = await explain("+kubebuilder:validation:Pattern");
    expect(text).toContain("+kubebuilder:validation:Pattern=<a string>\n");
    expect(text).toContain("Applies to: ");
    expect(await explain("kubebuilder:validation:Pattern=^a$")).toBe(text);
    expect(await explain("+kubebuilder:rbac:groups=apps")).toContain("+kubebuilder:rbac:");
  });

  it("prints fields of the project's kinds from the generated CRDs, by any of their names", async () => {
    const root = temporaryFolder();
    await runCommands(root, INIT, CREATE_API, "manifests");
    for (const name of ["guestbook", "Guestbooks", "GUESTBOOK"]) {
      const text = await explain(`${name}.status.conditions.type`, root);
      expect(text).toContain(
        "Kind:     Guestbook\nVersion:  webapp.demo/v1\nField:    status.conditions.type <string>\n",
      );
      expect(text).toContain("  maxLength: 316");
    }
    expect(await explain("guestbook", root)).toContain("Fields:\n  apiVersion <string>\n");
  });

  it("explains the other kinds and names the file if a CRD is broken", async () => {
    const root = temporaryFolder();
    await runCommands(root, INIT, CREATE_API, "manifests");
    writeFileSync(path.join(root, "config/crd/bases/broken.yaml"), "kind: CustomResourceDefinition\nspec: [\n");
    const own = await runCommand(root, "explain guestbook.spec.foo");
    expect(own).toMatchObject({ status: 0, stdout: expect.stringContaining("Field:    spec.foo <string>") });
    expect(own.stderr).toContain("warning: cannot explain kinds of this file: config/crd/bases/broken.yaml:");
    expect(await runCommand(root, "explain deployment.spec")).toMatchObject({ status: 0 });
    const missing = await runCommand(root, "explain broken");
    expect(missing.status).toBe(1);
    expect(missing.stderr).toContain("config/crd/bases/broken.yaml:");
    expect(await runCommand(root, "explain CLI_MISSING_FLAG")).toMatchObject({ status: 0, stderr: "" });
  });

  it("prints fields of built-in kinds, through references, lists, and maps", async () => {
    expect(await explain("deployment.spec")).toMatch(
      /Field: {4}spec <object>\n[\s\S]*\n {2}selector <object> required\n/u,
    );
    expect(await explain("po.spec.containers.resources.limits")).toContain("resources.limits <map[string]");
    expect(await explain("svc.spec.ports.targetPort")).toContain("<integer or string>");
  });

  it.each([
    ["CLI_MISING_FLAG", "did you mean `scaffold explain CLI_MISSING_FLAG`?"],
    ["+kubebuilder:validation:Patern", "did you mean `scaffold explain +kubebuilder:validation:Pattern`?"],
    ["deploymnt.spec", "did you mean `scaffold explain deployment.spec`?"],
    ["deployment.spec.replcas", "did you mean `scaffold explain deployment.spec.replicas`?"],
    ["zzzzzzzz", "kinds of the project need their CRDs"],
  ])("suggests a topic for %s", async (topic, hint) => {
    const text = await explain(topic);
    expect(text).toContain("[CLI_UNKNOWN_TOPIC]");
    expect(text).toContain(hint);
  });

  it("explains the same topics in a subfolder of a project", async () => {
    const root = temporaryFolder();
    await runCommands(root, INIT, CREATE_API, "manifests");
    for (const topic of ["guestbook.spec", "deployment.spec", "CLI_MISSING_FLAG", "+kubebuilder:validation:Pattern"]) {
      expect(await explain(topic, path.join(root, "internal/controller"))).toBe(await explain(topic, root));
    }
  });

  it("does not take members of JavaScript objects for fields", async () => {
    for (const name of ["constructor", "toString", "__proto__"]) {
      expect(await explain(`deployment.${name}`)).toContain("[CLI_UNKNOWN_TOPIC]");
    }
  });

  it("is completed with codes, markers, kinds, and fields", async () => {
    const root = temporaryFolder();
    await runCommands(root, INIT, CREATE_API, "manifests");
    const complete = async (word: string): Promise<readonly string[]> =>
      (await runCommand(root, `__complete explain ${word}`)).stdout.split("\n").filter((line) => line !== "");
    expect(await complete("PROJECT_NOT")).toEqual(["PROJECT_NOT_FOUND"]);
    expect(await complete("+kubebuilder:validation:Pat")).toEqual(["+kubebuilder:validation:Pattern"]);
    expect(await complete("guestb")).toEqual(["guestbook"]);
    expect(await complete("guestbook.st")).toEqual(["guestbook.status"]);
    expect(await complete("deployment.spec.template.spec.containers.imageP")).toEqual([
      "deployment.spec.template.spec.containers.imagePullPolicy",
    ]);
    expect(await complete("deployment.constructor.na")).toEqual([]);
  });

  it("prints JSON with `--output json`", async () => {
    const json = async (topic: string): Promise<unknown> =>
      JSON.parse((await runCommand(temporaryFolder(), `explain ${topic} --output json`)).stdout);
    expect(await json("CLI_MISSING_FLAG")).toEqual({
      topic: "CLI_MISSING_FLAG",
      kind: "error",
      code: "CLI_MISSING_FLAG",
      meaning: "A required flag is missing",
      fix: "Set the flag; `--help` lists the required flags",
    });
    expect(await json("+kubebuilder:validation:Pattern=^a$")).toMatchObject({
      kind: "marker",
      definitions: [
        { name: "kubebuilder:validation:Pattern", target: "type", fields: [{ type: "string", optional: false }] },
        { name: "kubebuilder:validation:Pattern", target: "field" },
      ],
    });
    expect(await json("deployment.spec.selector")).toMatchObject({
      kind: "field",
      name: "Deployment",
      version: "apps/v1",
      path: ["spec", "selector"],
      type: "object",
      fields: [{ name: "matchExpressions", required: false }, { name: "matchLabels" }],
    });
    expect(await json("svc.spec.ports.port")).toMatchObject({
      type: "integer",
      rules: { format: "int32" },
      fields: [],
    });
    expect(await json("deploymnt.spec")).toMatchObject({ error: { code: "CLI_UNKNOWN_TOPIC" } });
  });

  it("names the kind or field that does not have a field", async () => {
    expect(await explain("pod.spec.constructor")).toContain(
      'error: cannot explain "pod.spec.constructor": pod.spec has no field "constructor" [CLI_UNKNOWN_TOPIC]\nhint: run `scaffold explain pod.spec` for its fields\n',
    );
    expect(await explain("pod.specs")).toContain("hint: did you mean `scaffold explain pod.spec`?\n");
  });

  it("needs exactly one topic", async () => {
    expect(await explain("a b")).toContain("[CLI_INVALID_FLAG]");
  });
});

describe("an error", () => {
  it.each([
    [true, [], true],
    [false, [], false],
    [true, ["--output", "json"], false],
  ])("names where to read on (interactive %s, flags %j): %s", async (isInteractive, flags, expected) => {
    let printed = "";
    const write = (text: string): string => (printed += text);
    const root = temporaryFolder();
    const program = {
      name: "scaffold",
      version: "0.1.0",
      calledAs: "npx scaffold",
      packageRoot: root,
      registry: async () => STANDARD_REGISTRY,
    };
    const terminal = { isInteractive, writeOut: write, writeError: write };
    const status = await runCli({ args: ["manifests", ...flags], cwd: root, terminal, program });
    expect([status, printed.includes("PROJECT_NOT_FOUND")]).toEqual([1, true]);
    expect(printed.endsWith("more: `npx scaffold explain PROJECT_NOT_FOUND`\n")).toBe(expected);
  });
});
