import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { converse, KEYS } from "../../support/converse.ts";
import { CREATE_API, CREATE_WEBHOOK, INIT, runCommand, runCommands } from "../../support/run-command.ts";
import { readFiles, temporaryFolder } from "../../support/temporary-folder.ts";

const TYPES = "api/v1/guestbook_types.ts";
const WEBHOOK = "internal/webhook/v1/guestbook_webhook.ts";
const GVK = "--group webapp --version v1 --kind Guestbook";
const FLAGS = "--resource --controller --force";

async function changed(...files: readonly string[]): Promise<string> {
  const root = temporaryFolder();
  await runCommands(root, INIT, CREATE_API, CREATE_WEBHOOK);
  for (const file of files.map((each) => path.join(root, each)))
    writeFileSync(file, `${readFileSync(file, "utf8")}// mine\n`);
  return root;
}

const CASES = [
  ["create api", `${CREATE_API} ${FLAGS}`, TYPES, `Replace ${TYPES} as shown above? [y/N]`],
  ["create webhook", `${CREATE_WEBHOOK} --force`, WEBHOOK, `Replace ${WEBHOOK} as shown above? [y/N]`],
  ["delete webhook", `delete webhook ${GVK} --make=false --force`, WEBHOOK, `Delete ${WEBHOOK} as shown above? [y/N]`],
  ["delete api", `delete api ${GVK} --make=false --force`, TYPES, `Delete ${TYPES} as shown above? [y/N]`],
  ["alpha generate", "alpha generate --make=false --force", TYPES, `Replace ${TYPES} as shown above? [y/N]`],
] as const;

describe("--force", () => {
  it.for(CASES)("of %s shows what the user changed and asks, at a terminal", async ([, line, file, question]) => {
    const root = await changed(file);
    const before = readFiles(root);
    const refused = await converse(root, line, [[question, KEYS.enter]]);
    expect(refused).toMatchObject({ status: 1, unasked: [], stdout: expect.stringContaining("-// mine\n") });
    expect(refused.stderr).toContain("CLI_CANCELLED");
    expect(readFiles(root)).toEqual(before);
    const agreed = await converse(root, line, [[question, `y${KEYS.enter}`]]);
    expect(agreed).toMatchObject({ status: 0, unasked: [], stderr: "" });
    expect(readFiles(root)[file] ?? "").not.toContain("// mine");
  });

  it.for(CASES)(
    "of %s asks nothing with --yes, and nothing where nobody can answer",
    async ([, line, file, question]) => {
      const [told, alone] = [await changed(file), await changed(file)];
      const { status, screen } = await converse(told, `${line} --yes`, []);
      expect(status).toBe(0);
      expect(screen).not.toContain(question);
      expect(await runCommand(alone, line)).toMatchObject({ status: 0 });
      expect(readFiles(told)).toEqual(readFiles(alone));
    },
  );

  it("asks once about several files", async () => {
    const root = await changed(TYPES, "internal/controller/guestbook_controller.ts");
    const { status, unasked } = await converse(root, `${CREATE_API} ${FLAGS}`, [
      ["Replace these 2 files as shown above?", `yes${KEYS.enter}`],
    ]);
    expect({ status, unasked }).toEqual({ status: 0, unasked: [] });
  });

  it("asks nothing when nothing is lost, and nothing on a dry run", async () => {
    const root = await changed();
    expect(await converse(root, `${CREATE_API} ${FLAGS}`, [])).toMatchObject({ status: 0 });
    const other = await changed(TYPES);
    const { status, screen } = await converse(other, `${CREATE_API} ${FLAGS} --dry-run`, []);
    expect(status).toBe(0);
    expect(screen).not.toContain("as shown above");
  });
});
