import { rmSync } from "node:fs";

import { readYaml } from "@kubescaffold/k8s/yaml";
import { describe, expect, it } from "vitest";

import { CREATE_API, INIT, runCommand, runCommands } from "../../../support/run-command.ts";
import { readFiles, temporaryFolder, writeFiles } from "../../../support/temporary-folder.ts";

const V1ALPHA1 = CREATE_API.replace("v1", "v1alpha1");
const V1 = `${CREATE_API} --from v1alpha1`;
const TYPES = "api/v1alpha1/guestbook_types.ts";
const SHARED = `import type { int32 } from "@kubescaffold/k8s";

/** Port is a port of the guestbook. */
export interface Port {
  /**
   * number of the port.
   * +kubebuilder:validation:Minimum=1
   */
  number: int32;
}
`;

// A project whose first version has fields, a type of a second file, and markers of one version alone.
async function changedProject(): Promise<string> {
  const root = temporaryFolder();
  await runCommands(root, INIT, `${V1ALPHA1} --ssa`);
  const types = readFiles(root)[TYPES] ?? "";
  writeFiles(root, {
    "api/v1alpha1/ports.ts": SHARED,
    [TYPES]: types
      .replace("import { GroupVersion }", 'import { type Port } from "./ports.ts";\nimport { GroupVersion }')
      .replace(
        "  foo?: string;",
        "  foo: string;\n\n  /** ports of the guestbook. */\n  ports?: Port[];\n\n  theme?: Theme;",
      )
      .replace(
        "/** GuestbookSpec",
        '/** Theme is how it looks. */\nexport type Theme = "dark" | "light";\n\n/** GuestbookSpec',
      )
      .replace(
        " * +kubebuilder:subresource:status",
        ' * +kubebuilder:storageversion\n * +kubebuilder:deprecatedversion:warning="use v1"\n * +kubebuilder:subresource:status',
      ),
  });
  const sample = "config/samples/webapp_v1alpha1_guestbook.yaml";
  writeFiles(root, { [sample]: (readFiles(root)[sample] ?? "").replace("foo: example", "foo: mine") });
  return root;
}

interface Definition {
  readonly spec: {
    readonly versions: readonly {
      readonly name: string;
      readonly storage: boolean;
      readonly deprecated?: boolean;
      readonly schema: { readonly openAPIV3Schema: object };
    }[];
  };
}

async function storedVersions(root: string): Promise<Readonly<Record<string, boolean>>> {
  await runCommands(root, "manifests");
  const definition = readYaml(readFiles(root)["config/crd/bases/webapp.demo_guestbooks.yaml"] ?? "") as Definition;
  return Object.fromEntries(definition.spec.versions.map(({ name, storage }) => [name, storage]));
}

