import { randomUUID } from "node:crypto";
import { open, rename, rm } from "node:fs/promises";

/**
 * Writes a file with credentials, in place of any that is there.
 *
 * Guarantees: only its owner can read it, even where others could read the file before; no symbolic link at its path is followed; other processes see
 * all of it or none.
 */
export async function writePrivateFile(file: string, content: string): Promise<void> {
  const draft = `${file}.${randomUUID()}.new`;
  try {
    const handle = await open(draft, "wx", 0o600);
    try {
      await handle.writeFile(content);
    } finally {
      await handle.close();
    }
    await rename(draft, file);
  } finally {
    await rm(draft, { force: true });
  }
}
