import { KUBERNETES_MINOR, SUPPORTED_MINORS } from "@kubescaffold/k8s";

import { FLAGS } from "../setup-envtest/parse-arguments.ts";

/** The help of the program `envtest`. */
export const HELP: string = `Manage the binaries of envtest: kube-apiserver, etcd, and kubectl, or stand-ins for them, with which Go programs use the embedded API server.

Usage:
  envtest setup [-p overview|path|env] [--directory <folder>] [--kubernetes <version>]
  envtest use [version] [flags]
  envtest list [version] [flags]
  envtest cleanup [version] [flags]
  envtest sideload <version> [flags] <archive.tar.gz
  envtest completion bash|zsh|fish
  envtest version
  envtest kube-apiserver [flags of kube-apiserver]

Commands:
  setup           write stand-ins into a folder
  use             print the folder of binaries; download them if needed
  list            list installed and available binaries
  cleanup         remove binaries from the store
  sideload        add an archive from standard input, or stand-ins, to the store
  completion      print the completion script of a shell
  version         print the version of this program
  kube-apiserver  run the embedded API server

Examples:
  KUBEBUILDER_ASSETS="$(npx @kubescaffold/envtest setup -p path)" go test ./...
  KUBEBUILDER_ASSETS="$(npx @kubescaffold/envtest use 1.37.x -p path)" go test ./...
  npx @kubescaffold/envtest sideload 1.37.2 --stand-ins
  npx @kubescaffold/envtest cleanup "<1.35"

Versions:
  1.37.2          this version
  1.37, 1.37.x    the newest 1.37, of the store if it has one
  ~1.37.1         the newest 1.37 from 1.37.1 on
  <1.37, <=1.37   the newest before or up to 1.37
  1.37.x!         the newest of the index, or of the store if that is newer
  latest          the newest of all (default)
  latest-on-disk  the newest of the store

Flags of use, list, cleanup, and sideload:
${flagLines()}

Flags of setup:
  -p, --print       print an overview, the path, or a line for shells (overview)
      --directory   folder of the stand-ins (one in the user's cache)
      --kubernetes  minor version of Kubernetes: ${SUPPORTED_MINORS[0]} to ${SUPPORTED_MINORS.at(-1) ?? ""} (${KUBERNETES_MINOR})

Variables:
  KUBEBUILDER_ASSETS      the folder that --use-env uses
  ENVTEST_INSTALLED_ONLY  any value sets --installed-only
  ENVTEST_USE_ENV         any value sets --use-env

The exit status is 2 for invalid usage, and when binaries cannot be found, downloaded, or stored; it is 1 for an invalid version.
`;

function flagLines(): string {
  const width = Math.max(...FLAGS.map(({ name }) => name.length)) + 4;
  return FLAGS.map(({ name, short, help }) =>
    name === "v"
      ? `  -v  ${" ".repeat(width)}${help}`
      : `  ${short === undefined ? "    " : `-${short}, `}${`--${name}`.padEnd(width)}${help}`,
  ).join("\n");
}
