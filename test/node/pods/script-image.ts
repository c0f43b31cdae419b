import { createServer } from "node:http";
import { setTimeout as delay } from "node:timers/promises";

import type { ContainerProcess, ImageDefinition, MainProcess } from "@kubescaffold/cluster";

const KILLED = 137;
const TERMINATED = 143;

/** The simulated image that runs the scripts of the table as busybox runs them. */
export const SCRIPT_IMAGE: ImageDefinition = {
  user: "0",
  programs: ["/bin/sh"],
  probes: true,
  lifecycleHooks: true,
  run: async (main) => await runScript(main.command.at(-1) ?? "", main),
  exec: async (command) => await runScript(command.command.at(-1) ?? "", command),
};

// Commands of probes and hooks have no ports and messages.
type ScriptProcess = Pick<ContainerProcess, "pod" | "signal"> &
  Partial<Pick<MainProcess, "log" | "ports" | "setTerminationMessage">>;

/** Runs commands that are separated by semicolons, of which the last one decides. Throws for a command that no Pod of the table uses. */
async function runScript(script: string, main: ScriptProcess): Promise<number> {
  let onTerm: number | undefined;
  let status = 0;
  for (const command of script.split(";").map((each) => each.trim())) {
    const [program = "", ...args] = command.split(" ");
    switch (program) {
      case "trap":
        onTerm = Number(/exit (?<code>\d+)/u.exec(command)?.groups?.["code"]);
        break;
      case "exit":
        return Number(args[0]);
      case "true":
      case "false":
        status = program === "true" ? 0 : 1;
        break;
      case "echo":
        print(command, main);
        break;
      case "kill":
        return KILLED;
      case "httpd":
        return await serveFiles(main);
      case "sleep":
        if (await isStopped(Number(args[0]), main.signal)) return onTerm ?? (await killed(main));
        break;
      default:
        throw new Error(`the command ${JSON.stringify(program)} is not simulated`);
    }
  }
  return status;
}

function print(command: string, { log, setTerminationMessage }: ScriptProcess): void {
  const { text = "", file } = /^echo (?<text>.*?)(?: > (?<file>\S+))?$/u.exec(command)?.groups ?? {};
  if (file === undefined) log?.(text);
  else setTerminationMessage?.(`${text}\n`);
}

async function serveFiles(main: ScriptProcess): Promise<number> {
  const server = createServer(({ url }, response) => response.writeHead(url === "/passwd" ? 200 : 404).end());
  main.ports?.listen(8080, (connection) => server.emit("connection", connection));
  await isStopped(100_000, main.signal);
  return await killed(main);
}

async function isStopped(seconds: number, signal: AbortSignal): Promise<boolean> {
  try {
    await delay(seconds * 1000, undefined, { signal });
    return false;
  } catch {
    return true;
  }
}

// The first process of a container ignores the signal; it is killed after the grace period. With a shared namespace, it is not the first one.
async function killed({ pod }: ScriptProcess): Promise<number> {
  if (pod.spec?.shareProcessNamespace === true) return TERMINATED;
  await delay((pod.spec?.terminationGracePeriodSeconds ?? 30) * 1000);
  return KILLED;
}
