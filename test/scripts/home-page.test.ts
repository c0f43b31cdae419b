/** The first page of the site: its doors lead to pages, its picture exists, and its commands work. */
import { existsSync } from "node:fs";
import path from "node:path";

import { readYaml } from "@kubescaffold/k8s/yaml";
import { describe, expect, it } from "vitest";

import { readSource, ROOT } from "../architecture/source-files.ts";
import { stepsOf } from "../e2e/docs-code/tutorial-steps.ts";
import { runCommand } from "../support/run-command.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

interface Door {
  readonly link: string;
}

const [, frontMatter = "", text = ""] =
  /^---\n(?<front>.*?)\n---\n(?<text>.*)$/su.exec(readSource("site/home.md")) ?? [];
const { hero, features } = readYaml(frontMatter) as {
  readonly hero: { readonly actions: readonly Door[] };
  readonly features: readonly (Door & { readonly title: string })[];
};

// The page of all pages is docs/README.md.
function sourceOf(link: string): string {
  return path.join(ROOT, "docs", link === "/pages" ? "README.md" : `${link}.md`);
}

describe("the first page of the site", () => {
  it("has three doors, which lead to pages", () => {
    expect(features.map(({ title }) => title)).toEqual([
      "New to operators",
      "From kubebuilder",
      "Test server for any language",
    ]);
    const links = [...hero.actions, ...features].map(({ link }) => link);
    expect(links.filter((link) => !existsSync(sourceOf(link)))).toEqual([]);
  });

  it("has links in its text that lead to pages, and a picture of the dashboard", () => {
    const links = [...text.matchAll(/\]\((?<link>[^)#]+)(?:#[^)]*)?\)/gu)].map(({ groups }) => groups?.["link"] ?? "");
    expect(links).toContain("screenshots/objects-light.webp");
    expect(links.length).toBeGreaterThan(3);
    expect(links.filter((link) => !existsSync(path.join(ROOT, "docs", link)))).toEqual([]);
  });

  it("has two commands, after which a project has its CRD and its roles", async () => {
    const lines = stepsOf(text).flatMap((step) => (step.kind === "command" ? [step.line] : []));
    expect(lines).toHaveLength(2);
    const root = temporaryFolder();
    for (const line of lines) {
      expect(line).toMatch(/^npx (?:kube)?scaffold /u);
      const words = line.replace(/^npx (?:kube)?scaffold /u, "");
      const { status, stderr } = await runCommand(root, words.startsWith("init ") ? `${words} --skip-install` : words);
      expect({ status, stderr }).toMatchObject({ status: 0 });
    }
    const made = ["config/crd/bases/webapp.demo_guestbooks.yaml", "config/rbac/role.yaml"];
    expect(made.filter((file) => !existsSync(path.join(root, file)))).toEqual([]);
  });
});
