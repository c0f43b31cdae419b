import type { VersionedField } from "@kubescaffold/envtest";

/** Generates values that match the patterns of Relay: hosts of all forms, with a port in the versions before v1. */
export function randomRelayValue({ version, path, random }: VersionedField): string | undefined {
  const pick = (values: readonly string[]): string => values[Math.floor(random() * values.length)] ?? "";
  if (version === "v1" && path === "spec.target.host") return pick([...NAMES, ...IPV6_ADDRESSES]);
  if (version === "v1" || path !== "spec.target") return undefined;
  const host = pick([...NAMES, ...IPV6_ADDRESSES.map((address) => `[${address}]`)]);
  return `${host}:${String(1 + Math.floor(random() * 65_535))}`;
}

const NAMES = ["db", "db.example.com", "192.0.2.1", "x--1.example"];
const IPV6_ADDRESSES = ["::1", "2001:db8::1", "::ffff:192.0.2.1"];
