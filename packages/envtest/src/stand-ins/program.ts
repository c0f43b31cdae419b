import { parseArgs } from "node:util";

import { KUBERNETES_MINOR, ScaffoldError, SUPPORTED_MINORS } from "@kubescaffold/k8s";

/** The facts that the program is started with. */
export interface ProgramFacts {
  /** The path of the started file, which stand-ins run again. */
  readonly program: string;
  readonly writeOut: (text: string) => void;
  readonly writeError: (text: string) => void;
}

const HELP = `Write stand-ins for kube-apiserver, etcd, and kubectl, with which Go programs use the embedded API server in envtest.

Usage:
  envtest setup [-p overview|path|env] [--directory <folder>] [--kubernetes <version>]
  envtest kube-apiserver [flags of kube-apiserver]

Examples:
  KUBEBUILDER_ASSETS="$(npx @kubescaffold/envtest setup -p path)" go test ./...
  KUBEBUILDER_ASSETS="$(npx @kubescaffold/envtest setup --kubernetes 1.36 -p path)" go test ./...

Flags of setup:
  -p, --print       print an overview, the path, or a line for shells (overview)
      --directory   folder of the stand-ins (one in the user's cache)
      --kubernetes  minor version of Kubernetes: ${SUPPORTED_MINORS[0]} to ${SUPPORTED_MINORS.at(-1) ?? ""} (${KUBERNETES_MINOR})
`;

/** Runs the program and returns its exit status; a server runs until SIGTERM or SIGINT. */
export async function runProgram(args: readonly string[], facts: ProgramFacts): Promise<number> {
  const [command = "", ...rest] = args;
  try {
    switch (command) {
      case "setup":
        return await setup(rest, facts);
      case "kube-apiserver":
        return await serveApi(rest, facts);
      case "etcd":
        return await serveEtcd(rest, facts);
      case "":
      case "-h":
      case "--help":
        facts.writeOut(HELP);
        return 0;
      default:
        facts.writeError(`envtest: unknown command "${command}"\n\n${HELP}`);
        return 2;
    }
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const hint = error instanceof ScaffoldError && error.hint !== undefined ? `\nhint: ${error.hint}` : "";
    facts.writeError(`${command}: ${error.message}${hint}\n`);
    return 1;
  }
}

async function setup(args: readonly string[], { program, writeOut, writeError }: ProgramFacts): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      print: { type: "string", short: "p", default: "overview" },
      directory: { type: "string" },
      kubernetes: { type: "string" },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.help) {
    writeOut(HELP);
    return 0;
  }
  if (!["overview", "path", "env"].includes(values.print)) {
    writeError(`setup: invalid value "${values.print}" for flag --print: not overview, path, or env\n`);
    return 2;
  }
  const { requestedVersion } = await import("../kubernetes-version/requested-version.ts");
  const { minor, note } = requestedVersion({ kubernetesVersion: values.kubernetes, option: "--kubernetes" });
  if (note !== undefined) writeError(`${note}\n`);
  const { serverVersionText } = await import("../kube-apiserver/server.ts");
  const { standInScripts } = await import("./scripts.ts");
  const { writeStandIns } = await import("./write-stand-ins.ts");
  const version = serverVersionText(minor);
  const scripts = standInScripts({ node: process.execPath, program, minor, version });
  const folder = await writeStandIns(scripts, { directory: values.directory });
  writeOut(printed(values.print, folder, version));
  return 0;
}

function printed(form: string, folder: string, version: string): string {
  switch (form) {
    case "path":
      return folder;
    case "env":
      return `export KUBEBUILDER_ASSETS='${folder.replaceAll("'", `'\\''`)}'\n`;
    default:
      return `Version: ${version}\nPath: ${folder}\n`;
  }
}

async function serveApi(args: readonly string[], { writeError }: ProgramFacts): Promise<number> {
  const { serveKubeApiServer } = await import("../kube-apiserver/serve.ts");
  return await serveKubeApiServer(args, { writeError });
}

async function serveEtcd(args: readonly string[], { writeError }: ProgramFacts): Promise<number> {
  const { startEtcdStandIn } = await import("./etcd.ts");
  const { terminated } = await import("../kube-apiserver/serve.ts");
  const server = await startEtcdStandIn(args);
  writeError(`the stand-in for etcd answers the health check on ${server.urls.join(", ")}\n`);
  await terminated();
  await server.stop();
  return 0;
}
