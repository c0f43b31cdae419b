/** What git answered: its output as it is, and with a failure its exit status and the first line of its complaint. */
export type GitOutcome =
  | { readonly kind: "done"; readonly output: string }
  | {
      readonly kind: "failed";
      readonly reason: string;
      readonly status: number | undefined;
      readonly output: string;
    };

/** What git runs with, beside its words. */
export interface GitOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
}

/** Runs git in a folder; it is no failure of this program when git fails. */
export async function runGit(root: string, words: readonly string[], options: GitOptions = {}): Promise<GitOutcome> {
  const { execa } = await import("execa");
  const { failed, stdout, stderr, code, exitCode } = await execa("git", words, {
    ...options,
    cwd: root,
    reject: false,
    stripFinalNewline: false,
  });
  if (!failed) return { kind: "done", output: stdout };
  if (code === "ENOENT") return { kind: "failed", reason: "git is not installed", status: undefined, output: "" };
  const reason = stderr
    .trim()
    .replace(/^(?:fatal|error): /u, "")
    .split("\n")[0];
  return { kind: "failed", reason: reason ?? "", status: exitCode, output: stdout };
}
