import { mkdirSync } from "node:fs";
import path from "node:path";

import { makeFolder } from "@kubescaffold/platform/files";

import { type GitOptions, type GitOutcome, runGit } from "../git/git.ts";
import { UpdateRefusedError } from "./errors.ts";

/** What a merge gave. */
export interface Merge {
  readonly tree: string;
  readonly conflicts: readonly string[];
}

/**
 * Is the repository of a project, for an update: all is done with objects and its own index. The project may be a folder of it.
 *
 * Guarantees: the work tree, the index and the branches stay as they are but for the branch that is set. Fails: {@link UpdateRefusedError}.
 */
export class UpdateRepository {
  readonly #root: string;
  /** A folder for what git needs while this runs. */
  readonly #folder: string;

  readonly #env: Readonly<Record<string, string>>;

  /** The folder of the project in the repository, with a slash at its end; empty where the project is the repository. */
  readonly prefix: string;

  private constructor(place: { readonly root: string; readonly prefix: string }, folder: string, env: Environment) {
    this.#root = place.root;
    this.prefix = place.prefix;
    this.#folder = folder;
    this.#env = env;
  }

  /** Opens the repository of a project's folder; with `isDryRun` not even an object is written into it. */
  static async open(
    project: string,
    { folder, isDryRun }: { readonly folder: string; readonly isDryRun: boolean },
  ): Promise<UpdateRepository> {
    const tell = async (word: string): Promise<string> =>
      firstLine("rev-parse", await runGit(project, ["rev-parse", word]));
    const prefix = await tell("--show-prefix");
    // Many of git's commands see nothing but the folder that they are run in.
    const root = prefix === "" ? project : await tell("--show-toplevel");
    if (!isDryRun) return new UpdateRepository({ root, prefix }, folder, {});
    const objects = path.join(folder, "objects");
    mkdirSync(objects);
    const words = ["rev-parse", "--path-format=absolute", "--git-path", "objects"];
    const known = firstLine("rev-parse", await runGit(root, words));
    const env = { GIT_OBJECT_DIRECTORY: objects, GIT_ALTERNATE_OBJECT_DIRECTORIES: known };
    return new UpdateRepository({ root, prefix }, folder, env);
  }

