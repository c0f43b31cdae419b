import type { Command } from "../../command/command.ts";
import { defineCommand } from "../../command/define-command.ts";
import { InvalidFlagError } from "../../command/errors.ts";
import { FILES } from "./complete-words.ts";

const SHELLS = ["bash", "zsh", "fish", "powershell"];

/** `scaffold completion`: a script that completes commands and flags in a shell. */
export const completionCommands: readonly Command[] = [
  {
    path: ["completion"],
    worksAnywhere: true,
    summary: "Print a shell completion script",
    description: [
      "Print a script that completes commands and flags in a shell. The script calls the program for completions, so it needs no updates;",
      "the program must be on the PATH: `npm install --global kubescaffold`.",
    ].join("\n"),
    examples: [
      "source <(scaffold completion bash)",
      "scaffold completion fish > ~/.config/fish/completions/scaffold.fish",
    ],
    flags: [],
  },
  ...SHELLS.map((shell) =>
    defineCommand({
      path: ["completion", shell],
      worksAnywhere: true,
      summary: `Print the completion script for ${shell}`,
      flags: [],
      parse: () => undefined,
      run: async (_options, { terminal, program }) => {
        terminal.writeOut(scriptFor(shell, program.name));
        return 0;
      },
    }),
  ),
];

// The package installs the program under two names.
const OTHER_NAME = "kubescaffold";

// Where files and folders may be, the program says so in place of candidates.
function scriptFor(shell: string, program: string): string {
  const name = program.replaceAll(/\W/gu, "_");
  switch (shell) {
    case "bash":
      return `# bash completion for ${program}
_${name}_complete() {
  local IFS=$'\\n'
  COMPREPLY=($(${program} __complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f1))
  if [[ \${COMPREPLY[0]-} == ${FILES} ]]; then
    COMPREPLY=()
    compopt -o default 2>/dev/null || COMPREPLY=($(compgen -f -- "\${COMP_WORDS[COMP_CWORD]#=}"))
  fi
}
complete -F _${name}_complete ${program} ${OTHER_NAME}
`;
    case "zsh":
      return `#compdef ${program} ${OTHER_NAME}
_${name}() {
  local -a candidates
  local word help files
  while IFS=$'\\t' read -r word help; do
    if [[ $word == ${FILES} ]]; then
      files=yes
    else
      candidates+=("\${word//:/\\\\:}\${help:+:$help}")
    fi
  done < <(${program} __complete "\${(@)words[2,CURRENT]}" 2>/dev/null)
  if (( \${#candidates} )); then
    _describe '${program}' candidates
  elif [[ -n $files ]]; then
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
  if test "$candidates" = '${FILES}'
    __fish_complete_path (commandline -ct)
  else if set -q candidates[1]
    printf '%s\\n' $candidates
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
  & ${program} __complete @words 2>$null | Where-Object { $_ -ne '${FILES}' } | ForEach-Object {
    $parts = $_ -split "\`t", 2
    [System.Management.Automation.CompletionResult]::new($parts[0], $parts[0], 'ParameterValue', ($parts[-1]))
  }
}
`;
    default:
      throw new InvalidFlagError(`unsupported shell "${shell}"`, { hint: `use one of ${SHELLS.join(", ")}` });
  }
}
