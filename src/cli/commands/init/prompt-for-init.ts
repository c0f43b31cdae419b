import path from "node:path";

import { pathKindSync } from "../../../machinery/disk.ts";
import { PROJECT_NAME_LENGTH } from "../../../project/name-rules.ts";
import { PROJECT_FILE } from "../../../project/project-config.ts";
import { validateDomain, validateProjectName, validateRepo } from "../../../project/validate-names.ts";
import type { Answers, Asking } from "../../command/command.ts";
import { packageNameIn } from "./run-init.ts";

interface InitFlags {
  readonly domain?: string | undefined;
  readonly "project-name"?: string | undefined;
  readonly repo?: string | undefined;
}

/** Asks for the domain of a new project, and for the names that its folder does not give. */
export async function askForInit({ flags, cwd, ask }: Asking & { readonly flags: InitFlags }): Promise<Answers> {
  // What the command refuses anyway needs no answers.
  if (pathKindSync(path.join(cwd, PROJECT_FILE)) !== "absent") return {};
  const answers: Record<string, string> = {};
  if (flags.domain === undefined) {
    const message = "Domain of the API groups";
    answers["domain"] = await ask.text({ message, fallback: "my.domain", check: validateDomain });
  }
  const folder = path.basename(cwd).toLowerCase();
  if (flags["project-name"] === undefined && !passes(validateProjectName, folder)) {
    const message = `Name of the project (the folder's name, ${folder}, is not valid)`;
    answers["project-name"] = await ask.text({ message, ...suggestion(folder), check: validateProjectName });
  }
  const name = packageNameIn(cwd);
  if (flags.repo === undefined && name !== undefined && !passes(validateRepo, name)) {
    const message = `Name of the npm package (the name in package.json, ${name}, is not valid)`;
    answers["repo"] = await ask.text({ message, check: validateRepo });
  }
  return { flags: answers };
}

function passes(check: (value: string) => void, value: string): boolean {
  try {
    check(value);
    return true;
  } catch {
    return false;
  }
}

function suggestion(folder: string): { readonly fallback?: string } {
  const name = folder
    .replaceAll(/[^a-z0-9]+/gu, "-")
    .replace(/^[^a-z]+/u, "")
    .slice(0, PROJECT_NAME_LENGTH)
    .replace(/(?<!-)-+$/u, "");
  return passes(validateProjectName, name) ? { fallback: name } : {};
}
