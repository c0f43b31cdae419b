import { describe, expect, it } from "vitest";

import {
  detectPackageManager,
  packageManagerOf,
  readPackageManager,
  withPackageManager,
  withManager,
} from "../../src/project/package-manager.ts";
import { BASE_SECTION, type ProjectConfig } from "../../src/project/project-config.ts";

function detected(files: Readonly<Record<string, string>>, userAgent?: string): unknown {
  return detectPackageManager({ read: (file) => files[file], exists: (file) => files[file] !== undefined, userAgent });
}

const RECORD = `plugins:\n  ${BASE_SECTION}:\n    packageManager: bun@1.4.5\n`;

describe("the package manager of a folder", () => {
  it.each([
    ["npm without any sign", {}, undefined, { name: "npm" }],
    [
      "the field of package.json",
      { "package.json": '{ "packageManager": "pnpm@12.1.0" }' },
      undefined,
      { name: "pnpm", version: "12.1.0" },
    ],
    [
      "the field, without its hash",
      { "package.json": '{ "packageManager": "yarn@4.1.0+sha224.00ff" }' },
      undefined,
      { name: "yarn", version: "4.1.0" },
    ],
    [
      "the field, before a lock file",
      { "package.json": '{ "packageManager": "pnpm@12.1.0" }', "yarn.lock": "" },
      undefined,
      { name: "pnpm", version: "12.1.0" },
    ],
    [
      "a package.json with a byte order mark",
      { "package.json": '\uFEFF{ "packageManager": "bun@1.4.5" }' },
      undefined,
      { name: "bun", version: "1.4.5" },
    ],
    ["a lock file of npm", { "package-lock.json": "{}" }, "pnpm/12.1.0", { name: "npm" }],
    ["a lock file of pnpm", { "pnpm-lock.yaml": "" }, "npm/11.0.0", { name: "pnpm" }],
    ["a lock file of yarn", { "yarn.lock": "" }, undefined, { name: "yarn" }],
    ["a lock file of bun", { "bun.lock": "" }, undefined, { name: "bun" }],
    ["a binary lock file of bun", { "bun.lockb": "" }, undefined, { name: "bun" }],
    ["the record of PROJECT", { PROJECT: RECORD }, "npm/11.0.0", { name: "bun", version: "1.4.5" }],
    [
      "the record, for the version of a lock file's manager",
      { PROJECT: RECORD, "bun.lock": "" },
      undefined,
      { name: "bun", version: "1.4.5" },
    ],
    ["a lock file, before the record", { PROJECT: RECORD, "pnpm-lock.yaml": "" }, undefined, { name: "pnpm" }],
    [
      "the record, where lock files disagree",
      { PROJECT: RECORD, "pnpm-lock.yaml": "", "yarn.lock": "" },
      undefined,
      { name: "bun", version: "1.4.5" },
    ],
    [
      "the program that started this one",
      {},
      "pnpm/12.1.0 npm/? node/v22.0.0 linux x64",
      { name: "pnpm", version: "12.1.0" },
    ],
    [
      "bunx, as a program that started this one",
      {},
      "bun/1.4.5 npm/? node/v24.0.0 linux x64",
      { name: "bun", version: "1.4.5" },
    ],
    ["nothing of an unknown program", {}, "deno/2.0.0", { name: "npm" }],
    [
      "nothing of an unknown field",
      { "package.json": '{ "packageManager": "vlt@1.0.0" }' },
      undefined,
      { name: "npm" },
    ],
    ["nothing of a broken package.json", { "package.json": "{" }, undefined, { name: "npm" }],
    ["no version of a range", { "package.json": '{ "packageManager": "pnpm@^12" }' }, undefined, { name: "pnpm" }],
    [
      "no version that is a command",
      { "package.json": '{ "packageManager": "pnpm@12.0.0;reboot" }' },
      undefined,
      { name: "pnpm" },
    ],
  ] as const)("is %s", (_title, files, userAgent, expected) => {
    expect(detected(files, userAgent)).toEqual(expected);
  });

  it("is recorded in PROJECT, except for npm", () => {
    const project: ProjectConfig = { layout: [], version: "3", plugins: { [BASE_SECTION]: { resources: [] } } };
    const recorded = withPackageManager(project, { name: "pnpm", version: "12.1.0" });
    expect(recorded.plugins).toEqual({ [BASE_SECTION]: { resources: [], packageManager: "pnpm@12.1.0" } });
    expect(packageManagerOf(recorded)).toEqual({ name: "pnpm", version: "12.1.0" });
    expect(withPackageManager(recorded, { name: "npm" })).toEqual(project);
    expect(packageManagerOf(project)).toEqual({ name: "npm" });
  });

  it("is nothing that is not a text", () => {
    for (const value of [undefined, null, 3, {}, ["pnpm"], "", "@", "PNPM"])
      expect(readPackageManager(value)).toBeUndefined();
  });
});

