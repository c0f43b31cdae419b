import type { Client } from "./client.ts";
import { withWriteDefaults } from "./write-defaults.ts";

/** Returns a client whose writing calls are checked by the server and never stored, whatever a call says. */
export function dryRunClient<C extends Client>(client: C): C {
  const dryRun = { dryRun: true };
  return withWriteDefaults(client, { write: () => dryRun, apply: () => dryRun, remove: () => dryRun });
}
