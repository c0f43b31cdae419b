import { readFileSync } from "node:fs";
import path from "node:path";

import { buildKustomization } from "kubescaffold/plugin";
import { describe, expect, it } from "vitest";

import { ROOT } from "../../../test/architecture/source-files.ts";
import { type GoldenProject, goldenProjects, projectForm } from "../../../test/e2e/golden-projects.ts";
import { withEverythingOn } from "../../../test/e2e/with-everything-on.ts";
import { runCommands } from "../../../test/support/run-command.ts";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { asRendered, DIFFERENCES } from "./differences.ts";
import { byKey, HELM, KUBECTL, kustomize, lint, render } from "./rendering.ts";

const EDIT = "edit --plugins=helm/v2-alpha --make=false";
const CHART = "dist/chart";

interface Variant {
  readonly name: string;
  readonly project: GoldenProject;
  readonly files: Readonly<Record<string, string>>;
}

const VARIANTS: readonly Variant[] = goldenProjects().flatMap((project) => {
  const files = projectForm(project);
  return [
    { name: `${project.name}, as scaffolded`, project, files },
    { name: `${project.name}, with everything switched on`, project, files: withEverythingOn(files) },
    { name: `${project.name}, with a manager that gets no certificates`, project, files: withoutPatches(files) },
  ];
});

function withoutPatches(files: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const file = "config/default/kustomization.yaml";
  const patch = /^- path: manager_webhook_patch\.yaml\n {2}target:\n {4}kind: Deployment\n/mu;
  return { ...files, [file]: (files[file] ?? "").replace(patch, "") };
}

async function chartOf({ files }: Variant): Promise<{ readonly root: string; readonly chart: string }> {
  const root = temporaryFolder(files);
  await runCommands(root, `${EDIT} --output-dir=dist`);
  return { root, chart: path.join(root, CHART) };
}

function projectNameOf({ project }: Variant): string {
  return /--project-name (\S+)/u.exec(project.commands[0] ?? "")?.[1] ?? "";
}

describe("the table of differences from kustomize", () => {
  const page = readFileSync(path.join(ROOT, "docs/guides/helm.md"), "utf8");
  const [, section = ""] = page.split(/^## Differences from kustomize$/mu);
  const [table = ""] = section.split(/^## /mu);

  it("has a row for each that is accepted", () => {
    expect([...table.matchAll(/^\| `([a-z-]+)` \|/gmu)].map(([, row]) => row)).toEqual(Object.keys(DIFFERENCES));
  });

  it.each(Object.entries(DIFFERENCES))("has the row %s, which changes an object", async (_row, differ) => {
    const release = { chart: "x", name: "x", namespace: "x-system" };
    const changed = await Promise.all(
      VARIANTS.map(async ({ files }) => {
        const objects = await buildKustomization((file) => files[file], "config/default");
        return JSON.stringify(differ(objects, release)) !== JSON.stringify(objects);
      }),
    );
    expect(changed).toContain(true);
  });
});

// Needs the programs that `npm run test:control-plane` builds.
describe.skipIf(HELM === undefined || KUBECTL === undefined)("the chart, as helm renders it", () => {
  it.each(VARIANTS)("is what kubectl's kustomize makes of $name, but for the listed differences", async (variant) => {
    const { root, chart } = await chartOf(variant);
    const name = projectNameOf(variant);
    const release = { chart: name, name, namespace: `${name}-system` };
    const { status, output, objects } = await render(chart, {
      release: name,
      namespace: release.namespace,
      set: ["rbac.helpers.enabled=true"],
    });
    expect({ status, output: status === 0 ? "" : output }).toEqual({ status: 0, output: "" });
    expect(byKey(objects)).toEqual(byKey(asRendered(await kustomize(root), release)));
    expect(await lint(chart)).toMatchObject({ status: 0 });
  });
});
