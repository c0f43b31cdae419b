import { printYaml } from "@kubescaffold/k8s/yaml";
import type { JsonSchema } from "@kubescaffold/schema";
import { describe, expect, it } from "vitest";

import { diagnoseSamples } from "../../src/doctor/samples.ts";
import { FileTree } from "../../src/machinery/file-tree.ts";
import { CREATE_API, INIT, runCommand, runCommands } from "../support/run-command.ts";
import { temporaryFolder, writeFiles } from "../support/temporary-folder.ts";

const SPEC: JsonSchema = {
  type: "object",
  required: ["size"],
  properties: {
    size: { type: "integer", minimum: 1, default: 1 },
    mode: { type: "string", enum: ["Slow", "Fast"] },
    image: { type: "string" },
    ports: { type: "array", items: { type: "object", properties: { name: { type: "string", maxLength: 3 } } } },
  },
  "x-kubernetes-validations": [{ rule: "!has(self.image) || self.size < 3", message: "images are for few" }],
};

function crd(kind: string, scope = "Namespaced"): string {
  const plural = `${kind.toLowerCase()}s`;
  const schema = {
    openAPIV3Schema: {
      type: "object",
      required: ["spec"],
      properties: {
        apiVersion: { type: "string" },
        kind: { type: "string" },
        metadata: { type: "object" },
        spec: SPEC,
        status: { type: "object", properties: { ready: { type: "boolean" } } },
      },
    },
  };
  return printYaml({
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.webapp.demo` },
    spec: {
      group: "webapp.demo",
      names: { kind, plural },
      scope,
      versions: [
        { name: "v1", served: true, storage: true, schema, subresources: { status: {} } },
        { name: "v1alpha1", served: false, storage: false, schema },
      ],
    },
  });
}

const HEAD = "apiVersion: webapp.demo/v1\nkind: Guestbook\nmetadata:\n  name: sample\n";

function diagnose(sample: string, more: Readonly<Record<string, string>> = {}): ReturnType<typeof diagnoseSamples> {
  const files: Readonly<Record<string, string>> = {
    "config/crd/bases/webapp.demo_guestbooks.yaml": crd("Guestbook"),
    "config/crd/bases/webapp.demo_halls.yaml": crd("Hall", "Cluster"),
    "config/samples/s.yaml": sample,
    "config/samples/kustomization.yaml": "resources:\n- s.yaml\n",
    ...more,
  };
  const listBelow = (folder: string): readonly string[] =>
    Object.keys(files).filter((file) => file.startsWith(`${folder}/`));
  return diagnoseSamples({ tree: new FileTree({ read: (path) => files[path], listBelow }), generated: [] });
}

async function problems(sample: string): Promise<readonly string[]> {
  return (await diagnose(sample)).map(({ severity, line, message }) => `${severity} ${line ?? 0} ${message}`);
}

const REFUSES = "an API server rejects Guestbook sample:";

describe("samples", () => {
  it.each([
    ["that a server takes", `${HEAD}spec:\n  size: 2\n  mode: Fast\n`],
    ["whose fields have defaults", `${HEAD}spec: {}\n`],
    ["with a status, which is written apart", `${HEAD}spec: {}\nstatus:\n  ready: maybe\n`],
    ["that were scaffolded and not written yet", `${HEAD}spec:\n  # TODO(user): Add fields here\n`],
    ["of kinds of others", "apiVersion: apps/v1\nkind: Deployment\nspec:\n  bogus: 1\n"],
    ["of the core group", "apiVersion: v1\nkind: Secret\nbogus: 1\n"],
    ["that are not YAML, which is reported elsewhere", "a: [\n"],
    ["that are no objects", "- a\n---\nx\n"],
  ])("%s are no finding", async (_, sample) => {
    expect(await diagnose(sample)).toEqual([]);
  });

  it.each([
    [
      "an unknown field",
      `${HEAD}spec:\n  size: 2\n  ports:\n  - name: a\n    nmae: b\n`,
      [`error 9 ${REFUSES} unknown field "spec.ports[0].nmae"`],
    ],
    [
      "an unknown field of the metadata",
      `${HEAD}  lables: {}\nspec: {}\n`,
      [`error 5 ${REFUSES} unknown field "metadata.lables"`],
    ],
    ["a missing field", HEAD, [`error 1 ${REFUSES} spec: Required value`]],
    [
      "values that the schema does not allow, all at once",
      `${HEAD}spec:\n  size: 0\n  mode: Odd\n  ports:\n  - name: long\n`,
      [
        expect.stringContaining(`error 6 ${REFUSES} spec.size: Invalid value: 0`),
        expect.stringContaining(`error 7 ${REFUSES} spec.mode: Unsupported value: "Odd"`),
        expect.stringContaining(`error 9 ${REFUSES} spec.ports[0].name: Too long`),
      ],
    ],
    [
      "a value of another type",
      `${HEAD}spec:\n  size: "2"\n`,
      [expect.stringContaining(`error 6 ${REFUSES} spec.size: Invalid value: "string"`)],
    ],
    [
      "a broken rule",
      `${HEAD}spec:\n  size: 3\n  image: x\n`,
      [expect.stringContaining(`error 5 ${REFUSES} spec: Invalid value`)],
    ],
    [
      "a version that is not served",
      `${HEAD.replace("/v1", "/v1alpha1")}spec: {}\n`,
      [`error 1 ${REFUSES} v1alpha1 of Guestbook is not served`],
    ],
    [
      "a version that is none",
      `${HEAD.replace("/v1", "/v2")}spec: {}\n`,
      [`error 1 ${REFUSES} Guestbook has no version v2`],
    ],
    [
      "a kind that is none",
      `${HEAD.replace("Guestbook", "Gustbook")}spec: {}\n`,
      ["error 2 an API server rejects Gustbook sample: config/crd/bases defines no kind Gustbook in webapp.demo"],
    ],
    [
      "a name that is none",
      `${HEAD.replace("sample", "Sample")}spec: {}\n`,
      [expect.stringContaining("error 4 an API server rejects Guestbook Sample: metadata.name: Invalid value")],
    ],
    [
      "a label that is not a string",
      `${HEAD}  labels:\n    a: 1\nspec: {}\n`,
      [expect.stringContaining(`error 3 ${REFUSES}`)],
    ],
    [
      "a second object of the file",
      `${HEAD}spec: {}\n---\n${HEAD}spec:\n  size: 0\n`,
      [expect.stringContaining(`error 12 ${REFUSES} spec.size`)],
    ],
    [
      "what was scaffolded, and the type has no more",
      `${HEAD}spec:\n  # TODO(user): write the fields\n  foo: x\n`,
      [`note 7 ${REFUSES} unknown field "spec.foo"`],
    ],
  ])("with %s are a finding each, with line and field", async (_, sample, expected) => {
    expect(await problems(sample)).toEqual(expected);
  });

  it("of a kind without namespaces have none", async () => {
    const hall = HEAD.replace("Guestbook", "Hall");
    expect(await problems(`${hall}spec: {}\n`)).toEqual([]);
    expect(await problems(`${hall}  namespace: default\nspec: {}\n`)).toEqual([
      expect.stringContaining("error 5 an API server rejects Hall sample: metadata.namespace: Forbidden"),
    ]);
  });

  it.each([
    "spec: 5",
    "",
    "spec: {group: webapp.demo, names: 1, versions: x}",
    "spec: {group: webapp.demo, names: {}, versions: [1]}",
  ])("are held against the other definitions beside a broken one: %s", async (spec) => {
    const broken = `kind: CustomResourceDefinition\n${spec}\n`;
    const found = await diagnose(`${HEAD}spec:\n  size: 0\n`, { "config/crd/bases/broken.yaml": broken });
    expect(found.map(({ line }) => line)).toEqual([6]);
  });

  it("say how to fix them", async () => {
    const [version] = await diagnose(`${HEAD.replace("/v1", "/v2")}spec: {}\n`);
    expect(version?.hint).toBe("change apiVersion to a served version: webapp.demo/v1");
    const [kind] = await diagnose(`${HEAD.replace("Guestbook", "Gustbook")}spec: {}\n`);
    expect(kind?.hint).toContain("one of Guestbook, Hall");
  });
});

describe("doctor", () => {
  it("has nothing to say of a fresh sample, and tells file and line of one that a server rejects", async () => {
    const root = temporaryFolder();
    await runCommands(root, INIT, CREATE_API, "manifests", "generate");
    expect((await runCommand(root, "doctor")).stdout).not.toContain("samples");
    writeFiles(root, {
      "config/samples/mine.yaml": `${HEAD}spec:\n  fooo: x\n`,
      "config/samples/broken.yaml": "a: [\n",
    });
    const { status, stdout } = await runCommand(root, "doctor");
    expect(status).toBe(1);
    expect(stdout).toContain(`error: config/samples/mine.yaml:6: ${REFUSES} unknown field "spec.fooo"\n`);
    expect(stdout).toContain("error: config/samples/broken.yaml:2: it is not valid YAML: deficient indentation");
    const { findings } = JSON.parse((await runCommand(root, "doctor --output json")).stdout) as {
      readonly findings: readonly { readonly path: string; readonly line?: number }[];
    };
    expect(findings.find(({ path }) => path.endsWith("mine.yaml"))).toMatchObject({ line: 6 });
  });
});
