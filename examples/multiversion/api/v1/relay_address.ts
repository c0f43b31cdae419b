import type { RelayTarget } from "./relay_types.ts";

const ADDRESS = /^(?:\[(?<bracketed>[^[\]]+)\]|(?<plain>[^[\]:]+)):(?<port>\d+)$/u;

/** Parses the host:port target of the versions before v1. Throws an error with a message for the user if it is invalid. */
export function parseAddress(address: string): RelayTarget {
  const { bracketed, plain, port } = ADDRESS.exec(address)?.groups ?? {};
  const host = bracketed ?? plain;
  if (host === undefined) {
    throw new Error(`spec.target ${JSON.stringify(address)}: must be host:port, with an IPv6 address in brackets`);
  }
  if (Number(port) < 1 || Number(port) > 65_535) {
    throw new Error(`spec.target ${JSON.stringify(address)}: the port must be between 1 and 65535`);
  }
  return { host, port: Number(port) };
}

/** Formats an address for {@link parseAddress}. */
export function formatAddress({ host, port }: RelayTarget): string {
  return host.includes(":") ? `[${host}]:${String(port)}` : `${host}:${String(port)}`;
}
