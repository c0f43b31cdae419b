import path from "node:path";

import { readYaml } from "@kubescaffold/k8s/yaml";
import { describe, expect, it } from "vitest";

import { buildKustomization } from "../../../src/kustomize/build.ts";
import { nameOf } from "../../../src/kustomize/manifest.ts";
import { withEverythingOn } from "../../e2e/with-everything-on.ts";
import {
  COMPONENTS,
  LAYOUT_2,
  LAYOUT_3,
  LAYOUT_3_MULTIGROUP,
  LAYOUT_4,
  OPERATOR_SDK,
  VERSION_2,
} from "../../support/go-layouts.ts";
import { runCommands } from "../../support/run-command.ts";
import { readFiles, temporaryFolder, writeFiles } from "../../support/temporary-folder.ts";

type Files = Readonly<Record<string, string>>;

const DEFAULT = "config/default/kustomization.yaml";

async function imported(go: Files): Promise<Files> {
  const root = temporaryFolder();
  writeFiles(root, Object.fromEntries(Object.entries(go).map(([file, text]) => [`fleet/${file}`, text])));
  await runCommands(root, "import project fleet --output-dir ts --skip-install");
  return readFiles(path.join(root, "ts"));
}

function builtCrds(files: Files): readonly string[] {
  const objects = buildKustomization((file) => files[file], "config/default");
  return objects.filter(({ kind }) => kind === "CustomResourceDefinition").map((each) => nameOf(each));
}

const CAPTAINS = "captains.crew.sea.io";
const HARBOURS = "harbours.crew.sea.io";
const WITHOUT_WEBHOOKS = Object.fromEntries(
  Object.entries(LAYOUT_4)
    .filter(([file]) => !file.startsWith("config/webhook/"))
    .map(([file, text]) => [file, file === "PROJECT" ? text.replace(/^ *webhooks: .*\n/mu, "") : text]),
);

describe("config/default of an imported project builds", () => {
  it.each([
    ["PROJECT version 2", VERSION_2],
    ["layout v2", LAYOUT_2],
    ["layout v3", LAYOUT_3],
    ["layout v3-alpha with several groups", LAYOUT_3_MULTIGROUP],
    ["layout v4", LAYOUT_4],
    ["operator-sdk", OPERATOR_SDK],
    ["manifests in config/components", COMPONENTS],
    [
      "a CRD that PROJECT does not list",
      withProject((text) => text.slice(0, text.indexOf("- api: {crdVersion: v1}\n")) + 'version: "3"\n'),
    ],
    [
      "a plural in PROJECT that is not the CRD's",
      withProject((text) => text.replace("plural: harbours", "plural: harbors")),
    ],
    ["a plural that PROJECT omits", withProject((text) => text.replace(/^ *plural: .*\n/mu, ""))],
  ])("with the CRDs of the Go project: %s", async (_, go) => {
    expect(builtCrds(await imported(go)).toSorted()).toEqual([CAPTAINS, HARBOURS]);
  });

  it.each([
    ["everything is switched on, but there are no webhooks", WITHOUT_WEBHOOKS],
    ["everything is switched on", LAYOUT_4],
  ])("where %s", async (_, go) => {
    const on = withEverythingOn(await imported(LAYOUT_4));
    const files = await imported({ ...go, [DEFAULT]: on[DEFAULT] ?? "" });
    expect(builtCrds(files).toSorted()).toEqual([CAPTAINS, HARBOURS]);
    const { resources } = readYaml(files[DEFAULT] ?? "") as { readonly resources: readonly string[] };
    expect(resources.includes("../webhook")).toBe(go === LAYOUT_4);
  });

  it("where PROJECT has the whole group as the group and as the domain", async () => {
    const go = withProject((text) =>
      text.replaceAll(/domain: .*/gu, "domain: crew.sea.io").replaceAll(/group: crew$/gmu, "group: crew.sea.io"),
    );
    const files = await imported(go);
    expect(builtCrds(files).toSorted()).toEqual([CAPTAINS, HARBOURS]);
    const { resources } = readYaml(files["PROJECT"] ?? "") as { readonly resources: readonly object[] };
    expect(resources).toHaveLength(2);
    expect(Object.keys(files).filter((file) => file.endsWith("_types.ts"))).toEqual([
      "api/v1/captain_types.ts",
      "api/v1/harbor_types.ts",
    ]);
    expect(files["MIGRATION.md"]).toContain("2 of 2 CRD versions match");
    expect(files["MIGRATION.md"]).toContain("1 of 1 webhooks match");
  });

  it("where the Go project has the folders of the scaffold elsewhere", async () => {
    const go = `resources:\n- ../components/crd\n- ../components/rbac\n- ../manager\n`;
    const files = await imported({ ...COMPONENTS, [DEFAULT]: go });
    expect(builtCrds(files).toSorted()).toEqual([CAPTAINS, HARBOURS]);
  });

  it("says what was switched off", async () => {
    const go = { ...WITHOUT_WEBHOOKS, [DEFAULT]: "resources:\n- ../crd\n- ../rbac\n- ../manager\n- ../webhook\n" };
    const { "MIGRATION.md": page } = await imported(go);
    expect(page).toContain("../webhook");
  });
});

function withProject(change: (text: string) => string): Files {
  return { ...LAYOUT_4, PROJECT: change(LAYOUT_4["PROJECT"] ?? "") };
}
