import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { type FoundManifest, readBlob, readIndex, readJsonBlob, unpack } from "../support/read-image.ts";
import { runCommand } from "../support/run-command.ts";
import { runProgram } from "../support/run-program.ts";
import { makeBase, writeBase } from "../support/test-base.ts";
import { copyExample, type ProjectCopy } from "./project-copy.ts";

const LARGEST_LAYER = 3 * 1024 * 1024;

describe("the image of examples/guestbook", () => {
  let project: ProjectCopy;
  let layout = "";
  let manager = "";

  beforeAll(async () => {
    project = copyExample();
    writeBase(path.join(project.root, "base"), await makeBase());
    const { status, stderr } = await runCommand(project.root, "image --base base --tag guestbook:v1");
    if (status !== 0) throw new Error(stderr);
    layout = path.join(project.root, "dist", "image");
    manager = await unpackManager(layout, path.join(project.root, "unpacked"));
  });
  afterAll(() => project.remove());

  it("holds a manager that plain Node starts from the unpacked layer", () => {
    const help = execFileSync(process.execPath, [manager, "--help"], { cwd: path.dirname(manager), encoding: "utf8" });
    expect(help).toContain("Usage of the manager:");
    expect(help).toContain("--leader-elect");
  });

  it("maps the stack traces of the project's files, and no positions of installed packages", async () => {
    const text = readFileSync(manager, "utf8");
    const [, encoded = ""] = text.split("//# sourceMappingURL=data:application/json;base64,");
    const { sources, mappings } = JSON.parse(Buffer.from(encoded, "base64").toString()) as {
      readonly sources: readonly string[];
      readonly mappings: string;
    };
    expect(sources).toContain("../internal/controller/guestbook_controller.ts");
    // Beside one position of each package's file; with theirs, there are more than 300,000.
    expect(mappings.split(/[,;]+/u).length).toBeLessThan(sources.length + 5000);
    const args = ["--enable-source-maps", manager, "--kubeconfig=missing"];
    const { status, output } = await runProgram(process.execPath, args, { cwd: path.dirname(manager) });
    expect({ status, output }).toEqual({ status: 1, output: expect.stringMatching(/cmd\/main\.ts:\d+:\d+/u) });
  });

  it("adds no more than three mebibytes to its base", () => {
    const { layers } = readJsonBlob<FoundManifest>(layout, readIndex(layout)[0]?.digest ?? "");
    expect(layers.at(-1)?.size).toBeLessThan(LARGEST_LAYER);
  });

  it("says which packages are inside, those that other packages carry too", () => {
    const referrer = readIndex(layout).find(({ artifactType }) => artifactType === "application/spdx+json");
    const { layers } = readJsonBlob<FoundManifest>(layout, referrer?.digest ?? "");
    const { packages } = readJsonBlob<{ readonly packages: readonly { readonly name: string }[] }>(
      layout,
      layers[0]?.digest ?? "",
    );
    const names = packages.map(({ name }) => name);
    expect(names[0]).toBe("guestbook");
    expect(names).toEqual(expect.arrayContaining(["@kubescaffold/runtime", "@peculiar/x509", "undici", "pino"]));
    expect(names).not.toEqual(expect.arrayContaining(["esbuild"]));
  });
});

async function unpackManager(layout: string, target: string): Promise<string> {
  const { layers } = readJsonBlob<FoundManifest>(layout, readIndex(layout)[0]?.digest ?? "");
  const files = await unpack(readBlob(layout, layers.at(-1)?.digest ?? ""));
  mkdirSync(target, { recursive: true });
  const file = path.join(target, "manager.mjs");
  writeFileSync(file, files.get("manager.mjs")?.bytes ?? "");
  return file;
}
