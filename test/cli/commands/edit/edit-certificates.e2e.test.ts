import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { CREATE_API, CREATE_WEBHOOK, INIT, runCommand, runCommands } from "../../../support/run-command.ts";
import { readFiles, temporaryFolder } from "../../../support/temporary-folder.ts";

const LIVENESS_MS = 300_000;
const SELF_MANAGED = "--certificates self-managed";
const DEFAULT = "config/default/kustomization.yaml";
const MAIN = "cmd/main.ts";
const withMake = (line: string): string => line.replace(" --make=false", "");

async function project(...lines: readonly string[]): Promise<string> {
  const root = temporaryFolder();
  await runCommands(root, ...lines);
  return root;
}

function change(root: string, file: string, edit: (text: string) => string): void {
  writeFileSync(path.join(root, file), edit(readFileSync(path.join(root, file), "utf8")));
}

const CONVERSION = [
  CREATE_API,
  "create api --group webapp --version v2 --kind Guestbook --controller=false --make=false",
  "create webhook --group webapp --version v1 --kind Guestbook --conversion --spoke v2 --make=false",
];

const PROJECTS: readonly (readonly [string, readonly string[]])[] = [
  ["an empty project", []],
  ["an API without webhooks", [CREATE_API]],
  ["an API with webhooks and manifests", [withMake(CREATE_API), withMake(CREATE_WEBHOOK)]],
  ["a webhook for a kind of Kubernetes", ["create webhook --group core --version v1 --kind Pod --defaulting"]],
  ["versions that convert", CONVERSION],
  [
    "several kinds with webhooks that were added one after the other",
    [
      ...CONVERSION,
      "create webhook --group webapp --version v1 --kind Guestbook --programmatic-validation --make=false",
      "create api --group webapp --version v1 --kind Visitor --namespaced=false --make=false",
      "create api --group webapp --version v2 --kind Visitor --namespaced=false --controller=false --make=false",
      "create webhook --group webapp --version v1 --kind Visitor --conversion --spoke v2 --make=false",
      "create webhook --group webapp --version v1 --kind Visitor --defaulting --make=false",
    ],
  ],
  ["several groups", ["edit --multigroup --license none", withMake(CREATE_API), withMake(CREATE_WEBHOOK)]],
  ["a manager of one namespace", ["edit --namespaced", withMake(CREATE_API), withMake(CREATE_WEBHOOK)]],
];

