import type { Command } from "./command.ts";
import { InvalidFlagError } from "./errors.ts";

const SHELLS = ["bash", "zsh", "fish", "powershell"];

/** `scaffold completion`: a script that completes commands and flags in a shell. */
export const completionCommands: readonly Command[] = [
  {
    path: ["completion"],
    summary: "Print a script that completes commands and flags in a shell",
    description: [
      "Print a script that completes commands and flags in a shell. It asks the program itself, so it never grows old;",
      "for that the program has to be on the PATH: `npm install --global kubescaffold`.",
    ].join("\n"),
    examples: [
      "source <(scaffold completion bash)",
      "scaffold completion fish > ~/.config/fish/completions/scaffold.fish",
    ],
    flags: [],
  },
  ...SHELLS.map((shell): Command => ({
    path: ["completion", shell],
    summary: `Print the script for ${shell}`,
    flags: [],
    run: async ({ terminal, program }) => {
      terminal.writeOut(scriptFor(shell, program.name));
      return 0;
    },
  })),
];

function scriptFor(shell: string, program: string): string {
  const name = program.replaceAll(/\W/gu, "_");
  switch (shell) {
    case "bash":
      return `# bash completion for ${program}
_${name}_complete() {
  local IFS=$'\\n'
  COMPREPLY=($(${program} __complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f1))
}
complete -o default -F _${name}_complete ${program}
`;
    case "zsh":
      return `#compdef ${program}
_${name}() {
  local -a candidates
  local line
  while IFS=$'\\t' read -r word help; do
    candidates+=("\${word//:/\\\\:}\${help:+:$help}")
  done < <(${program} __complete "\${(@)words[2,CURRENT]}" 2>/dev/null)
  _describe '${program}' candidates
}
compdef _${name} ${program}
`;
    case "fish":
      return `# fish completion for ${program}
function __${name}_complete
  set -l words (commandline -opc) (commandline -ct)
  ${program} __complete $words[2..-1] 2>/dev/null
end
complete -c ${program} -f -a '(__${name}_complete)'
`;
    case "powershell":
      return `# PowerShell completion for ${program}
Register-ArgumentCompleter -Native -CommandName '${program}' -ScriptBlock {
  param($word, $ast, $position)
  $words = @($ast.CommandElements | Select-Object -Skip 1 | ForEach-Object { $_.ToString() })
  if ($word -eq '') { $words += '""' }
  & ${program} __complete @words 2>$null | ForEach-Object {
    $parts = $_ -split "\`t", 2
    [System.Management.Automation.CompletionResult]::new($parts[0], $parts[0], 'ParameterValue', ($parts[-1]))
  }
}
`;
    default:
      throw new InvalidFlagError(`there is no completion for ${shell}`, { hint: `take one of ${SHELLS.join(", ")}` });
  }
}
