import { execa } from "execa";

import { NPM, type PackageManager, withManager } from "../project/package-manager.ts";
import { UpdateRefusedError } from "./errors.ts";

/** What an issue tells of an update. */
export interface UpdateFacts {
  readonly from: string;
  readonly to: string;
  /** The branch that was updated, and the one that holds the result. */
  readonly base: string;
  readonly branch: string;
  readonly conflicts: readonly string[];
  readonly packageManager?: PackageManager | undefined;
}

/** An issue, and whether it was there before. */
export interface Issue {
  readonly url: string;
  readonly isNew: boolean;
}

/** Checks that gh can open issues, and summarize when that is wanted, before anything is done. Fails: {@link UpdateRefusedError}. */
export async function requireGh(root: string, { summarizes }: { readonly summarizes: boolean }): Promise<void> {
  const hint = "omit --open-gh-issue, or install gh and run `gh auth login`";
  await gh(root, ["auth", "status"], { hint });
  if (!summarizes) return;
  const extensions = await gh(root, ["extension", "list"], { hint });
  if (extensions.includes("gh-models") || extensions.includes("gh models")) return;
  throw new UpdateRefusedError("cannot summarize the update: gh has no extension gh-models", {
    hint: "run `gh extension install github/gh-models`, or omit --use-gh-models",
  });
}

/** Opens an issue about an update; one that is open with the same title is taken. Fails: {@link UpdateRefusedError}; the branch is there then. */
export async function openIssue(root: string, facts: UpdateFacts): Promise<Issue> {
  const hint = `the branch ${facts.branch} was pushed: open the issue or a pull request by hand`;
  const title = titleOf(facts);
  const known = await gh(root, ["issue", "list", "--state", "open", "--limit", "200", "--json", "title,url"], { hint });
  const same = issuesIn(known).find((each) => each.title === title);
  if (same !== undefined) return { url: same.url, isNew: false };
  const repository = (await gh(root, ["repo", "view", "--json", "url", "--jq", ".url"], { hint })).trim();
  const words = ["issue", "create", "--title", title, "--body-file", "-"];
  const url = (await gh(root, words, { hint, input: bodyOf(facts, repository) })).trim().split("\n").at(-1) ?? "";
  return { url, isNew: true };
}

// What a model reads of a change; far more is rejected by those that gh offers.
const MOST_CHARACTERS = 24_000;

/** Lets a model that gh offers say what an update changes, as a comment of the issue. Fails: {@link UpdateRefusedError}; the issue is there then. */
export async function commentSummary(root: string, issue: Issue, diff: string): Promise<void> {
  const hint = `see the issue: ${issue.url}`;
  const input = diff.length > MOST_CHARACTERS ? `${diff.slice(0, MOST_CHARACTERS)}\n(cut off)\n` : diff;
  const summary = await gh(root, ["models", "run", MODEL, PROMPT], { hint, input });
  await gh(root, ["issue", "comment", issue.url, "--body-file", "-"], { hint, input: summary });
}

const MODEL = "openai/gpt-4o-mini";
const PROMPT =
  "Standard input is the diff of an update of a Kubernetes operator's scaffold. Say in a short list in Markdown what changes for the people who maintain it, what they have to check, and which files have conflict markers.";

function titleOf({ from, to }: UpdateFacts): string {
  return `Update the scaffold from ${from} to ${to}`;
}

const STEPS = "`npm install`, `npm run manifests`, `npm run generate`, and `npm test`";

function bodyOf({ from, to, base, branch, conflicts, packageManager = NPM }: UpdateFacts, repository: string): string {
  const link = `${repository}/compare/${encodeURIComponent(base)}...${encodeURIComponent(branch)}?expand=1`;
  const merge =
    conflicts.length === 0
      ? "It merged without conflicts."
      : `Resolve the conflict markers in these files on the branch:\n\n${conflicts.map((file) => `- \`${file}\``).join("\n")}`;
  return [
    `The branch \`${branch}\` contains this project, upgraded from version ${from} of the scaffold to ${to}.`,
    merge,
    `[Open the pull request](${link})`,
    `- [ ] review the changes\n- [ ] run ${withManager(STEPS, packageManager)} on the branch\n- [ ] merge it`,
    "",
  ].join("\n\n");
}

interface ListedIssue {
  readonly title: string;
  readonly url: string;
}

function issuesIn(text: string): readonly ListedIssue[] {
  try {
    return JSON.parse(text) as readonly ListedIssue[];
  } catch {
    return [];
  }
}

async function gh(
  root: string,
  words: readonly string[],
  { hint, input = "" }: { readonly hint: string; readonly input?: string },
): Promise<string> {
  const { failed, stdout, stderr, code } = await execa("gh", words, { cwd: root, reject: false, input });
  if (!failed) return stdout;
  if (code === "ENOENT")
    throw new UpdateRefusedError("cannot open an issue: gh, GitHub's command line, is not installed", { hint });
  const reason = stderr.trim().split("\n")[0] ?? "";
  throw new UpdateRefusedError(`cannot continue: gh ${words.slice(0, 2).join(" ")} failed: ${reason}`, { hint });
}
