import type { RestConfig } from "@kubescaffold/k8s";

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Returns the proxy through which a server is reached: that of the config, else of `HTTPS_PROXY` or `HTTP_PROXY`
 * unless `NO_PROXY` names the host.
 */
export function proxyFor(config: RestConfig, environment: Environment): string | undefined {
  if (config.proxyUrl !== undefined && config.proxyUrl !== "") {
    return config.proxyUrl;
  }
  const server = new URL(config.server);
  const proxy = server.protocol === "https:" ? read(environment, "HTTPS_PROXY") : read(environment, "HTTP_PROXY");
  if (proxy === undefined || isLoopback(server.hostname) || isExcluded(server, read(environment, "NO_PROXY") ?? "")) {
    return undefined;
  }
  return proxy.includes("://") ? proxy : `http://${proxy}`;
}

function read(environment: Environment, name: string): string | undefined {
  const value = environment[name] ?? environment[name.toLowerCase()];
  return value === "" ? undefined : value;
}

function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || hostname.startsWith("127.");
}

function isExcluded(server: URL, noProxy: string): boolean {
  const host = server.hostname.replace(/^\[|\]$/gu, "");
  return noProxy
    .split(",")
    .map((entry) => entry.trim().toLowerCase())
    .filter((entry) => entry !== "")
    .some((entry) => matches(entry, { host, port: server.port }));
}

function matches(entry: string, server: { readonly host: string; readonly port: string }): boolean {
  if (entry === "*") {
    return true;
  }
  if (entry.includes("/")) {
    return isInBlock(entry, server.host);
  }
  const [, name = entry, port = ""] = /^(.*?)(?::(\d+))?$/u.exec(entry) ?? [];
  if (port !== "" && port !== server.port) {
    return false;
  }
  const suffix = name.replace(/^\*?\./u, "");
  return server.host.endsWith(`.${suffix}`) || (server.host === suffix && !/^\*?\./u.test(name));
}

// IPv4 blocks only; an IPv6 block never matches, as a name would not.
function isInBlock(block: string, host: string): boolean {
  const [network = "", bits = ""] = block.split("/");
  const [networkNumber, hostNumber] = [ipv4Number(network), ipv4Number(host)];
  const prefix = Number(bits);
  if (networkNumber === undefined || hostNumber === undefined || !(prefix >= 0 && prefix <= 32)) {
    return false;
  }
  const size = 2 ** (32 - prefix);
  return Math.floor(networkNumber / size) === Math.floor(hostNumber / size);
}

function ipv4Number(text: string): number | undefined {
  const parts = text.split(".").map(Number);
  const isAddress = parts.length === 4 && parts.every((part) => Number.isInteger(part) && part >= 0 && part <= 255);
  return isAddress ? parts.reduce((sum, part) => sum * 256 + part, 0) : undefined;
}
