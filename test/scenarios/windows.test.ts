import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { ROOT } from "../architecture/source-files.ts";
import { CREATE_API, CREATE_WEBHOOK, INIT, runCommands } from "../support/run-command.ts";
import { readFiles, temporaryFolder } from "../support/temporary-folder.ts";

const DEVICES = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/iu;

// What Windows makes of a path: names that it refuses, or takes for another.
function problemsOf(file: string): readonly string[] {
  return file
    .split("/")
    .flatMap((name) => [
      ...(/[<>:"|?*\\]/u.test(name) ? [`${file}: a character that no file may have`] : []),
      ...(DEVICES.test(name) ? [`${file}: the name of a device`] : []),
      ...(/[. ]$/u.test(name) ? [`${file}: a dot or a blank at the end`] : []),
    ]);
}

function twins(files: readonly string[]): readonly string[] {
  const lower = files.map((file) => file.toLowerCase());
  return files.filter((_, index) => lower.indexOf(lower[index] ?? "") !== index);
}

function filesBelow(...folders: readonly string[]): readonly string[] {
  return folders.flatMap((folder) =>
    readdirSync(path.join(ROOT, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.parentPath.includes("node_modules"))
      .map((entry) => path.relative(ROOT, path.join(entry.parentPath, entry.name)).replaceAll("\\", "/")),
  );
}

// No Windows is at hand: these hold what can be determined of it from anywhere.
describe("scenario 45: Windows", () => {
  it("has a file of each name that a project has", async () => {
    const root = temporaryFolder();
    const second = CREATE_API.replace("--version v1", "--version v2");
    const conversion =
      "create webhook --group webapp --version v1 --kind Guestbook --conversion --spoke v2 --make=false";
    const plugins = ["helm/v2-alpha", "grafana/v1-alpha", "autoupdate/v1-alpha"];
    await runCommands(root, INIT, CREATE_API, `${second} --controller=false`, CREATE_WEBHOOK, conversion, "manifests");
    await runCommands(root, "generate", ...plugins.map((key) => `edit --plugins=${key}`));
    const files = Object.keys(readFiles(root));
    expect(files.length).toBeGreaterThan(70);
    expect(files.flatMap(problemsOf)).toEqual([]);
    expect(twins(files)).toEqual([]);
  });

  it("checks this repository out, templates and recorded answers included", () => {
    const files = filesBelow(
      "bin",
      "docs",
      "examples",
      "hack",
      "packages",
      "plugins",
      "scripts",
      "src",
      "templates",
      "test",
    );
    expect(files.length).toBeGreaterThan(1000);
    expect(files.flatMap(problemsOf)).toEqual([]);
    expect(twins(files)).toEqual([]);
  });

  // Paths within a project have slashes everywhere, as in `tree.read("api/v1/x.ts")`; those of the disk are joined.
  it("uses the separator of the platform, so that no source appends a slash to a folder on disk", () => {
    const sources = filesBelow("bin", "plugins", "src").filter(
      (file) => file.endsWith(".ts") && !file.includes("/templates/"),
    );
    const joined = sources.flatMap((file) =>
      readFileSync(path.join(ROOT, file), "utf8")
        .split("\n")
        .filter((line) => /\$\{(?:cwd|home|root|[a-zA-Z]+(?:Directory|Root))\}\//u.test(line))
        .map((line) => `${file}: ${line.trim()}`),
    );
    expect(sources.length).toBeGreaterThan(100);
    expect(joined).toEqual([]);
  });
});
