import { randomUUID } from "node:crypto";
// A bundle loads the promises of the module when they are used, and few commands use them.
import { promises } from "node:fs";

/** How {@link replaceFile} writes. */
export interface ReplacedFile {
  /** The permissions of the file, which the umask of the process limits. Default: 0644. */
  readonly mode?: number;
  /** Whether the contents are on the disk before they take the place of others. Default: false. */
  readonly isSynced?: boolean;
}

/**
 * Writes a file in place of any that is there, by a draft beside it.
 *
 * Guarantees: other processes see all of it or none; no symbolic link at its path is followed; the permissions are those given, also where a file with
 * others was there; a write that fails leaves nothing behind. Fails: the error of the file system.
 */
export async function replaceFile(
  file: string,
  content: string | Uint8Array,
  { mode = 0o644, isSynced = false }: ReplacedFile = {},
): Promise<void> {
  const draft = `${file}.${randomUUID()}.new`;
  try {
    const handle = await promises.open(draft, "wx", mode);
    try {
      await handle.writeFile(content);
      if (isSynced) await handle.sync();
    } finally {
      await handle.close();
    }
    await promises.rename(draft, file);
  } finally {
    await promises.rm(draft, { force: true });
  }
}

/**
 * Writes a file with credentials, in place of any that is there, like {@link replaceFile}.
 *
 * Guarantees: only its owner can read it, even where others could read the file before.
 */
export async function writePrivateFile(
  file: string,
  content: string,
  { isSynced = false }: Pick<ReplacedFile, "isSynced"> = {},
): Promise<void> {
  await replaceFile(file, content, { mode: 0o600, isSynced });
}
