import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chownSync, cpSync, existsSync, mkdirSync, statSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { CREATE_API, INIT, runCommands } from "../support/run-command.ts";
import { listFolders, readFiles, temporaryFolder, writeFiles } from "../support/temporary-folder.ts";

interface Instruction {
  readonly name: string;
  readonly value: string;
}

interface Stage {
  readonly base: string;
  readonly instructions: readonly Instruction[];
}

function stagesOf(dockerfile: string): readonly Stage[] {
  const lines = dockerfile
    .replaceAll("\\\n", "")
    .split("\n")
    .filter((line) => /^[A-Z]+ /u.test(line));
  const instructions = lines.map((line) => ({
    name: line.slice(0, line.indexOf(" ")),
    value: line.slice(line.indexOf(" ") + 1),
  }));
  const starts = instructions.flatMap(({ name }, index) => (name === "FROM" ? [index] : []));
  return starts.map((start, index) => ({
    base: instructions[start]?.value ?? "",
    instructions: instructions.slice(start + 1, starts[index + 1]),
  }));
}

// With sources of the user's own in a folder that no command makes.
async function project(): Promise<string> {
  const root = temporaryFolder();
  await runCommands(root, INIT, CREATE_API);
  const main = readFiles(root)["cmd/main.ts"] ?? "";
  writeFiles(root, {
    "pkg/greeting/greeting.json": '{ "text": "welcome aboard" }\n',
    "pkg/greeting/greeting.ts": 'import { text } from "./greeting.json";\n\nexport const greeting: string = text;\n',
    "cmd/main.ts": `import { greeting } from "../pkg/greeting/greeting.ts";\n${main.replace("Starting manager", "Starting manager: ${greeting}").replace(/"(Starting manager[^"]*)"/u, "`$1`")}`,
  });
  return root;
}

describe("the image of a project", () => {
  it("has a last stage without tools, as a user that is nobody", async () => {
    const root = await project();
    const stages = stagesOf(readFiles(root)["Dockerfile"] ?? "");
    expect(stages).toHaveLength(4);
    expect(stages[3]?.instructions.map(({ name }) => name)).toEqual(["WORKDIR", "COPY", "ENV", "USER", "ENTRYPOINT"]);
    expect(stages[3]?.instructions.find(({ name }) => name === "USER")?.value).toBe("65532:65532");
    expect(stages[3]?.instructions.find(({ name }) => name === "COPY")?.value).toBe(
      "--from=builder /workspace/dist/manager.mjs /manager.mjs",
    );
  });

  it("needs nothing in its context that .dockerignore keeps out", async () => {
    const root = await project();
    const context = Object.keys(readFiles(root)).filter((name) =>
      isInContext(readFiles(root)[".dockerignore"] ?? "", name),
    );
    expect(context).toEqual(
      expect.arrayContaining([
        "package.json",
        "tsconfig.json",
        "hack/build.mjs",
        "cmd/main.ts",
        "api/v1/guestbook_types.ts",
        "internal/controller/guestbook_controller.ts",
        "pkg/greeting/greeting.ts",
        "pkg/greeting/greeting.json",
      ]),
    );
    expect(context.filter((name) => /test|PROJECT|config\/|\.md$|node_modules|^\./u.test(name))).toEqual([]);
  });

  // The steps of the Dockerfile in folders in place of an engine; packages come from this checkout, as tarballs.
  it("builds in the steps of the Dockerfile, and what is built starts from a read-only folder", async () => {
    const root = await project();
    await runCommands(root, "docker-context");
    const ignore = readFiles(root)[".dockerignore"] ?? "";
    const [, , builder, last] = stagesOf(readFiles(root)["Dockerfile"] ?? "");
    const workspace = temporaryFolder();
    for (const { name, value } of builder?.instructions ?? []) {
      if (name === "COPY") copy(root, workspace, { value, ignore });
      if (name === "RUN") execFileSync("sh", ["-c", value], { cwd: workspace, stdio: "pipe" });
    }
    const image = temporaryFolder();
    const [from = "", to = ""] =
      last?.instructions
        .find(({ name }) => name === "COPY")
        ?.value.split(" ")
        .slice(1) ?? [];
    cpSync(path.join(workspace, path.relative("/workspace", from)), path.join(image, path.basename(to)));
    execFileSync("chmod", ["-R", "a-w,a+rX", image]);
    const manager = path.join(image, "manager.mjs");
    expect(spawnSync(process.execPath, [manager, "--help"], { encoding: "utf8" })).toMatchObject({
      status: 0,
      stdout: expect.stringContaining("--leader-elect"),
    });
    const entrypoint = last?.instructions.find(({ name }) => name === "ENTRYPOINT")?.value ?? "";
    const [, ...flags] = JSON.parse(entrypoint) as readonly string[];
    expect(flags.pop()).toBe(to);
    const lost = spawnSync(process.execPath, [...flags, manager], {
      encoding: "utf8",
      env: { PATH: process.env["PATH"], HOME: image },
    });
    expect(lost).toMatchObject({ status: 1, stderr: expect.stringContaining("CLIENT_NO_CONFIG") });
    // Stacks name the project's files and lines.
    expect(lost.stderr).toMatch(/at async main \(.*\/cmd\/main\.ts:\d+:\d+\)/u);
    await runCommands(root, "manifests");
    await expectHealthy(manager, path.join(root, "config", "crd", "bases"));
    expect(Object.keys(readFiles(image))).toEqual(["manager.mjs"]);
    execFileSync("chmod", ["-R", "u+w", image]);
  }, 180_000);
});

