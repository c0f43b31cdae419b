import { RegistryCredentialsError } from "../errors.ts";

/** What a user shows a registry. */
export type Credentials =
  | { readonly kind: "password"; readonly username: string; readonly password: string }
  | { readonly kind: "identity-token"; readonly token: string }
  | { readonly kind: "registry-token"; readonly token: string };

/** What credentials are looked up in. */
export interface CredentialSource {
  /** Is the text of Docker's configuration file, if there is one. */
  readonly config: string | undefined;
  /** Is what messages call that file. */
  readonly file: string;
  /** Runs the program of a credential store with the name of a server as input, and returns what it prints. */
  readonly runStore: (store: string, server: string) => Promise<string>;
}

/**
 * Finds the credentials for a registry the way Docker does: its own store, the common one, then the file; or nothing.
 *
 * Fails: {@link RegistryCredentialsError} when the file is damaged.
 */
export async function findCredentials(registry: string, source: CredentialSource): Promise<Credentials | undefined> {
  if (source.config === undefined) return undefined;
  const config = parseConfig(source.config, source.file);
  const server = serverNames(registry)[0] ?? registry;
  const store = config.credHelpers?.[registry] ?? config.credHelpers?.[server] ?? config.credsStore;
  const stored = store === undefined || store === "" ? undefined : await askStore(store, server, source);
  if (stored !== undefined) return stored;
  const entry = Object.entries(config.auths ?? {}).find(([name]) => hostOf(name) === hostOf(server));
  return entry === undefined ? undefined : credentialsOf(entry[1], entry[0], source.file);
}

interface DockerConfig {
  readonly auths?: Readonly<Record<string, AuthEntry>>;
  readonly credHelpers?: Readonly<Record<string, string>>;
  readonly credsStore?: string;
}

interface AuthEntry {
  readonly auth?: string;
  readonly username?: string;
  readonly password?: string;
  readonly identitytoken?: string;
  readonly registrytoken?: string;
}

// Docker stores the login of its own registry under an address of an earlier version.
function serverNames(registry: string): readonly string[] {
  return registry === "docker.io" ? ["https://index.docker.io/v1/", registry] : [registry];
}

function hostOf(server: string): string {
  return server.replace(/^https?:\/\//u, "").split("/", 1)[0] ?? "";
}

function parseConfig(text: string, file: string): DockerConfig {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null) return value;
  } catch (cause) {
    throw damaged(file, "it is not JSON", cause);
  }
  throw damaged(file, "it is not a JSON object");
}

function credentialsOf(entry: AuthEntry, name: string, file: string): Credentials | undefined {
  const { auth, identitytoken, registrytoken } = entry;
  if (registrytoken !== undefined && registrytoken !== "") return { kind: "registry-token", token: registrytoken };
  if (identitytoken !== undefined && identitytoken !== "") return { kind: "identity-token", token: identitytoken };
  if (auth === undefined || auth === "") {
    const { username, password } = entry;
    return username === undefined || password === undefined ? undefined : { kind: "password", username, password };
  }
  const [, username, password] = /^([^:]+):(.*)$/su.exec(Buffer.from(auth, "base64").toString("utf8")) ?? [];
  if (username === undefined || password === undefined)
    throw damaged(file, `the entry for ${name} is not a name and a password`);
  return { kind: "password", username, password: password.replace(/(?<!\0)\0+$/u, "") };
}

// A store that has nothing for a server, or is not installed, fails; anonymous access may do.
async function askStore(
  store: string,
  server: string,
  { runStore }: CredentialSource,
): Promise<Credentials | undefined> {
  const answer = await runStore(store, server).catch(() => undefined);
  if (answer === undefined) return undefined;
  try {
    const { Username: username, Secret: secret } = JSON.parse(answer) as { Username?: string; Secret?: string };
    if (username === undefined || secret === undefined) return undefined;
    return username === "<token>"
      ? { kind: "identity-token", token: secret }
      : { kind: "password", username, password: secret };
  } catch {
    return undefined;
  }
}

function damaged(file: string, why: string, cause?: unknown): RegistryCredentialsError {
  return new RegistryCredentialsError(`cannot read the credentials in ${file}: ${why}`, {
    hint: "log in again, for example with `docker login`, or fix the file",
    ...(cause === undefined ? {} : { cause }),
  });
}
