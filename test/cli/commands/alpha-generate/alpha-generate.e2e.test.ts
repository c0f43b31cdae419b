import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { CREATE_API, CREATE_WEBHOOK, INIT, runCommand, runCommands } from "../../../support/run-command.ts";
import { readFiles, temporaryFolder, writeFiles } from "../../../support/temporary-folder.ts";

const WEBAPP = "--group webapp --version v1 --kind Guestbook";
const QUICK = "--make=false";

// Projects that together use every feature, with the commands in an order that PROJECT does not tell.
const PROJECTS: readonly (readonly [string, readonly string[]])[] = [
  ["a new project", [INIT]],
  ["a project without a license, scoped to namespaces", [`${INIT} --license none --namespaced`, CREATE_API]],
  ["an API with webhooks, manifests and schemas", [INIT, CREATE_API, CREATE_WEBHOOK.replace(` ${QUICK}`, "")]],
  [
    "several groups, versions, named controllers, a plural and paths of webhooks",
    [
      `${INIT} --multigroup --license copyright --owner Acme`,
      CREATE_API,
      `create api --group crew --version v1 --kind Captain --plural captainz --namespaced=false ${QUICK}`,
      `create api --group webapp --version v2 --kind Guestbook --controller=false ${QUICK}`,
      `create api ${WEBAPP} --resource=false --controller-name guestbook-backup ${QUICK}`,
      `create webhook --group crew --version v1 --kind Captain --defaulting --defaulting-path /fill-captain ${QUICK}`,
      CREATE_WEBHOOK,
      `create api --group webapp --version v1 --kind Visitor ${QUICK}`,
    ],
  ],
  [
    "a version that was copied from another, with the hub that came later",
    [
      INIT,
      CREATE_API.replace("v1", "v1alpha1"),
      `${CREATE_API} --from v1alpha1`,
      `create webhook ${WEBAPP} --conversion --spoke v1alpha1 ${QUICK}`,
      `${CREATE_API.replace("v1", "v2")} --from v1`,
    ],
  ],
  [
    "a copy of a version that deploys an image",
    [
      INIT,
      `create api --group cache --version v1alpha1 --kind Memcached --image memcached:1.6.26 --plugins deploy-image/v1-alpha ${QUICK}`,
      `create api --group cache --version v1 --kind Memcached --from v1alpha1 ${QUICK}`,
    ],
  ],
  [
    "kinds of Kubernetes and of others",
    [
      INIT,
      `create api --group apps --version v1 --kind Deployment --resource=false ${QUICK}`,
      `create webhook --group core --version v1 --kind Pod --defaulting ${QUICK}`,
      `create api --group certs --version v1 --kind Issuer --resource=false --external-api-path @acme/issuers/v1 --external-api-domain acme.io --external-api-module @acme/issuers@^1.2.0 ${QUICK}`,
      CREATE_API,
      CREATE_WEBHOOK,
    ],
  ],
  [
    "webhooks of which the validator came first",
    [
      INIT,
      CREATE_API,
      `create webhook ${WEBAPP} --programmatic-validation ${QUICK}`,
      `create webhook ${WEBAPP} --defaulting --defaulting-path /fill-it ${QUICK}`,
    ],
  ],
];

async function project(...lines: readonly string[]): Promise<string> {
  const root = path.join(temporaryFolder(), "project");
  mkdirSync(root);
  await runCommands(root, ...lines);
  return root;
}

function commitAll(root: string): void {
  const git = (...words: readonly string[]): void => void execFileSync("git", words, { cwd: root, stdio: "pipe" });
  git("init", "-q");
  git("add", "-A");
  git("-c", "user.name=t", "-c", "user.email=t@example.com", "commit", "-q", "-m", "start");
}

