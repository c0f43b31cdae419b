import type { Invocation } from "../../command/command.ts";

/** Runs until it is interrupted; kube-apiserver's flags are parsed where they are simulated. */
export async function runApiserver({ words, terminal }: Pick<Invocation, "words" | "terminal">): Promise<number> {
  const { serveKubeApiServer } = await import("@kubescaffold/envtest/kube-apiserver");
  return serveKubeApiServer(words, { writeError: (text) => terminal.writeError(text) });
}
