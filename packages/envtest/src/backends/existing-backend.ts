import { getConfig } from "@kubescaffold/runtime";

import type { EnvironmentOptions } from "../environment-options.ts";
import { BackendUnsupportedError } from "../errors.ts";
import type { Backend } from "./backend.ts";

/** Uses a cluster that runs already, the one that kubectl would use unless a config is given; stopping leaves it alone. */
export async function useExistingBackend(options: EnvironmentOptions): Promise<Backend> {
  const config = options.config ?? (await getConfig());
  return {
    config,
    listen: async () => config,
    addUser: async ({ name }) => {
      throw new BackendUnsupportedError(`cannot add the user ${name}: an existing cluster has its own users`, {
        hint: "use addServiceAccount, or run the test against the embedded or the binaries backend",
      });
    },
    stop: async () => undefined,
  };
}
