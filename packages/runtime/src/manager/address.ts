import { ManagerAddressError } from "./errors.ts";

/** Where a server listens; an empty host means every address of the machine. */
export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

/**
 * Reads `host:port` or `:port`; empty and `0` mean that there is no server.
 *
 * Fails: {@link ManagerAddressError} when the text is neither.
 */
export function parseAddress(text: string): ListenAddress | undefined {
  if (text === "" || text === "0") {
    return undefined;
  }
  const [, host, port] = /^(.*):(\d{1,5})$/u.exec(text) ?? [];
  if (host === undefined || port === undefined || Number(port) > 65_535) {
    throw new ManagerAddressError(text);
  }
  return { host: host.replace(/^\[(.*)\]$/u, "$1"), port: Number(port) };
}
