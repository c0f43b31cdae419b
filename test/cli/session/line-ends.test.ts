import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { CREATE_API, CREATE_WEBHOOK, INIT, runCommand, runCommands } from "../../support/run-command.ts";
import { readFiles, temporaryFolder } from "../../support/temporary-folder.ts";

const MADE = ["manifests", "generate"];
const OTHER = "--group webapp --version v1 --kind Visitor";

async function checkoutWithCrlf(...lines: readonly string[]): Promise<string> {
  const root = temporaryFolder();
  await runCommands(root, INIT, ...lines);
  for (const [file, text] of Object.entries(readFiles(root)))
    writeFileSync(path.join(root, file), text.replaceAll("\n", "\r\n"));
  return root;
}

function withLineFeeds(files: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(files).map(([file, text]) => [file, text.replaceAll("\r\n", "\n")]));
}

describe("a checkout with CRLF", () => {
  it.for([
    ["an API", MADE, [`create api ${OTHER} --make=false`], [`delete api ${OTHER} --make=false --force`]],
    [
      "an API with webhooks and manifests",
      MADE,
      [
        `create api ${OTHER} --ssa`,
        `create webhook ${OTHER} --defaulting --programmatic-validation`,
        `create webhook ${OTHER} --validation-path=/check --programmatic-validation --force`,
      ],
      [`delete api ${OTHER} --force`],
    ],
    [
      "a webhook",
      MADE,
      ["create webhook --group webapp --version v1 --kind Guestbook --defaulting"],
      ["delete webhook --group webapp --version v1 --kind Guestbook --force"],
    ],
    ["several groups", MADE, ["edit --multigroup"], ["edit --multigroup=false"]],
    ["a scope", MADE, ["edit --namespaced"], ["edit --namespaced=false"]],
    [
      "another name of its kind",
      ["generate"],
      ["rename api --group webapp --version v1 --kind Guestbook --to-kind Visit --make=false"],
      ["rename api --group webapp --version v1 --kind Visit --to-kind Guestbook --make=false"],
    ],
  ] as const)("is as it was, byte for byte, after %s came and went", async ([, start, there, back]) => {
    const root = await checkoutWithCrlf(CREATE_API, ...start);
    const before = readFiles(root);
    await runCommands(root, ...there);
    const between = readFiles(root);
    expect(between).not.toEqual(before);
    await runCommands(root, ...back);
    expect(readFiles(root)).toEqual(before);
    const changed = Object.entries(between).filter(([file]) => file in before);
    expect(changed.filter(([, text]) => /[^\r]\n/u.test(text)).map(([file]) => file)).toEqual([]);
  });

  it("gets the same project from every command as one with line feeds", async () => {
    const lines = [
      `create api ${OTHER}`,
      CREATE_WEBHOOK,
      "edit --plugins=helm/v2-alpha",
      "edit --plugins=grafana/v1-alpha",
      "edit --license copyright --owner Ada",
      "edit --multigroup",
      "manifests",
      "generate",
    ];
    const root = await checkoutWithCrlf(CREATE_API);
    const plain = temporaryFolder();
    await runCommands(plain, INIT, CREATE_API);
    await runCommands(root, ...lines);
    await runCommands(plain, ...lines);
    expect(withLineFeeds(readFiles(root))).toEqual(readFiles(plain));
  });

  it("has nothing that doctor or another run of the generators would change", async () => {
    const root = await checkoutWithCrlf(CREATE_API, CREATE_WEBHOOK, "manifests", "generate");
    const before = readFiles(root);
    const { stdout } = await runCommand(root, "doctor");
    expect(stdout).not.toMatch(/^(?:error|warning)/mu);
    await runCommands(root, "manifests", "generate", "alpha generate --force --yes");
    expect(readFiles(root)).toEqual(before);
  });

  it("has its own files that delete takes for unchanged", async () => {
    const root = await checkoutWithCrlf(CREATE_API, CREATE_WEBHOOK, ...MADE);
    await runCommands(root, "delete api --group webapp --version v1 --kind Guestbook");
    expect(Object.keys(readFiles(root)).filter((file) => file.includes("guestbook_"))).toEqual([]);
  });

  it("keeps the line ends of each line where they are mixed", async () => {
    const root = temporaryFolder();
    await runCommands(root, INIT, CREATE_API);
    const file = path.join(root, "cmd/main.ts");
    const mixed = readFileSync(file, "utf8")
      .split("\n")
      .map((line, index) => (index % 3 === 0 ? `${line}\r` : line))
      .join("\n");
    writeFileSync(file, mixed);
    await runCommands(root, `create api ${OTHER} --make=false`, `delete api ${OTHER} --make=false --force`);
    expect(readFileSync(file, "utf8")).toBe(mixed);
  });
});
