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

// The package installs the program under two names.
const OTHER_NAME = "kubescaffold";

// Where the program knows nothing to say, shells complete files.
function scriptFor(shell: string, program: string): string {
  const name = program.replaceAll(/\W/gu, "_");
  switch (shell) {
    case "bash":
      return `# bash completion for ${program}
_${name}_complete() {
  local IFS=$'\\n'
  COMPREPLY=($(${program} __complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f1))
}
complete -o default -F _${name}_complete ${program} ${OTHER_NAME}
`;
    case "zsh":
      return `#compdef ${program} ${OTHER_NAME}
_${name}() {
  local -a candidates
  local word help
  while IFS=$'\\t' read -r word help; do
    candidates+=("\${word//:/\\\\:}\${help:+:$help}")
  done < <(${program} __complete "\${(@)words[2,CURRENT]}" 2>/dev/null)
  if (( \${#candidates} )); then
    _describe '${program}' candidates
  else
    compset -P '--*='
    _files
  fi
}
if [[ \${funcstack[1]} == _${name} ]]; then
  _${name} "$@"
else
  compdef _${name} ${program} ${OTHER_NAME}
fi
`;
    case "fish":
      return `# fish completion for ${program}
function __${name}_complete
  set -l words (commandline -opc) (commandline -ct)
  set -l candidates (${program} __complete $words[2..-1] 2>/dev/null)
  if set -q candidates[1]
    printf '%s\\n' $candidates
  else
    __fish_complete_path (commandline -ct)
  end
end
complete -c ${program} -f -a '(__${name}_complete)'
complete -c ${OTHER_NAME} -f -a '(__${name}_complete)'
`;
    case "powershell":
      return `# PowerShell completion for ${program}
Register-ArgumentCompleter -Native -CommandName '${program}', '${OTHER_NAME}' -ScriptBlock {
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
