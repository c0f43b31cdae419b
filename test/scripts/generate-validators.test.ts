import path from "node:path";

import { expect, it } from "vitest";

import { readSource, ROOT } from "../architecture/source-files.ts";
import { runSuccessfully } from "../support/run-program.ts";

const SCRIPT = `const { validatorFiles } = await import(process.argv[1]);
console.log(JSON.stringify(await validatorFiles()));`;

it("the generated validators are current; `npm run generate:validators` writes them", async () => {
  const script = path.join(ROOT, "scripts", "generate-validators.mjs");
  const output = await runSuccessfully(
    process.execPath,
    ["--input-type=module", "--eval", SCRIPT, new URL(`file://${script}`).href],
    { cwd: ROOT },
  );
  const files = JSON.parse(output) as readonly { readonly path: string; readonly content: string }[];
  expect(files.length).toBe(2);
  for (const { path: file, content } of files) expect(readSource(file)).toBe(content);
});
