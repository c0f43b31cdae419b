import { IGNORED_FLAGS, KUBERNETES_FLAG, REFUSED_FLAGS, SIMULATED_FLAGS } from "../kube-apiserver/flag-table.ts";

/** The programs that have a stand-in. */
export type StandInName = "etcd" | "kube-apiserver" | "kubectl";

/** The files that stand-ins run, and the version that they report. */
export interface StandInFacts {
  /** The path of Node.js; without it, a stand-in searches the PATH. */
  readonly node: string;
  /** The path of the program `envtest`. */
  readonly program: string;
  /** The minor version of Kubernetes of the server. */
  readonly minor: string;
  /** The text of `kube-apiserver --version`. */
  readonly version: string;
}

/** The lowest version of Node.js: major and minor. */
const NODE = { major: 20, minor: 19 } as const;

/** Returns the shell scripts of all stand-ins. `--help` and `--version` are answered without Node.js, since envtest looks up flags before each start. */
export function standInScripts(facts: StandInFacts): Readonly<Record<StandInName, string>> {
  return {
    etcd: nodeScript("etcd", facts, {
      nodeFlags: [],
      flags: [],
      help: ETCD_HELP,
      version: `etcd stand-in of Kubescaffold, which has only the health check`,
    }),
    "kube-apiserver": nodeScript("kube-apiserver", facts, {
      // Shorter pauses: half as many new objects are collected at a time.
      nodeFlags: ["--max-semi-space-size=8"],
      // Before the flags of the caller, so that one of them replaces it.
      flags: [`--${KUBERNETES_FLAG}=${facts.minor}`],
      help: serverHelp(),
      version: facts.version,
    }),
    kubectl: KUBECTL,
  };
}

function nodeScript(
  name: StandInName,
  { node, program }: StandInFacts,
  {
    nodeFlags,
    flags,
    help,
    version,
  }: {
    readonly nodeFlags: readonly string[];
    readonly flags: readonly string[];
    readonly help: string;
    readonly version: string;
  },
): string {
  return `#!/bin/sh
# Stand-in for ${name}, written by "envtest setup" of @kubescaffold/envtest.
fail() {
  echo "${name}: $1" >&2
  exit 1
}
for word in "$@"; do
  case $word in
    -h | --help)
      cat <<'HELP'
${help.trimEnd()}
HELP
      exit 0
      ;;
    --version | --version=true)
      echo ${quoted(version)}
      exit 0
      ;;
  esac
done
node=${quoted(node)}
program=${quoted(program)}
[ -x "$node" ] || node=$(command -v node) || fail "cannot find Node.js: install version ${String(NODE.major)}.${String(NODE.minor)} or later"
[ -f "$program" ] || fail "cannot find $program: install @kubescaffold/envtest, and run its command setup again"
version=$("$node" --version)
version=\${version#v}
rest=\${version#*.}
major=\${version%%.*}
minor=\${rest%%.*}
if [ "$major" -lt ${String(NODE.major)} ] || { [ "$major" -eq ${String(NODE.major)} ] && [ "$minor" -lt ${String(NODE.minor)} ]; }; then
  fail "Node.js $version is too old: install version ${String(NODE.major)}.${String(NODE.minor)} or later, and run the command setup again"
fi
exec ${['"$node"', ...nodeFlags].join(" ")} "$program" ${[name, ...flags].join(" ")} "$@"
`;
}

const ETCD_HELP = `Stand-in for etcd: answers its health check, and stores nothing. Other flags of etcd are accepted and have no effect.

Flags:
  --listen-client-urls   addresses of the health check
  --advertise-client-urls, --data-dir, --listen-peer-urls
                         no effect
  --unsafe-no-fsync      no effect
`;

function serverHelp(): string {
  const width = Math.max(...SIMULATED_FLAGS.map(({ name }) => name.length)) + 5;
  const simulated = SIMULATED_FLAGS.map(
    ({ name, help, default: fallback }) =>
      `  ${`--${name}`.padEnd(width)}${help}${fallback === undefined ? "" : ` (${fallback})`}`,
  );
  return [
    "Kubescaffold's embedded API server with the flags of kube-apiserver. It stores everything in memory.",
    "",
    "Flags:",
    ...simulated,
    "",
    "Flags without effect:",
    ...namesOf(IGNORED_FLAGS),
    "",
    "Flags that are accepted with their default alone:",
    ...namesOf(REFUSED_FLAGS.keys()),
  ].join("\n");
}

// The beginning of a line makes a flag visible to envtest.
function namesOf(flags: Iterable<string>): readonly string[] {
  return [...flags].map((flag) => `  --${flag.replace("?", "")}`);
}

const KUBECTL_MARK = "# Stand-in for kubectl";

// Only builtins of the shell: a program that is missing must not make one stand-in call another.
const KUBECTL = `#!/bin/sh
${KUBECTL_MARK}, written by "envtest setup" of @kubescaffold/envtest: runs the kubectl of the PATH.
IFS=:
for folder in $PATH; do
  file="\${folder:-.}/kubectl"
  if [ -f "$file" ] && [ -x "$file" ]; then
    mark=
    { read -r mark; read -r mark; } <"$file" 2>/dev/null
    case $mark in
      "${KUBECTL_MARK}"*) ;;
      *)
        unset IFS
        exec "$file" "$@"
        ;;
    esac
  fi
done
echo "kubectl: cannot find kubectl on the PATH: install it, since this stand-in has none" >&2
exit 1
`;

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