describe("create api --from", () => {
  it("gives the new version the fields of the other one, so that their schemas are equal", async () => {
    const root = await changedProject();
    await runCommands(root, V1, "manifests");
    const files = readFiles(root);
    const { versions } = (readYaml(files["config/crd/bases/webapp.demo_guestbooks.yaml"] ?? "") as Definition).spec;
    expect(versions.map(({ name, storage, deprecated = false }) => ({ name, storage, deprecated }))).toEqual([
      { name: "v1", storage: false, deprecated: false },
      { name: "v1alpha1", storage: true, deprecated: true },
    ]);
    expect(versions[0]?.schema).toEqual(versions[1]?.schema);
    expect(JSON.stringify(versions[0]?.schema)).toContain('"theme"');
    expect(files["api/v1/guestbook_types.ts"]).toContain('import { type Port } from "../v1alpha1/ports.ts";');
    expect(files["api/v1/guestbook_types.ts"]).toContain('import { GroupVersion } from "./groupversion_info.ts";');
    expect(files["config/samples/webapp_v1_guestbook.yaml"]).toBe(
      files["config/samples/webapp_v1alpha1_guestbook.yaml"]?.replace("webapp.demo/v1alpha1", "webapp.demo/v1"),
    );
    expect(files["PROJECT"]?.match(/ssa: true/gu)).toHaveLength(2);
  });

  it("adds no further controller, and names the command for the conversion", async () => {
    const root = await changedProject();
    const { stdout } = await runCommand(root, V1);
    expect(stdout).toContain(
      "scaffold create webhook --group webapp --version v1alpha1 --kind Guestbook --conversion --spoke v1    # converts between v1alpha1, the hub, and v1; swap them to make v1 the hub\n",
    );
    expect(readFiles(root)["PROJECT"]?.match(/controller: true/gu)).toHaveLength(1);
  });

  it("adds the controller of a kind that has none, or that is asked for", async () => {
    const root = temporaryFolder();
    await runCommands(root, INIT, `${V1ALPHA1} --controller=false`, `${V1} --make=false`);
    expect(readFiles(root)["PROJECT"]?.match(/controller: true/gu)).toHaveLength(1);
    const other = temporaryFolder();
    await runCommands(other, INIT, V1ALPHA1, `${V1} --controller --controller-name guestbook-v1 --make=false`);
    expect(readFiles(other)["PROJECT"]).toContain("guestbook-v1");
  });

  it("generates at once: the version that was stored until now stays the storage version", async () => {
    const root = temporaryFolder();
    await runCommands(root, INIT, V1ALPHA1);
    const { stdout } = await runCommand(root, V1);
    expect(stdout).toContain(
      `v1alpha1 stays the storage version: "+kubebuilder:storageversion" was added to ${TYPES}.`,
    );
    expect(await storedVersions(root)).toEqual({ v1: false, v1alpha1: true });
    await runCommands(root, `${CREATE_API.replace("v1", "v2")} --from v1`);
    expect(await storedVersions(root)).toEqual({ v1: false, v1alpha1: true, v2: false });
  });

  it("prints the command for the conversion before the generators and the tests", async () => {
    const root = temporaryFolder();
    await runCommands(root, INIT, V1ALPHA1);
    const { stdout } = await runCommand(root, V1);
    const places = ["create webhook", "npm run manifests", "npm test"].map((each) => stdout.indexOf(each));
    expect(places).toEqual(places.toSorted((left, right) => left - right));
    expect(places).not.toContain(-1);
  });

  it.each([
    ["the older version", "v1alpha1", "v1"],
    ["the new version", "v1", "v1alpha1"],
  ])("is converted with %s as the hub, which is then the storage version", async (_title, hub, spoke) => {
    const root = temporaryFolder();
    await runCommands(root, INIT, V1ALPHA1, V1);
    const conversion = `create webhook --group webapp --version ${hub} --kind Guestbook --conversion --spoke ${spoke}`;
    const { status, stdout } = await runCommand(root, conversion);
    expect(status).toBe(0);
    expect(stdout.includes('Moved "+kubebuilder:storageversion" from v1alpha1 to the hub, v1')).toBe(hub === "v1");
    expect(await storedVersions(root)).toEqual({ v1: hub === "v1", v1alpha1: hub === "v1alpha1" });
    expect(Object.keys(readFiles(root))).toContain(`internal/webhook/${hub}/guestbook_webhook.ts`);
  });

  it("makes the new version another spoke of the hub, with its converter and its test", async () => {
    const root = temporaryFolder();
    const conversion = "create webhook --group webapp --version v1alpha1 --kind Guestbook --conversion --spoke v1";
    await runCommands(root, INIT, V1ALPHA1, V1, conversion);
    const { stdout } = await runCommand(root, `${CREATE_API.replace("v1", "v2")} --from v1`);
    expect(stdout).toContain("convert what differs between v1alpha1 and v2 in api/v2/guestbook_conversion.ts");
    const files = readFiles(root);
    expect(files["PROJECT"]).toMatch(/spoke:\n\s+- v1\n\s+- v2\n/u);
    expect(files["internal/webhook/v1alpha1/guestbook_webhook.ts"]).toContain(".withConversion(guestbookV2Converter)");
    expect(Object.keys(files)).toContain("internal/webhook/v1alpha1/guestbook_v2_conversion.test.ts");
    expect(await storedVersions(root)).toEqual({ v1: false, v1alpha1: true, v2: false });
    await runCommands(root, "generate");
    expect(await runCommand(root, "doctor")).toMatchObject({ status: 0 });
  });

  it("leaves the storage version alone that a user has chosen besides the hub", async () => {
    const root = temporaryFolder();
    const conversion = "create webhook --group webapp --version v1alpha1 --kind Guestbook --conversion --spoke v1";
    await runCommands(root, INIT, V1ALPHA1, V1, conversion);
    const marker = " * +kubebuilder:storageversion\n";
    const { [TYPES]: hub = "", "api/v1/guestbook_types.ts": spoke = "" } = readFiles(root);
    writeFiles(root, {
      [TYPES]: hub.replace(marker, ""),
      "api/v1/guestbook_types.ts": spoke.replace(" * +kubebuilder:subresource:status\n", `$&${marker}`),
    });
    await runCommands(root, `${CREATE_API.replace("v1", "v2")} --from v1`);
    expect(await storedVersions(root)).toEqual({ v1: true, v1alpha1: false, v2: false });
  });

  it.each([
    ["an unknown version", "--from v1beta9", "no types found for version v1beta9", "v1alpha1"],
    ["the new version", "--from v1", "cannot copy version v1 to itself", "existing one"],
    ["no types", "--from v1alpha1 --resource=false", "cannot use --from with --resource=false", "omit --from"],
    ["a kind without versions", "--kind Other --from v1alpha1", "no types found", "omit --from"],
  ])("is refused for %s, and writes nothing", async (_title, flags, message, hint) => {
    const root = temporaryFolder();
    await runCommands(root, INIT, V1ALPHA1);
    const before = readFiles(root);
    const line = flags.includes("--kind") ? CREATE_API.replace(/ --kind \S+/u, "") : CREATE_API;
    const { status, stderr } = await runCommand(root, `${line} ${flags}`);
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining(message) as string });
    expect(stderr).toContain(hint);
    expect(readFiles(root)).toEqual(before);
  });

  it("is refused where the types were moved", async () => {
    const root = await changedProject();
    const { [TYPES]: text = "" } = readFiles(root);
    writeFiles(root, { "api/v1alpha1/other_types.ts": text });
    rmSync(`${root}/${TYPES}`);
    const { status, stderr } = await runCommand(root, V1);
    expect(status).toBe(1);
    expect(stderr).toContain(`${TYPES} does not exist`);
  });
});

