import { execa } from "execa";

/** What git answered: its output as it is, or the first line of its complaint. */
export type GitOutcome =
  | { readonly kind: "done"; readonly output: string }
  | { readonly kind: "failed"; readonly reason: string };

/** Runs git in a folder; it is no failure of this program when git fails. */
export async function runGit(root: string, words: readonly string[]): Promise<GitOutcome> {
  const { failed, stdout, stderr, code } = await execa("git", words, {
    cwd: root,
    reject: false,
    stripFinalNewline: false,
  });
  if (!failed) return { kind: "done", output: stdout };
  if (code === "ENOENT") return { kind: "failed", reason: "git is not installed" };
  const reason = stderr
    .trim()
    .replace(/^(?:fatal|error): /u, "")
    .split("\n")[0];
  return { kind: "failed", reason: reason ?? "" };
}
