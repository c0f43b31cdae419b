import { existsSync } from "node:fs";
import path from "node:path";

import { PROJECT_FILE } from "../../project/project-config.ts";
import type { Answers, Asking } from "../command/command.ts";
import { InputError } from "../command/errors.ts";

/** Asks where the definitions are that `import crd` is to read. */
export async function askForCrds({ words, cwd, ask }: Asking): Promise<Answers> {
  if (words.length > 0) return {};
  const message = "File, folder, or http(s) URL of the CustomResourceDefinitions";
  return { words: [await ask.text({ message, check: (answer) => requireInput(cwd, answer) })] };
}

/** Asks for the folder of the project that `import project` is to read. */
export async function askForGoProject({ words, cwd, ask }: Asking): Promise<Answers> {
  if (words.length > 0) return {};
  const message = "Folder of the kubebuilder project";
  return { words: [await ask.text({ message, check: (answer) => requireProject(cwd, answer) })] };
}

function requireInput(cwd: string, answer: string): void {
  if (/^https?:\/\//u.test(answer)) return;
  if (answer !== "" && existsSync(path.resolve(cwd, answer))) return;
  throw new InputError(answer === "" ? "a value is required" : `there is no file or folder ${answer}`);
}

function requireProject(cwd: string, answer: string): void {
  const isThere = (name: string): boolean => existsSync(path.resolve(cwd, answer, name));
  if (answer !== "" && (isThere(PROJECT_FILE) || isThere("config"))) return;
  throw new InputError(
    answer === "" ? "a value is required" : `there is neither a file ${PROJECT_FILE} nor a folder config in ${answer}`,
  );
}
