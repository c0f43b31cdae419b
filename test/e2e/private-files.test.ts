import { spawn } from "node:child_process";
import { chmod, mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import process from "node:process";

import { createClient, getConfig } from "@kubescaffold/runtime";
import { describe, expect, it, onTestFinished } from "vitest";

import { hasOtherUser, readAsOther } from "../support/other-user.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const SECRET_IN_A_SECRET = "value-of-an-object";
const PROGRAM = path.join(import.meta.dirname, "../../dist/bin/scaffold.js");
// What a file must not show to others: keys, tokens, and what is stored as a Secret.
const PRIVATE = /PRIVATE KEY|^ +token: \S|system:masters|value-of-an-object/mu;

function isPrivate(text: string): boolean {
  return PRIVATE.test(text) || text.includes(Buffer.from(SECRET_IN_A_SECRET).toString("base64"));
}

// Under a mask of zero, so that nothing depends on the mask of the user; the root of it all is open, as /tmp is.
describe.skipIf(!hasOtherUser)("files of a server", () => {
  it("that hold keys, tokens, or objects are read by no other user, new or not", async () => {
    const folder = temporaryFolder();
    await chmod(folder, 0o755);
    const before = process.umask(0);
    onTestFinished(() => void process.umask(before));
    const words = ["--secure-port=0", "--kubeconfig=admin.conf", "--ready-file=ready", "--cert-dir=certs"];
    const stateful = ["--snapshot=state", "--save-snapshot", "--audit-log-path=audit.log"];
    await mkdir(path.join(folder, "tmp"), { mode: 0o1777 });
    await writeFile(path.join(folder, "policy.yaml"), POLICY);
    for (const round of ["new", "again"]) {
      const server = spawn(
        process.execPath,
        [PROGRAM, "apiserver", ...words, ...stateful, "--audit-policy-file=policy.yaml", "--controllers"],
        { cwd: folder, env: { ...process.env, TMPDIR: path.join(folder, "tmp") }, stdio: ["ignore", "ignore", "pipe"] },
      );
      let errors = "";
      server.stderr.on("data", (text) => (errors += String(text)));
      const ended = new Promise((resolve) => server.once("exit", resolve));
      await expect.poll(() => readdir(folder), { timeout: 30_000 }).toContain("ready");
      const client = createClient(await getConfig({ kubeconfig: path.join(folder, "admin.conf") }));
      if (round === "new") {
        await client.create({
          apiVersion: "v1",
          kind: "Secret",
          metadata: { name: "a", namespace: "default" },
          stringData: { a: SECRET_IN_A_SECRET },
        } as never);
      }
      await expectPrivate(folder);
      server.kill("SIGTERM");
      await ended;
      expect(errors.trim().split("\n")).toEqual([expect.stringContaining("listens on https://127.0.0.1:")]);
      await expectPrivate(folder);
    }
  });
});

async function expectPrivate(folder: string): Promise<void> {
  const files = await filesBelow(folder);
  const withSecrets = [];
  for (const file of files) if (isPrivate(await readFile(file, "latin1"))) withSecrets.push(file);
  const places = new Set(withSecrets.map((file) => path.relative(folder, file).split(path.sep)[0]));
  expect([...places]).toEqual(expect.arrayContaining(["audit.log", "certs", "state"]));
  const seen = readAsOther(withSecrets);
  const read = withSecrets.filter((file) => seen[file] !== "EACCES").map((file) => path.relative(folder, file));
  expect(read).toEqual([]);
}

async function filesBelow(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder, { recursive: true });
  const files = [];
  for (const name of names) if ((await stat(path.join(folder, name))).isFile()) files.push(path.join(folder, name));
  return files;
}

const POLICY = "apiVersion: audit.k8s.io/v1\nkind: Policy\nrules: [{ level: RequestResponse }]\n";