describe("another version without --from", () => {
  const TYPE = (version: string): string => `api/${version}/guestbook_types.ts`;
  const another = (version: string, flags = ""): string => `${CREATE_API.replace("v1", version)}${flags}`;

  it("starts with the fields of the newest version, as with --from", async () => {
    const root = await changedProject();
    const { stdout } = await runCommand(root, another("v1"));
    expect(stdout).toContain("The fields are those of v1alpha1; `--from none` starts with an example instead.\n");
    const explicit = await changedProject();
    const named = await runCommand(explicit, V1);
    expect(named.stdout).not.toContain("--from none");
    expect(readFiles(root)).toEqual(readFiles(explicit));
    writeFiles(root, { [TYPE("v1")]: (readFiles(root)[TYPE("v1")] ?? "").replace("theme?: Theme", "look?: Theme") });
    await runCommands(root, another("v2"));
    expect(readFiles(root)[TYPE("v2")]).toContain("look?: Theme");
  });

  it("starts with an example with --from none", async () => {
    const root = await changedProject();
    const { stdout } = await runCommand(root, another("v1", " --from none"));
    expect(stdout).not.toContain("The fields are those");
    expect(readFiles(root)[TYPE("v1")]).toContain("  foo?: string;");
    expect(readFiles(root)[TYPE("v1")]).not.toContain("Theme");
    expect(readFiles(root)["PROJECT"]).not.toContain("from:");
  });

  it("starts with an example where the types of the newest version do not exist, or other types are wanted", async () => {
    const root = await changedProject();
    const kept = readFiles(root)[TYPES];
    rmSync(`${root}/${TYPES}`);
    await runCommands(root, another("v1"));
    expect(readFiles(root)[TYPE("v1")]).toContain("  foo?: string;");
    writeFiles(root, { [TYPES]: kept ?? "" });
    const { stdout } = await runCommand(root, another("v2", " --resource=false --controller"));
    expect(stdout).not.toContain("The fields are those");
  });

  it("is overwritten with an example by --force", async () => {
    const root = await changedProject();
    await runCommands(root, another("v1"), another("v1", " --force --controller=false"));
    expect(readFiles(root)[TYPE("v1")]).toContain("  foo?: string;");
  });
});