describe("alpha generate", () => {
  it.for(PROJECTS)("makes %s again, byte for byte, into another folder", async ([, lines]) => {
    const root = await project(...lines);
    const make = lines.every((line) => line.includes(QUICK) || line.startsWith("init")) ? ` ${QUICK}` : "";
    await runCommands(root, `alpha generate --output-dir ../again${make}`);
    expect(readFiles(path.join(root, "../again"))).toEqual(readFiles(root));
  });

  it.for(PROJECTS)("changes nothing of %s in place", async ([, lines]) => {
    const root = await project(...lines);
    const files = readFiles(root);
    const { stdout, status } = await runCommand(root, `alpha generate ${QUICK}`);
    expect({ status, stdout }).toEqual({
      status: 0,
      stdout: expect.stringContaining("already matches its PROJECT file"),
    });
    expect(readFiles(root)).toEqual(files);
  });

  it("regenerates scaffolded files in place, and keeps those of the user and what PROJECT says beside", async () => {
    const root = await project(INIT, CREATE_API);
    const fresh = readFiles(root);
    const controller = "internal/controller/guestbook_controller.ts";
    writeFiles(root, {
      [controller]: `${fresh[controller] ?? ""}// mine\n`,
      "internal/sizes.ts": "export const size = 1;\n",
      PROJECT: `${(fresh["PROJECT"] ?? "").replace(/^cliVersion: .*$/mu, "cliVersion: 0.0.1 # the first")}mine: true # kept\n`,
    });
    commitAll(root);
    await runCommands(root, `alpha generate ${QUICK}`);
    const files = readFiles(root);
    expect(files[controller]).toBe(fresh[controller]);
    expect(files["internal/sizes.ts"]).toBe("export const size = 1;\n");
    expect(files["PROJECT"]).toContain("cliVersion: 0.1.0 # the first\n");
    expect(files["PROJECT"]).toContain("mine: true # kept\n");
    const again = readFiles(root);
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.com", "commit", "-qam", "next"], {
      cwd: root,
    });
    await runCommands(root, `alpha generate ${QUICK}`);
    expect({ ...readFiles(root), x: "" }).toMatchObject(
      Object.fromEntries(Object.entries(again).filter(([name]) => !name.startsWith(".git/"))),
    );
  });

  it("keeps the storage version that the user has chosen", async () => {
    const root = await project(INIT, CREATE_API, `${CREATE_API.replace("v1", "v2")} --from v1`);
    const [first, second] = ["api/v1/guestbook_types.ts", "api/v2/guestbook_types.ts"];
    const files = readFiles(root);
    writeFiles(root, {
      [first]: (files[first] ?? "").replace(" * +kubebuilder:storageversion\n", ""),
      [second]: (files[second] ?? "").replace(
        " * +kubebuilder:subresource:status\n",
        "$& * +kubebuilder:storageversion\n",
      ),
    });
    const { stdout } = await runCommand(root, `alpha generate ${QUICK}`);
    expect(stdout).toContain("already matches its PROJECT file");
  });

  it("refuses a work tree with changes that git does not have, unless it is forced or only looks", async () => {
    const root = await project(INIT, CREATE_API);
    commitAll(root);
    const main = path.join(root, "cmd/main.ts");
    const changed = `${readFileSync(main, "utf8")}// mine\n`;
    writeFileSync(main, changed);
    const { status, stderr } = await runCommand(root, `alpha generate ${QUICK}`);
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining("CLI_UNCLEAN_WORK_TREE") });
    expect(stderr).toContain("M cmd/main.ts");
    expect(readFileSync(main, "utf8")).toBe(changed);
    const dry = await runCommand(root, `alpha generate ${QUICK} --dry-run`);
    expect(dry).toMatchObject({ status: 0, stdout: expect.stringContaining("-// mine") });
    expect(readFileSync(main, "utf8")).toBe(changed);
    await runCommands(root, `alpha generate ${QUICK} --force`);
    expect(readFileSync(main, "utf8")).toBe(changed.replace("// mine\n", ""));
  });

  it("refuses to write over files that no git keeps", async () => {
    const root = await project(INIT);
    writeFileSync(path.join(root, "Makefile"), "mine:\n");
    const { status, stderr } = await runCommand(root, `alpha generate ${QUICK}`);
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining("it is not in a git repository") });
    expect(readFileSync(path.join(root, "Makefile"), "utf8")).toBe("mine:\n");
  });

  it("leaves everything as it was when the sources cannot be generated from", async () => {
    const root = await project(INIT, CREATE_API);
    writeFiles(root, {
      "api/v1/broken_types.ts":
        "/** +kubebuilder:object:root=true\n * +kubebuilder:nonsense=1 */\nexport interface Broken { x: symbol }\n",
    });
    const files = readFiles(root);
    const { status } = await runCommand(root, "alpha generate --force");
    expect(status).toBe(1);
    expect(readFiles(root)).toEqual(files);
  });

  it("refuses an output folder with a project in it, and leaves no folder behind when it fails", async () => {
    const root = await project(INIT);
    await runCommands(root, `alpha generate --output-dir ../again ${QUICK}`);
    writeFileSync(path.join(root, "../again/Makefile"), "mine:\n");
    const second = await runCommand(root, `alpha generate --output-dir ../again ${QUICK}`);
    expect(second).toMatchObject({ status: 1, stderr: expect.stringContaining("CLI_FOLDER_IN_USE") });
    const none = await runCommand(path.dirname(root), "alpha generate --output-dir new/one");
    expect(none).toMatchObject({ status: 1, stderr: expect.stringContaining("PROJECT_NOT_FOUND") });
    expect(existsSync(path.join(root, "../new"))).toBe(false);
  });
});
