import type { FileTree } from "../machinery/file-tree.ts";
import { mergeTexts } from "../machinery/merge-texts.ts";
import {
  type FileChange,
  settingChanges,
  type SettingRequest,
  type SettingResult,
  UnmergedFilesError,
} from "./setting-changes.ts";

/**
 * Plans in the tree to make of a project what it would be if its certificates had come from the new issuer from the start, and returns what is left to do
 * by hand.
 *
 * Guarantees: what was not changed by hand becomes what the scaffolds write now; of what was, only the lines of the setting change, and files that nothing
 * uses any more stay if they were changed.
 * Fails: {@link UnmergedFilesError} with the lines that belong into files that were changed just there.
 */
export async function planCertificates(request: SettingRequest): Promise<SettingResult> {
  const { tree, force } = request;
  const { changed, added, removed } = await settingChanges(request);
  const refused = [
    ...changed.filter((change) => tree.exists(change.path) && !merge(tree, change)),
    ...[...added].flatMap(([path, after]) => add(tree, path, after)),
  ];
  if (refused.length > 0 && !force) throw new UnmergedFilesError(refused);
  for (const { path, after } of refused) tree.create(path, after, { ifExists: "overwrite" });
  const kept = [...removed].filter(([path, before]) => !remove(tree, path, before)).map(([path]) => path);
  const notes = kept.map((path) => `Kept ${path}, which was changed by hand: nothing uses it any more.`);
  return { notes: [...notes, DEPLOYED], replaced: refused.map(({ path }) => path) };
}

const DEPLOYED =
  "If the project is deployed: the guide on certificates has the steps by which a cluster changes the issuer without a refused request.";

// Reports whether the change could be made.
function merge(tree: FileTree, { path, before, after }: FileChange): boolean {
  const present = tree.readExisting(path);
  const next = present === before ? after : mergeTexts(before, present, after);
  if (next !== undefined && next !== present) tree.update(path, () => next);
  return next !== undefined;
}

function add(tree: FileTree, path: string, after: string): readonly FileChange[] {
  const present = tree.read(path);
  if (present === undefined) tree.create(path, after);
  return present === undefined || present === after ? [] : [{ path, before: present, after }];
}

// Reports whether the file is gone.
function remove(tree: FileTree, path: string, before: string): boolean {
  const present = tree.read(path);
  if (present === before) tree.delete(path);
  return present === undefined || present === before;
}