// Patterns as the project uses them: everything out, then names back in, then some of those out.
function isInContext(ignore: string, file: string): boolean {
  let isIn = true;
  for (const line of ignore.split("\n").filter((text) => text !== "" && !text.startsWith("#"))) {
    const pattern = line.replace(/^!/u, "");
    const source = pattern
      .replaceAll(/[.+]/gu, String.raw`\$&`)
      .replaceAll("**/", "<folders>")
      .replaceAll("**", "<all>")
      .replaceAll("*", "[^/]*")
      .replaceAll("<folders>", "(?:.*/)?")
      .replaceAll("<all>", ".*");
    if (new RegExp(`^${source}$`, "u").test(file)) isIn = line.startsWith("!");
  }
  return isIn;
}

function copy(
  root: string,
  workspace: string,
  { value, ignore }: { readonly value: string; readonly ignore: string },
): void {
  const words = value.split(" ");
  const target = words.at(-1) ?? ".";
  const files = Object.keys(readFiles(root)).filter(
    (name) => !name.startsWith("node_modules/") && isInContext(ignore, name),
  );
  const folders = listFolders(root);
  for (const word of words.slice(0, -1)) {
    if (word === ".") for (const file of files) copyFile(path.join(root, file), path.join(workspace, target, file));
    const pattern = new RegExp(`^${word.replaceAll(".", String.raw`\.`).replaceAll("*", "[^/]*")}$`, "u");
    for (const folder of folders.filter((name) => pattern.test(name))) {
      for (const file of files.filter((name) => name.startsWith(`${folder}/`)))
        copyFile(path.join(root, file), path.join(workspace, target, path.relative(folder, file)));
    }
    for (const file of files.filter((name) => pattern.test(name)))
      copyFile(path.join(root, file), path.join(workspace, target, path.basename(file)));
  }
}

function copyFile(from: string, to: string): void {
  mkdirSync(path.dirname(to), { recursive: true });
  cpSync(from, to);
  expect(statSync(to).isFile() && existsSync(to)).toBe(true);
}

async function expectHealthy(manager: string, definitions: string): Promise<void> {
  const { Environment } = await import("@kubescaffold/envtest");
  const environment = new Environment({ backend: "embedded", crdDirectoryPaths: [definitions] });
  await environment.start();
  const folder = temporaryFolder();
  const kubeconfig = path.join(folder, "kubeconfig");
  await environment.writeKubeconfig(kubeconfig);
  const user = unprivilegedUser();
  if (user !== undefined) for (const file of [folder, kubeconfig]) chownSync(file, user.uid, user.gid);
  const port = await freePort();
  const child = spawn(
    process.execPath,
    [manager, `--health-probe-bind-address=127.0.0.1:${String(port)}`, "--zap-devel=false"],
    {
      ...user,
      cwd: path.dirname(manager),
      env: { PATH: process.env["PATH"], KUBECONFIG: kubeconfig, ENABLE_WEBHOOKS: "false", NODE_ENV: "production" },
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  try {
    let text = "";
    await new Promise<void>((resolve, reject) => {
      child.stderr.on("data", (chunk) => {
        text += String(chunk);
        if (text.includes("starting workers") && text.includes("Starting manager: welcome aboard")) resolve();
      });
      child.on("exit", () => reject(new Error(text)));
    });
    for (const check of ["healthz", "readyz"]) {
      const response = await fetch(`http://127.0.0.1:${String(port)}/${check}`);
      expect([check, response.status, await response.text()]).toEqual([check, 200, "ok"]);
    }
    const ended = new Promise<number | null>((resolve) => child.on("exit", resolve));
    child.kill("SIGTERM");
    expect(await ended).toBe(0);
  } finally {
    child.kill("SIGKILL");
    await environment.stop();
  }
}

// The user of the last stage, where this process may become another and that one may run this Node.
function unprivilegedUser(): { readonly uid: number; readonly gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const user = { uid: 65_532, gid: 65_532 };
  return spawnSync(process.execPath, ["--eval", "0"], { ...user, cwd: "/" }).status === 0 ? user : undefined;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