describe("edit --certificates", { timeout: LIVENESS_MS }, () => {
  it.for(PROJECTS)("makes of %s what it would be if it had been so from the start, and back", async ([, lines]) => {
    const [edited, fresh] = [await project(INIT, ...lines), await project(`${INIT} ${SELF_MANAGED}`, ...lines)];
    const [before, managed] = [readFiles(edited), readFiles(fresh)];
    expect(managed[MAIN]).toContain("certificates: selfManagedFromEnv({");
    await runCommands(edited, `edit ${SELF_MANAGED}`);
    expect(readFiles(edited)).toEqual(managed);
    await runCommands(edited, "edit --certificates cert-manager");
    expect(readFiles(edited)).toEqual(before);
    await runCommands(fresh, "edit --certificates=cert-manager");
    expect(readFiles(fresh)).toEqual(before);
  });

  it("is part of `create webhook`, too", async () => {
    const once = await project(INIT, CREATE_API, `${CREATE_WEBHOOK} ${SELF_MANAGED}`);
    const fresh = await project(`${INIT} ${SELF_MANAGED}`, CREATE_API, CREATE_WEBHOOK);
    expect(readFiles(once)).toEqual(readFiles(fresh));
    await runCommands(
      once,
      "create webhook --group core --version v1 --kind Pod --programmatic-validation --certificates cert-manager",
    );
    expect(readFiles(once)).toEqual(
      readFiles(
        await project(
          INIT,
          CREATE_API,
          CREATE_WEBHOOK,
          "create webhook --group core --version v1 --kind Pod --programmatic-validation",
        ),
      ),
    );
  });

  it("together with --namespaced and --multigroup makes of a project what each would", async () => {
    const lines = [withMake(CREATE_API), withMake(CREATE_WEBHOOK)];
    const [once, apart] = [await project(INIT, ...lines), await project(INIT, ...lines)];
    await runCommands(once, `edit ${SELF_MANAGED} --namespaced --multigroup`);
    await runCommands(apart, `edit ${SELF_MANAGED}`, "edit --multigroup", "edit --namespaced");
    expect(readFiles(once)).toEqual(readFiles(apart));
  });

  it("keeps what was changed by hand", async () => {
    const root = await project(INIT, withMake(CREATE_API), withMake(CREATE_WEBHOOK));
    change(root, DEFAULT, (text) =>
      text.replace("#- ../prometheus", "- ../prometheus").replace("#- ../network-policy", "- ../network-policy"),
    );
    change(root, MAIN, (text) => text.replace("  setupLog.info(", '  setupLog.info("mine");\n  setupLog.info('));
    change(root, "config/certmanager/issuer.yaml", (text) =>
      text.replace("selfSigned: {}", "ca: { secretName: mine }"),
    );
    const before = readFiles(root);
    const { status, stdout } = await runCommand(root, `edit ${SELF_MANAGED}`);
    expect(status).toBe(0);
    expect(stdout).toContain("Kept config/certmanager/issuer.yaml, which was changed by hand");
    const files = readFiles(root);
    expect(files[DEFAULT]).toContain("\n- ../prometheus\n");
    expect(files[DEFAULT]).toContain("\n- ../certificates\n");
    expect(files[DEFAULT]).not.toContain("certmanager");
    expect(files[MAIN]).toContain('setupLog.info("mine");');
    expect(Object.keys(files).filter((file) => file.startsWith("config/certmanager/"))).toEqual([
      "config/certmanager/issuer.yaml",
    ]);
    await runCommands(root, "edit --certificates cert-manager --force --yes");
    expect(readFiles(root)).toEqual({
      ...before,
      "config/certmanager/issuer.yaml": expect.stringContaining("selfSigned: {}"),
    });
  });

  it("refuses lines that were changed where the setting belongs, shows what belongs there, and changes nothing", async () => {
    const root = await project(INIT, withMake(CREATE_API), withMake(CREATE_WEBHOOK));
    change(root, "config/default/manager_webhook_patch.yaml", (text) =>
      text.replace("readOnly: true", "readOnly: true # mine"),
    );
    const before = readFiles(root);
    const { status, stderr } = await runCommand(root, `edit ${SELF_MANAGED}`);
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining("[CLI_UNMERGED_FILES]") });
    expect(stderr).toContain("+++ b/config/default/manager_webhook_patch.yaml\n");
    expect(readFiles(root)).toEqual(before);
    await runCommands(root, `edit ${SELF_MANAGED} --force --yes`);
    expect(readFiles(root)).toEqual(
      readFiles(await project(`${INIT} ${SELF_MANAGED}`, withMake(CREATE_API), withMake(CREATE_WEBHOOK))),
    );
  });

  it("shows the issuer, and refuses others", async () => {
    const root = await project(`${INIT} ${SELF_MANAGED}`);
    expect((await runCommand(root, "edit --show")).stdout).toMatch(/^certificates {7}self-managed$/mu);
    expect(await runCommand(root, "edit --certificates vault")).toMatchObject({ status: 1 });
    change(root, "PROJECT", (text) => text.replace("self-managed", "vault"));
    const refused = await runCommand(root, "edit --multigroup");
    expect(refused).toMatchObject({ status: 1 });
    expect(refused.stderr).toContain("cert-manager or self-managed");
  });

  it("leaves nothing behind when the last webhook is deleted", async () => {
    const [root, without] = [
      await project(`${INIT} ${SELF_MANAGED}`, CREATE_API, CREATE_WEBHOOK),
      await project(`${INIT} ${SELF_MANAGED}`, CREATE_API),
    ];
    await runCommands(root, "delete webhook --group webapp --version v1 --kind Guestbook --yes --make=false");
    expect(readFiles(root)).toEqual(readFiles(without));
  });

  it("follows a kind that is renamed", async () => {
    const root = await project(`${INIT} ${SELF_MANAGED}`, ...CONVERSION);
    await runCommands(root, "rename api --group webapp --kind Guestbook --to-kind Diary --make=false");
    const files = readFiles(root);
    expect(files["config/certificates/injector_role.yaml"]).toContain("- diaries.webapp.");
    expect(files[MAIN]).toMatch(/"diaries\.webapp\.[a-z.]+",\n/u);
    expect(JSON.stringify(files)).not.toContain("guestbooks.webapp");
  });
});
