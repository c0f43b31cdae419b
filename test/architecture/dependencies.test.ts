import { expect, it } from "vitest";

import { readSource } from "./source-files.ts";

const ROW = /^\| (?<names>`.+`) \| (?<used>\d+) \| (?<newest>\d+) \|/gmu;

it("the table of dependencies in CONTRIBUTING.md names the major versions that are installed", () => {
  const { packages } = JSON.parse(readSource("package-lock.json")) as {
    readonly packages: Readonly<Record<string, { readonly version?: string }>>;
  };
  const rows = [...readSource("CONTRIBUTING.md").matchAll(ROW)].flatMap(({ groups }) =>
    [...(groups?.["names"] ?? "").matchAll(/`(?<name>[^`]+)`/gu)].map(({ groups: one }) => ({
      name: one?.["name"] ?? "",
      used: Number(groups?.["used"]),
      newest: Number(groups?.["newest"]),
    })),
  );
  expect(rows.length).toBeGreaterThan(5);
  for (const { name, used, newest } of rows) {
    expect({ name, used }).toEqual({
      name,
      used: Number.parseInt(packages[`node_modules/${name}`]?.version ?? "", 10),
    });
    expect(newest).toBeGreaterThan(used);
  }
});
