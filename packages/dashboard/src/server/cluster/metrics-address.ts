import type { Container, Pod } from "@kubescaffold/k8s/core/v1";

/** Where a Pod serves the metrics of its manager. */
export interface MetricsAddress {
  readonly port: number;
  /** Whether it serves HTTPS, with authentication. */
  readonly isSecure: boolean;
}

/** Returns the container of the manager in a Pod: that of the annotation, the one that is called so, or the first one. */
export function managerContainer(pod: Pod): Container | undefined {
  const { containers = [] } = pod.spec ?? {};
  const preferred = pod.metadata?.annotations?.["kubectl.kubernetes.io/default-container"];
  return (
    containers.find(({ name }) => name === preferred) ??
    containers.find(({ name }) => name === "manager") ??
    containers[0]
  );
}

/**
 * Returns where a manager serves its metrics, by the flags `--metrics-bind-address` and `--metrics-secure` of its container, or else by a port with the name
 * `metrics` or `https`; undefined if it serves none.
 */
export function metricsAddressOf(pod: Pod): MetricsAddress | undefined {
  const container = managerContainer(pod);
  if (container === undefined) return undefined;
  const words = [...(container.command ?? []), ...(container.args ?? [])].map((word) => expand(word, container));
  const isSecure = !/^(?:false|f|0)$/iu.test(flagOf(words, "metrics-secure") ?? "");
  const address = flagOf(words, "metrics-bind-address");
  if (address !== undefined) {
    const port = Number(/:(?<port>\d{1,5})$/u.exec(address)?.groups?.["port"] ?? "0");
    return port > 0 && port <= 65_535 ? { port, isSecure } : undefined;
  }
  const named = container.ports?.find(({ name = "" }) => name === "metrics" || name === "https");
  return named === undefined ? undefined : { port: named.containerPort, isSecure };
}

// `--name=value` or `--name value`, with one or two dashes; the last one applies.
function flagOf(words: readonly string[], name: string): string | undefined {
  const bare = words.map((word) => word.replace(/^--?/u, ""));
  const index = bare.findLastIndex((word, at) => words[at] !== word && (word === name || word.startsWith(`${name}=`)));
  const word = words[index];
  if (word === undefined) return undefined;
  return word.includes("=") ? word.slice(word.indexOf("=") + 1) : words[index + 1];
}

function expand(word: string, { env = [] }: Container): string {
  return word.replaceAll(/\$\((?<name>[\w.-]+)\)/gu, (reference, name: string) => {
    return env.find((each) => each.name === name)?.value ?? reference;
  });
}
