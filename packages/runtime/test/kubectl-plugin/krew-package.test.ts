import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";

import { readYaml } from "@kubescaffold/k8s/yaml";
import { extract } from "tar-stream";
import { describe, expect, it } from "vitest";

import { type KrewManifestOptions, packForKrew } from "../../src/kubectl-plugin/index.ts";

const options: KrewManifestOptions = {
  name: "my-tool",
  version: "1.2.3",
  shortDescription: "Works with tools",
  downloadFolder: "https://example.com/releases/v1.2.3",
  files: {
    "kubectl-my_tool": Buffer.from("#!/usr/bin/env node\n"),
    "package.json": Buffer.from("{}"),
  },
};

async function entriesOf(archive: Uint8Array): Promise<Record<string, { mode: number | undefined; text: string }>> {
  const entries: Record<string, { mode: number | undefined; text: string }> = {};
  const reader = extract();
  Readable.from([gunzipSync(archive)]).pipe(reader);
  for await (const entry of reader) {
    entries[entry.header.name] = { mode: entry.header.mode, text: (await buffer(entry)).toString() };
  }
  return entries;
}

describe("packForKrew", () => {
  it("packs the files, with programs executable, and the same bytes each time", async () => {
    const { archive, archiveName } = await packForKrew(options);
    expect(archiveName).toBe("kubectl-my_tool-v1.2.3.tar.gz");
    await expect(entriesOf(archive)).resolves.toEqual({
      "kubectl-my_tool": { mode: 0o755, text: "#!/usr/bin/env node\n" },
      "package.json": { mode: 0o644, text: "{}" },
    });
    expect((await packForKrew(options)).archive).toEqual(archive);
  });

  it("writes a manifest with the checksum of the archive", async () => {
    const { archive, sha256, manifest } = await packForKrew(options);
    expect(sha256).toBe(createHash("sha256").update(archive).digest("hex"));
    expect(readYaml(manifest)).toMatchObject({
      apiVersion: "krew.googlecontainertools.github.com/v1alpha2",
      kind: "Plugin",
      metadata: { name: "my-tool" },
      spec: {
        version: "v1.2.3",
        shortDescription: "Works with tools",
        platforms: [
          {
            selector: { matchExpressions: [{ key: "os", operator: "In", values: ["darwin", "linux"] }] },
            uri: "https://example.com/releases/v1.2.3/kubectl-my_tool-v1.2.3.tar.gz",
            sha256,
            bin: "kubectl-my_tool",
          },
        ],
      },
    });
  });

  it.each([
    [{ version: "latest" }, 'cannot use the version "latest": it is not a semantic version'],
    [{ downloadFolder: "releases" }, 'cannot pack kubectl my-tool: "releases" is not an https address'],
    [{ files: {} }, "cannot pack kubectl my-tool: there is no file kubectl-my_tool"],
  ])("rejects %j", async (changed, message) => {
    await expect(packForKrew({ ...options, ...changed })).rejects.toMatchObject({
      code: "KUBECTL_PLUGIN_PACKAGE",
      message,
    });
  });
});
