import { setFlagsFromString } from "node:v8";

import { handledLater } from "@kubescaffold/platform";

import { startKubeApiServerStandIn } from "./server.ts";

/** Runs the API server with flags of kube-apiserver until SIGTERM or SIGINT, and returns the exit status. Fails: like `startKubeApiServerStandIn`. */
export async function serveKubeApiServer(
  args: readonly string[],
  { writeError }: { readonly writeError: (text: string) => void },
): Promise<number> {
  // The process has no other work. By default, V8 lets a heap grow to several times its live objects before it collects the old ones.
  setFlagsFromString("--heap-growing-percent=50");
  // V8 would allocate the objects of each request among the old ones, since stored objects come from the same places and live long.
  setFlagsFromString("--no-allocation-site-pretenuring");
  // From the first moment on, since the parent may stop a server that is not ready.
  const end = handledLater(terminated());
  const server = await startKubeApiServerStandIn(args);
  for (const warning of server.warnings) writeError(`warning: ${warning}\n`);
  writeError(`the embedded API server listens on ${server.url}\n`);
  await end;
  await server.stop();
  return 0;
}

/** Resolves at the first SIGTERM or SIGINT; the second one ends the process. */
export async function terminated(): Promise<void> {
  await new Promise<void>((resolve) => {
    for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => resolve());
  });
}
