import type { Invocation } from "../../command.ts";
import { runProgram } from "../../programs/run-program.ts";
import { readProject } from "../../session/project-session.ts";

/** Runs `cmd/main.ts` of the project to its end and returns its exit status. */
export async function runManager(invocation: Invocation): Promise<number> {
  await readProject(invocation);
  const words = invocation.words[0] === "--" ? invocation.words.slice(1) : invocation.words;
  const node = { name: process.execPath, hint: "install Node" };
  return (await runProgram(node, ["--import", "tsx", "cmd/main.ts", ...words], { invocation })) ?? 1;
}
