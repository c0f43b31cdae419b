import { copyFileSync, existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";

/** The folders of the project as scaffolded by the former and the present version, and of the project itself. */
export interface ScaffoldFolders {
  readonly former: string;
  readonly present: string;
  readonly source: string;
}

const GENERATED = /^\/\/ \+kubescaffold:conversion:/mu;

/**
 * Leaves converters that were written by hand as they are, where the present version scaffolds one with generated functions. Otherwise, each of them would be a conflict.
 *
 * @returns The paths of these converters.
 */
export function keepConverters(folders: ScaffoldFolders): readonly string[] {
  const kept = conversionFiles(folders.present).filter((file) => isWrittenByHand(file, folders));
  // Without a difference between the two versions, the merge takes the file of the project.
  for (const file of kept) copyFileSync(path.join(folders.former, file), path.join(folders.present, file));
  return kept;
}

// Below `api`, in a folder per version, and per group before that in projects with several.
function conversionFiles(root: string): readonly string[] {
  const api = path.join(root, "api");
  if (!existsSync(api)) return [];
  const files = readdirSync(api, { recursive: true, encoding: "utf8" });
  return files.filter((file) => file.endsWith("_conversion.ts")).map((file) => path.join("api", file));
}

function isWrittenByHand(file: string, { former, present, source }: ScaffoldFolders): boolean {
  const [before, now, own] = [former, present, source].map((folder) => textOf(path.join(folder, file)));
  if (before === undefined || now === undefined || own === undefined) return false;
  return GENERATED.test(now) && !GENERATED.test(before) && !GENERATED.test(own) && own !== before;
}

function textOf(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, "utf8") : undefined;
}
