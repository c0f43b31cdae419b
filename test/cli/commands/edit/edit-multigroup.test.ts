import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { CREATE_API, CREATE_WEBHOOK, INIT, runCommand, runCommands } from "../../../support/run-command.ts";
import { readFiles, temporaryFolder, writeFiles } from "../../../support/temporary-folder.ts";

const COMMANDS = [
  CREATE_API,
  "create api --group webapp --version v1beta1 --kind Visitor --make=false",
  "create api --group apps --version v1 --kind Deployment --resource=false --make=false",
  CREATE_WEBHOOK,
];

async function project(...lines: readonly string[]): Promise<string> {
  const root = temporaryFolder();
  await runCommands(root, INIT, ...lines);
  return root;
}

describe("edit --multigroup", () => {
  it("makes of a project what it would be if it had been so from the start, and back", async () => {
    const [moved, fresh] = [await project(...COMMANDS), await project("edit --multigroup", ...COMMANDS)];
    const before = readFiles(moved);
    await runCommands(moved, "edit --multigroup");
    const kept = (files: Readonly<Record<string, string>>): readonly string[] =>
      Object.entries(files).map(([name, text]) => `${name}\n${sorted(name, text)}`);
    expect(kept(readFiles(moved))).toEqual(kept(readFiles(fresh)));
    await runCommands(moved, "edit --multigroup=false");
    expect(readFiles(moved)).toEqual(before);
  });

  it("splits a suite of several groups, and leaves nothing to review", async () => {
    const root = await project(
      CREATE_API,
      CREATE_WEBHOOK,
      "create webhook --group core --version v1 --kind Pod --defaulting --make=false",
    );
    const { stdout } = await runCommand(root, "edit --multigroup --make=false");
    expect(stdout).not.toContain("review");
    const files = readFiles(root);
    expect(files["internal/webhook/core/v1/webhook_suite.ts"]).toContain('from "./pod_webhook.ts"');
    expect(files["internal/webhook/webapp/v1/webhook_suite.ts"]).toContain('from "../../core/v1/pod_webhook.ts"');
  });

  it("keeps what was changed by hand, files beside others too, with imports that lead where they led", async () => {
    const root = await project(CREATE_API.replace(" --make=false", ""));
    const controller = path.join(root, "internal/controller/guestbook_controller.ts");
    const suite = path.join(root, "internal/controller/suite.ts");
    writeFileSync(controller, readFileSync(controller, "utf8").replace("return {};", "return size();"));
    writeFileSync(controller, `import { size } from './sizes.ts';\n${readFileSync(controller, "utf8")}`);
    writeFileSync(suite, `${readFileSync(suite, "utf8")}// mine\n`);
    writeFiles(root, {
      "internal/controller/sizes.ts":
        'import type { Guestbook } from "../../api/v1/guestbook_types.ts";\nexport const size = (g?: Guestbook) => ({});\n',
      "internal/report.ts":
        'export * from "./controller/sizes.ts";\nconst later = () => import("../api/v1/guestbook_types.ts");\n',
    });
    await runCommands(root, "edit --multigroup");
    const files = readFiles(root);
    const moved = files["internal/controller/webapp/guestbook_controller.ts"] ?? "";
    expect(moved).toContain("import { size } from './sizes.ts';\n");
    expect(moved).toContain('import { Guestbook } from "../../../api/webapp/v1/guestbook_types.ts";');
    expect(moved).toContain("return size();");
    expect(files["internal/controller/webapp/sizes.ts"]).toContain('"../../../api/webapp/v1/guestbook_types.ts"');
    expect(files["internal/controller/webapp/suite.ts"]).toMatch(
      /import\.meta\.dirname, "\.\.\/\.\.\/\.\."[^]*\/\/ mine\n$/u,
    );
    expect(files["internal/report.ts"]).toBe(
      'export * from "./controller/webapp/sizes.ts";\nconst later = () => import("../api/webapp/v1/guestbook_types.ts");\n',
    );
    expect(files["cmd/main.ts"]).toContain('from "../internal/controller/webapp/guestbook_controller.ts"');
    expect(Object.keys(files).filter((name) => /^(?:api\/v1|internal\/controller\/[^/]+\.ts)/u.test(name))).toEqual([]);
    expect((await runCommand(root, "doctor")).stdout).not.toContain("error:");
  });

  it("lets a second group in", async () => {
    const root = await project(CREATE_API);
    const second = "create api --group crew --version v1 --kind Captain --make=false";
    expect(await runCommand(root, second)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("edit --multigroup"),
    });
    await runCommands(root, "edit --multigroup", second);
    const { status, stderr } = await runCommand(root, "edit --multigroup=false");
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining("webapp, crew") });
  });
});

// Where entries of several commands meet, their order is that of the commands.
function sorted(name: string, text: string): string {
  return /kustomization\.yaml$|cmd\/main\.ts$/u.test(name) ? text.split("\n").toSorted().join("\n") : text;
}
