import { existsSync } from "node:fs";
import path from "node:path";

import { importScript } from "./import-script.ts";
import { runProgram, type ProgramResult } from "./run-program.ts";

const { pinnedToolPath } = await importScript<{ readonly pinnedToolPath: (name: string) => string }>(
  "pinned-go-tool.mjs",
);

/** The cosign that `node scripts/pinned-go-tool.mjs cosign` builds; nothing where it is not built. */
export const COSIGN: string | undefined = [pinnedToolPath("cosign")].find((file) => existsSync(file));

if (COSIGN === undefined)
  console.warn("SKIPPED: signatures were NOT verified by cosign; `node scripts/pinned-go-tool.mjs cosign` builds it");

/** Runs cosign in a folder, without the trust root that it would fetch. */
export function runCosign(
  cwd: string,
  words: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<ProgramResult> {
  const offline = { SIGSTORE_REKOR_PUBLIC_KEY: path.join(cwd, "cosign.pub"), TUF_ROOT: cwd };
  return runProgram(COSIGN ?? "cosign", words, { cwd, env: { ...offline, ...env } });
}
