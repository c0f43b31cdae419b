import { parseArgs } from "node:util";

import { ScaffoldError } from "@kubescaffold/k8s";
import { nearestName } from "@kubescaffold/platform";

import { EnvironmentOptionsError, InvalidArgumentsError } from "../failures/errors.ts";
import { parseArguments, type ParsedArguments, PRINTED_FORMS } from "../setup-envtest/parse-arguments.ts";
import { printFolder } from "../setup-envtest/print-binaries.ts";
import { COMMANDS, completionScript } from "./completion.ts";
import { HELP } from "./help.ts";
import type { StandInName } from "./scripts.ts";

/** The facts that the program is started with. */
export interface ProgramFacts {
  /** The path of the started file, which stand-ins run again. */
  readonly program: string;
  readonly writeOut: (text: string) => void;
  readonly writeError: (text: string) => void;
  /** The bytes of standard input. */
  readonly readInput: () => AsyncIterable<Uint8Array>;
  /** The version of the package. */
  readonly version: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

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
        facts.writeOut(HELP);
        return 0;
      default:
        return await manageBinaries(args, facts);
    }
  } catch (error) {
    return reportError(command, error, facts);
  }
}

function reportError(command: string, error: unknown, { writeError }: ProgramFacts): number {
  if (!(error instanceof Error)) throw error;
  const hint = error instanceof ScaffoldError && error.hint !== undefined ? `\nhint: ${error.hint}` : "";
  writeError(`${command}: ${error.message}${hint}\n`);
  return error instanceof InvalidArgumentsError ? 2 : 1;
}

// Flags may precede the command, as in setup-envtest, whose exit status is 1 for an invalid version, and 2 for all other failures.
async function manageBinaries(args: readonly string[], facts: ProgramFacts): Promise<number> {
  let command = "envtest";
  try {
    const parsed = parseArguments(args);
    if (parsed.switches.get("help") === true) {
      facts.writeOut(HELP);
      return 0;
    }
    const [name = "", ...words] = parsed.words;
    command = name;
    if (name === "version") facts.writeOut(`envtest version: ${facts.version}\n`);
    else if (name === "completion") facts.writeOut(completionScript(words));
    else await runCommand(name, { ...parsed, words }, facts);
    return 0;
  } catch (error) {
    reportError(command, error, facts);
    return error instanceof EnvironmentOptionsError ? 1 : 2;
  }
}

async function runCommand(name: string, args: ParsedArguments, facts: ProgramFacts): Promise<void> {
  const { BINARIES_COMMANDS, runBinariesCommand } = await import("../setup-envtest/run-binaries-command.ts");
  const command = BINARIES_COMMANDS.find((each) => each === name);
  if (command === undefined) {
    const nearest = nearestName(name, COMMANDS);
    const isMissing = name === "";
    throw new InvalidArgumentsError(isMissing ? "the command is missing" : `unknown command "${name}"`, {
      hint: nearest === undefined ? "run `envtest --help`" : `did you mean ${nearest}?`,
    });
  }
  await runBinariesCommand(command, args, {
    ...facts,
    writeStandIns: async (version, directory) => {
      const { scripts } = await standInsOf(version, facts);
      const { writeStandIns } = await import("./write-stand-ins.ts");
      await writeStandIns(scripts, { directory });
      return Object.keys(scripts);
    },
  });
}

async function setup(args: readonly string[], facts: ProgramFacts): Promise<number> {
  const { writeOut } = facts;
  const { values } = parseSetup(args);
  if (values.help) {
    writeOut(HELP);
    return 0;
  }
  const form = PRINTED_FORMS.find((each) => each === values.print);
  if (form === undefined) {
    throw new InvalidArgumentsError(`invalid value "${values.print}" for flag --print: not overview, path, or env`);
  }
  const { scripts, version } = await standInsOf(values.kubernetes, facts);
  const { writeStandIns } = await import("./write-stand-ins.ts");
  const folder = await writeStandIns(scripts, { directory: values.directory });
  writeOut(printFolder(form, folder, `Version: ${version}\nPath: ${folder}\n`));
  return 0;
}

function parseSetup(args: readonly string[]) {
  return parseArgs({
    args: [...args],
    options: {
      print: { type: "string", short: "p", default: "overview" },
      directory: { type: "string" },
      kubernetes: { type: "string" },
      help: { type: "boolean", short: "h", default: false },
    },
  });
}

async function standInsOf(
  kubernetesVersion: string | undefined,
  { program, writeError }: ProgramFacts,
): Promise<{ readonly scripts: Readonly<Record<StandInName, string>>; readonly version: string }> {
  const { requestedVersion } = await import("../kubernetes-version/requested-version.ts");
  const { minor, note } = requestedVersion({ kubernetesVersion, option: "--kubernetes" });
  if (note !== undefined) writeError(`${note}\n`);
  const { serverVersionText } = await import("../kube-apiserver/server.ts");
  const { standInScripts } = await import("./scripts.ts");
  const version = serverVersionText(minor);
  return { scripts: standInScripts({ node: process.execPath, program, minor, version }), version };
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
