import { checkNumbers } from "@kubescaffold/k8s";

import type { RequestWrites } from "./request-writes.ts";
import { isWriteMatch, type StoredWrite, storedWriteOf, type WriteMatch } from "./stored-write.ts";

/**
 * Runs while a write is stored and its answer is not sent: the answer waits for the hook. The hook may end the client's process first.
 *
 * Returns `lose` to close the connection without an answer; otherwise the answer is sent.
 */
export type WriteHook = (write: StoredWrite) => WriteOutcome | Promise<WriteOutcome>;

/** The outcome of a hook: `lose` closes the connection; nothing, and `answer`, send the answer. */
// oxlint-disable-next-line typescript/no-invalid-void-type -- a hook that only waits needs no return statement
export type WriteOutcome = "answer" | "lose" | void;

/** Calls a hook at the n-th write that matches, the first being 1, and returns what removes it before. */
export function hookWrite(
  writes: RequestWrites,
  match: WriteMatch,
  { occurrence, hook }: { readonly occurrence: number; readonly hook: WriteHook },
): () => void {
  checkNumbers("the occurrence of a write", { occurrence }, { occurrence: "size" });
  let left = occurrence;
  const remove = writes.observe(async (handled) => {
    const write = storedWriteOf(handled);
    if (write === undefined || !isWriteMatch(match, write)) return undefined;
    left -= 1;
    if (left !== 0) return undefined;
    remove();
    return (await hook(write)) === "lose" ? "lose" : undefined;
  });
  return remove;
}
