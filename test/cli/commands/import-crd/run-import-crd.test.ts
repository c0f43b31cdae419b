import { existsSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { INIT, runCommand, runCommands } from "../../../support/run-command.ts";
import { listFolders, readFiles, temporaryFolder, writeFiles } from "../../../support/temporary-folder.ts";

const CRD = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: things.example.com
spec:
  group: example.com
  names: { kind: Thing, plural: things }
  scope: Cluster
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            required: [size]
            properties:
              size: { type: integer, format: int32, minimum: 1 }
`;

function folderWith(files: Readonly<Record<string, string>>): string {
  const root = temporaryFolder();
  writeFiles(root, files);
  return root;
}

const otherKind = (text: string): string => text.replaceAll("things", "others").replaceAll("Thing", "Other");
const otherGroup = (text: string): string => otherKind(text).replaceAll("example.com", "other.io");

describe("import crd outside of a project", () => {
  it("writes the types below --output-dir, by version", async () => {
    const root = folderWith({ "crd.yaml": CRD });
    const { status, stdout } = await runCommand(root, "import crd crd.yaml --output-dir src/types");
    expect(status).toBe(0);
    expect(stdout).toContain("created src/types/v1/thing_types.ts\n");
    expect(stdout).toContain("Generating from these types gives the same definition for 1 of 1 version.");
    expect(readFiles(root)["src/types/v1/thing_types.ts"]).toContain(
      "  /** +kubebuilder:validation:Minimum=1 */\n  size: int32;",
    );
    expect(listFolders(root)).not.toContain(".kubescaffold");
  });

  it("asks where to write", async () => {
    const { status, stderr } = await runCommand(folderWith({ "crd.yaml": CRD }), "import crd crd.yaml");
    expect(status).toBe(1);
    expect(stderr).toMatch(
      /cannot determine the folder of the types: there is no PROJECT file in .* \[CLI_INVALID_FLAG\]/u,
    );
  });

  it("writes to a folder elsewhere that is not there yet", async () => {
    const root = folderWith({ "in/crd.yaml": CRD });
    const { status } = await runCommand(path.join(root, "in"), "import crd crd.yaml --output-dir ../out/deep");
    expect(status).toBe(0);
    expect(existsSync(path.join(root, "out/deep/v1/thing_types.ts"))).toBe(true);
  });

  it("reads several inputs, folders and documents, and puts several groups into their own folders", async () => {
    const root = folderWith({ "a.yaml": `---\n${CRD}---\n${otherKind(CRD)}`, "more/deep/b.yml": otherGroup(CRD) });
    await runCommands(root, "import crd a.yaml more --output-dir types");
    expect(Object.keys(readFiles(root)).filter((name) => name.startsWith("types/"))).toEqual([
      "types/example.com/v1/groupversion_info.ts",
      "types/example.com/v1/other_types.ts",
      "types/example.com/v1/thing_types.ts",
      "types/other.io/v1/groupversion_info.ts",
      "types/other.io/v1/other_types.ts",
    ]);
  });

  it("imports the kinds that are named, and says which there are", async () => {
    const root = folderWith({ "a.yaml": `${CRD}---\n${otherKind(CRD)}` });
    await runCommands(root, "import crd a.yaml --output-dir types --kind Other");
    expect(Object.keys(readFiles(root))).not.toContain("types/v1/thing_types.ts");
    const { stderr } = await runCommand(root, "import crd a.yaml --output-dir types --kind Odder");
    expect(stderr).toContain("cannot import the kind Odder");
    expect(stderr).toContain("their kinds are Other, Thing");
  });

  it("changes nothing when all is there, and nothing without --force when something differs", async () => {
    const root = folderWith({ "crd.yaml": CRD });
    await runCommands(root, "import crd crd.yaml --output-dir types");
    const again = await runCommand(root, "import crd crd.yaml --output-dir types");
    expect(again.stdout).toContain("All files are up to date.");
    writeFiles(root, { "types/v1/thing_types.ts": "// mine\n", "crd.yaml": `${CRD}---\n${otherKind(CRD)}` });
    const refused = await runCommand(root, "import crd crd.yaml --output-dir types");
    expect(refused.status).toBe(1);
    expect(refused.stderr).toContain("[SCAFFOLD_FILE_EXISTS]");
    expect(readFiles(root)["types/v1/thing_types.ts"]).toBe("// mine\n");
    expect(readFiles(root)).not.toHaveProperty(["types/v1/other_types.ts"]);
    const forced = await runCommand(root, "import crd crd.yaml --output-dir types --force");
    expect(forced.stdout).toContain("replaced types/v1/thing_types.ts\n");
    expect(forced.stdout).toContain("\n-// mine\n");
  });

  it("shows on a dry run what it would write, and prints JSON when asked", async () => {
    const root = folderWith({ "crd.yaml": CRD });
    const dry = await runCommand(root, "import crd crd.yaml --output-dir types --dry-run");
    expect(dry.stdout).toContain("+  size: int32;");
    expect(existsSync(path.join(root, "types"))).toBe(false);
    const { stdout } = await runCommand(root, "import crd crd.yaml --output-dir types --output json");
    expect(JSON.parse(stdout)).toMatchObject({
      dryRun: false,
      files: [
        { action: "create", path: "types/v1/groupversion_info.ts" },
        { action: "create", path: "types/v1/thing_types.ts" },
      ],
    });
  });

  it("does not mix groups in a folder", async () => {
    const root = folderWith({ "a.yaml": CRD, "b.yaml": otherGroup(CRD) });
    await runCommands(root, "import crd a.yaml --output-dir types");
    const { stderr } = await runCommand(root, "import crd b.yaml --output-dir types");
    expect(stderr).toContain(
      "cannot write other.io into types/v1: the folder contains the group example.com [IMPORT_FOLDER_TAKEN]",
    );
  });

  it("names an input without a definition", async () => {
    const root = folderWith({ "a.yaml": "kind: Pod\napiVersion: v1\n" });
    const { status, stderr } = await runCommand(root, "import crd a.yaml --output-dir types");
    expect(status).toBe(1);
    expect(stderr).toContain("cannot import a.yaml: there is no CustomResourceDefinition in it [IMPORT_NO_CRD]");
  });

  it("counts what only the raw marker can say", async () => {
    const text = CRD.replace("required: [size]", "required: [size]\n            oneOf: [{ required: [size] }]");
    const { stdout } = await runCommand(folderWith({ "a.yaml": text }), "import crd a.yaml --output-dir types");
    expect(stdout).toMatch(/\n\d schema keywords can only be expressed with \+kubescaffold:schema/u);
  });
});

describe("import crd in a project", () => {
  it("puts kinds of others below their group, under the project's header, and generates from them", async () => {
    const root = folderWith({ "crd.yaml": CRD });
    await runCommands(root, INIT);
    writeFiles(root, { "hack/boilerplate.ts.txt": "// Ours.\n" });
    const { stdout } = await runCommand(root, "import crd crd.yaml");
    expect(stdout).toContain("npm run manifests");
    expect(readFiles(root)["api/example.com/v1/thing_types.ts"]).toMatch(/^\/\/ Ours\.\n\nimport/u);
    await runCommands(root, "manifests");
    expect(readFiles(root)["config/crd/bases/example.com_things.yaml"]).toContain("minimum: 1");
  });

  it("keeps generators away from the kinds with --external", async () => {
    const root = folderWith({ "crd.yaml": CRD });
    await runCommands(root, INIT, "import crd crd.yaml --external", "manifests");
    expect(readFiles(root)).not.toHaveProperty(["config/crd/bases/example.com_things.yaml"]);
  });

  it("puts kinds of the project's own domain where create api puts them", async () => {
    const root = folderWith({ "crd.yaml": CRD.replaceAll("example.com", "shop.demo") });
    await runCommands(root, INIT, "import crd crd.yaml");
    expect(Object.keys(readFiles(root))).toContain("api/v1/thing_types.ts");
  });
});