  /** Returns the first line that git prints. */
  async ask(words: readonly string[], options: GitOptions = {}): Promise<string> {
    return firstLine(words[0] ?? "", await this.#run(this.#root, words, options));
  }

  /** Returns all that git prints. */
  async read(words: readonly string[]): Promise<string> {
    const outcome = await this.#run(this.#root, words);
    return outcome.kind === "done" ? outcome.output : firstLine(words[0] ?? "", outcome);
  }

  #run(root: string, words: readonly string[], options: GitOptions = {}): Promise<GitOutcome> {
    return runGit(root, words, { ...options, env: { ...this.#env, ...options.env } });
  }

  /** Returns the commit that a name stands for, or nothing. */
  async commitOf(name: string): Promise<string | undefined> {
    const outcome = await this.#run(this.#root, [
      "rev-parse",
      "--verify",
      "--quiet",
      "--end-of-options",
      `${name}^{commit}`,
    ]);
    return outcome.kind === "done" ? outcome.output.trim() : undefined;
  }

  /**
   * Returns the branch that the repository is developed on: the default branch of `origin`, else `main`, `master`, or the branch that
   * `init.defaultBranch` of git names, else the branch that is checked out.
   */
  async defaultBranch(): Promise<string> {
    const remote = await this.#run(this.#root, ["symbolic-ref", "--quiet", "--short", "refs/remotes/origin/HEAD"]);
    const setting = await this.#run(this.#root, ["config", "--get", "init.defaultBranch"]);
    const current = await this.#run(this.#root, ["symbolic-ref", "--quiet", "--short", "HEAD"]);
    const [ofRemote, configured, checkedOut] = [remote, setting, current].map((each) =>
      each.kind === "done" ? each.output.trim() : "",
    );
    const names = [ofRemote?.replace(/^origin\//u, ""), "main", "master", configured, checkedOut];
    for (const name of names) {
      if (name !== undefined && name !== "" && (await this.commitOf(`refs/heads/${name}`)) !== undefined) return name;
    }
    return "main";
  }

  /** Returns the tree of the project in a commit, or nothing where the commit does not have its folder. */
  async projectTree(commit: string): Promise<string | undefined> {
    const words = ["rev-parse", "--verify", "--quiet", "--end-of-options"];
    const outcome = await this.#run(this.#root, [...words, `${commit}:${this.prefix.replace(/\/$/u, "")}`]);
    return outcome.kind === "done" ? outcome.output.trim() : undefined;
  }

  /** Returns the tree of the repository with that of the project in its place: in a commit, else alone. */
  async repositoryTree(project: string, commit?: string): Promise<string> {
    if (this.prefix === "") return project;
    const env = this.#indexEnv("repository");
    await this.ask(["read-tree", commit ?? "--empty"], { env });
    const known = ["rm", "-r", "--cached", "--sparse", "--quiet", "--force", "--ignore-unmatch", "--"];
    await this.ask([...known, `:(top,literal)${this.prefix}`], { env });
    await this.ask(["read-tree", `--prefix=${this.prefix}`, project], { env });
    return this.ask(["write-tree"], { env });
  }

  /** Writes the files of a tree into a folder, symbolic links as files with their text: they could lead anywhere on this machine. */
  async checkOut(tree: string, folder: string): Promise<void> {
    makeFolder(folder);
    const env = this.#indexEnv("checkout");
    await this.ask(["read-tree", tree], { env });
    const words = ["checkout-index", "--all", `--prefix=${folder.replaceAll("\\", "/")}/`];
    firstLine("checkout-index", await this.#run(this.#root, ["-c", "core.symlinks=false", ...words], { env }));
  }

  /** Makes a commit of the files in a folder. */
  async commitFolder(folder: string, message: string, parents: readonly string[]): Promise<string> {
    const env = this.#indexEnv(path.basename(folder));
    const repository = `--git-dir=${await this.ask(["rev-parse", "--absolute-git-dir"])}`;
    const words = [repository, `--work-tree=${folder}`, "-c", "core.autocrlf=false", "add", "--all", "--force", "."];
    firstLine("add", await this.#run(folder, words, { env }));
    return this.commitTree(await this.ask(["write-tree"], { env }), message, parents);
  }

  /** Makes a commit of a tree. */
  async commitTree(tree: string, message: string, parents: readonly string[]): Promise<string> {
    const words = ["commit-tree", tree, ...parents.flatMap((parent) => ["-p", parent]), "-F", "-"];
    return this.ask(words, { env: await this.#identity(), input: `${message}\n` });
  }

  /** Merges two commits with a common ancestor; the names given to them are at conflicts. */
  async merge(sides: Readonly<Record<string, string>>, config: readonly string[]): Promise<Merge> {
    // Names need objects that the repository has.
    if (this.#env["GIT_OBJECT_DIRECTORY"] !== undefined) return this.#mergeTree(Object.values(sides), config);
    const names = Object.keys(sides);
    for (const name of names) await this.ask(["update-ref", `refs/${name}`, sides[name] ?? ""]);
    try {
      return await this.#mergeTree(names, config);
    } finally {
      for (const name of names) await this.ask(["update-ref", "-d", `refs/${name}`]);
    }
  }

  async #mergeTree(names: readonly string[], config: readonly string[]): Promise<Merge> {
    const settings = config.flatMap((setting) => ["-c", setting]);
    const words = ["merge-tree", "--write-tree", "--name-only", "--no-messages", "-z"];
    const outcome = await this.#run(this.#root, [...settings, ...words, ...names]);
    if (outcome.kind === "failed" && outcome.status !== 1) {
      throw new UpdateRefusedError(`cannot merge the new scaffold: git merge-tree failed: ${outcome.reason}`, {
        hint: "install git 2.38 or later; the project was not changed",
      });
    }
    const [tree = "", ...files] = outcome.output.split("\0").filter((part) => part !== "");
    return { tree, conflicts: [...new Set(files)] };
  }

  /** Returns a tree with these paths as they are in another. */
  async restore(tree: string, former: string, paths: readonly string[]): Promise<string> {
    if (paths.length === 0) return tree;
    const env = this.#indexEnv("restore");
    await this.ask(["read-tree", tree], { env });
    await this.ask(["rm", "-r", "--cached", "--quiet", "--force", "--ignore-unmatch", "--", ...paths], { env });
    const kept = await this.#run(this.#root, ["ls-tree", "-r", "-z", former, "--", ...paths]);
    const input = kept.kind === "done" ? kept.output : "";
    await this.ask(["update-index", "-z", "--index-info"], { env, input });
    return this.ask(["write-tree"], { env });
  }

  #indexEnv(name: string): Readonly<Record<string, string>> {
    return { GIT_INDEX_FILE: path.join(this.#folder, `${name}.index`) };
  }

  // A machine that only runs workflows has no user name in git.
  async #identity(): Promise<Readonly<Record<string, string>>> {
    const known = await this.#run(this.#root, ["var", "GIT_COMMITTER_IDENT"]);
    if (known.kind === "done") return {};
    const [name, mail] = ["kubescaffold", "kubescaffold@users.noreply.github.com"];
    return { GIT_AUTHOR_NAME: name, GIT_AUTHOR_EMAIL: mail, GIT_COMMITTER_NAME: name, GIT_COMMITTER_EMAIL: mail };
  }
}

type Environment = Readonly<Record<string, string>>;

function firstLine(word: string, outcome: GitOutcome): string {
  if (outcome.kind === "done") return outcome.output.split("\n")[0] ?? "";
  throw new UpdateRefusedError(`cannot update the project: git ${word} failed: ${outcome.reason}`, {
    hint: "check the state of the repository; the project was not changed",
  });
}
