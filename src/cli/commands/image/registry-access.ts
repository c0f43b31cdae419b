import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { setTimeout } from "node:timers/promises";

import { execa } from "execa";

import { RegistryCredentialsError } from "../../../image/errors.ts";
import { type CredentialSource, findCredentials } from "../../../image/registry/credentials.ts";
import { createRegistryClient, type RegistryClient } from "../../../image/registry/registry-client.ts";
import { systemCodeOf } from "../../../machinery/disk.ts";

/** Makes clients of registries, one for each, with the credentials of this user. */
export function createRegistryAccess(isInsecure: boolean): (registry: string) => Promise<RegistryClient> {
  const clients = new Map<string, Promise<RegistryClient>>();
  return (registry) => {
    const client = clients.get(registry) ?? connect(registry, isInsecure);
    clients.set(registry, client);
    return client;
  };
}

async function connect(registry: string, isInsecure: boolean): Promise<RegistryClient> {
  const credentials = await findCredentials(registry, credentialSource(process.env));
  const wait = (ms: number): Promise<void> => setTimeout(ms);
  return createRegistryClient({ registry, credentials, isInsecure, fetch, wait });
}

// Podman's variable names its own file of the same form.
function credentialSource({ REGISTRY_AUTH_FILE, DOCKER_CONFIG }: NodeJS.ProcessEnv): CredentialSource {
  const file = REGISTRY_AUTH_FILE ?? path.join(DOCKER_CONFIG ?? path.join(homedir(), ".docker"), "config.json");
  return { file, config: existsSync(file) ? readConfig(file) : undefined, runStore };
}

function readConfig(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (cause) {
    throw new RegistryCredentialsError(
      `cannot read the credentials in ${file}: ${systemCodeOf(cause) ?? String(cause)}`,
      {
        hint: "make the file readable, or move it",
        cause,
      },
    );
  }
}

const STORE_TIMEOUT_MS = 60_000;

async function runStore(store: string, server: string): Promise<string> {
  const { stdout } = await execa(`docker-credential-${store}`, ["get"], { input: server, timeout: STORE_TIMEOUT_MS });
  return stdout;
}