const TEXT = [
  "run npm run manifests and npm run generate, or `npm run compat -- --from=HEAD`",
  "npm install",
  "npm install acme    # has the types of Certificate",
  "`npm install @acme/types`, `npm test`, `npm ci`, and `npm run --silent build`",
  "npx scaffold doctor, `npx kubescaffold@latest alpha update`, `npx vitest run x`",
  "an npm package of the npm registry, packed by `npm pack`; pnpm run stays",
].join("\n");

describe("a message with commands", () => {
  it("stays as it is for npm", () => {
    expect(withManager(TEXT, { name: "npm" })).toBe(TEXT);
  });

  it.each([
    [
      { name: "pnpm", version: "12.1.0" },
      [
        "run pnpm run manifests and pnpm run generate, or `pnpm run compat --from=HEAD`",
        "pnpm install",
        "pnpm add acme    # has the types of Certificate",
        "`pnpm add @acme/types`, `pnpm test`, `pnpm install --frozen-lockfile`, and `pnpm --silent run build`",
        "pnpm exec scaffold doctor, `pnpm dlx kubescaffold@latest alpha update`, `pnpm exec vitest run x`",
      ],
    ],
    [
      { name: "yarn", version: "4.1.0" },
      [
        "run yarn run manifests and yarn run generate, or `yarn run compat --from=HEAD`",
        "yarn install",
        "yarn add acme    # has the types of Certificate",
        "`yarn add @acme/types`, `yarn test`, `yarn install --immutable`, and `yarn run build`",
        "yarn scaffold doctor, `yarn dlx kubescaffold@latest alpha update`, `yarn vitest run x`",
      ],
    ],
    [
      { name: "yarn", version: "1.22.22" },
      [
        "run yarn run manifests and yarn run generate, or `yarn run compat --from=HEAD`",
        "yarn install",
        "yarn add acme    # has the types of Certificate",
        "`yarn add @acme/types`, `yarn test`, `yarn install --frozen-lockfile`, and `yarn run --silent build`",
        "yarn scaffold doctor, `npx kubescaffold@latest alpha update`, `yarn vitest run x`",
      ],
    ],
    [
      { name: "bun", version: "1.4.5" },
      [
        "run bun run manifests and bun run generate, or `bun run compat --from=HEAD`",
        "bun install",
        "bun add acme    # has the types of Certificate",
        "`bun add @acme/types`, `bun run test`, `bun install --frozen-lockfile`, and `bun run --silent build`",
        "bunx scaffold doctor, `bunx kubescaffold@latest alpha update`, `bunx vitest run x`",
      ],
    ],
  ] as const)("names those of %j", (manager, lines) => {
    const rest = TEXT.split("\n").at(-1) ?? "";
    const printed = withManager(TEXT, manager);
    expect(printed).toBe([...lines, rest].join("\n"));
  });
});
