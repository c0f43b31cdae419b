import path from "node:path";

/**
 * Returns how a program names itself to a server: `<program>/<version> (<system>/<architecture>) kubescaffold`.
 *
 * The server records what stands before the first slash as the owner of written fields.
 */
export function defaultUserAgent(): string {
  const program = path.basename(process.argv[1] ?? "").replace(/\.[cm]?[jt]s$/u, "") || "node";
  const version = process.env["npm_package_version"] ?? "unknown";
  return `${program.replaceAll(/[^\w.-]/gu, "-")}/${version} (${process.platform}/${process.arch}) kubescaffold`;
}
