import path from "node:path";
import { pathToFileURL } from "node:url";

import { ROOT } from "../architecture/source-files.ts";

/** What `scripts/clients.mjs` has. */
interface Clients {
  readonly CLIENTS: readonly { readonly name: string }[];
  readonly RUNTIMES: readonly { readonly name: string }[];
  readonly CLIENT_ENV: Readonly<Record<string, string>>;
  readonly clientFolder: (name: string) => string;
  readonly clientCommand: (name: string) => readonly string[] | undefined;
}

const clients = (await import(pathToFileURL(path.join(ROOT, "scripts/clients.mjs")).href)) as Clients;

/** The languages that have a client in `hack/clients`. */
export const LANGUAGES: readonly string[] = clients.CLIENTS.map(({ name }) => name);

/** The runtimes of JavaScript beside Node. */
export const RUNTIMES: readonly string[] = clients.RUNTIMES.map(({ name }) => name);

/** What compilers need, so that they use what was compiled for the clients. */
export const CLIENT_ENV: Readonly<Record<string, string>> = clients.CLIENT_ENV;

/** Returns the folder of the client of a language, or of a runtime. */
export const clientFolder: Clients["clientFolder"] = clients.clientFolder;

/** Returns the command of the client of a language, or of a runtime; undefined, with a note, if it is not installed. */
export function clientCommand(language: string): readonly string[] | undefined {
  const command = clients.clientCommand(language);
  if (command === undefined) {
    console.warn(`SKIPPED: the client of ${language}, which is not installed; \`npm run clients\` installs it`);
  }
  return command;
}
