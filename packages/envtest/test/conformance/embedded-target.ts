import type { ConformanceTarget } from "./target.ts";

/** Starts the embedded server with all its controllers. */
export async function startEmbeddedTarget(): Promise<ConformanceTarget> {
  throw new TypeError("the embedded server is not there yet");
}
