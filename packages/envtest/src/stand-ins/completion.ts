import { InvalidArgumentsError } from "../failures/errors.ts";
import { FLAGS } from "../setup-envtest/parse-arguments.ts";

/** The commands of the program `envtest` that users type. */
export const COMMANDS: readonly string[] = [
  "setup",
  "use",
  "list",
  "cleanup",
  "sideload",
  "completion",
  "version",
  "kube-apiserver",
];

const WORDS = [...COMMANDS, ...FLAGS.filter(({ name }) => name !== "v").map(({ name }) => `--${name}`)];

const SCRIPTS: ReadonlyMap<string, string> = new Map([
  ["bash", `complete -o default -W "${WORDS.join(" ")}" envtest\n`],
  ["zsh", `#compdef envtest\n_envtest() {\n  compadd -- ${WORDS.join(" ")}\n  _files\n}\ncompdef _envtest envtest\n`],
  [
    "fish",
    [
      ...COMMANDS.map((name) => `complete -c envtest -n __fish_use_subcommand -a ${name}`),
      ...FLAGS.map(({ name, short, help }) => fishFlag(name, short, help)),
      "",
    ].join("\n"),
  ],
]);

function fishFlag(name: string, short: string | undefined, help: string): string {
  const shorter = short === undefined ? "" : ` -s ${short}`;
  return `complete -c envtest${shorter}${name === "v" ? "" : ` -l ${name}`} -d '${help}'`;
}

/** Returns the completion script of a shell. Fails: {@link InvalidArgumentsError} for other words. */
export function completionScript(words: readonly string[]): string {
  const script = words.length === 1 ? SCRIPTS.get(words[0] ?? "") : undefined;
  if (script !== undefined) return script;
  throw new InvalidArgumentsError("completion needs the name of one shell", { hint: "use bash, zsh, or fish" });
}
