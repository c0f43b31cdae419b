import type { Duplex, Readable, Writable } from "node:stream";

import type { Pod } from "@kubescaffold/k8s/core/v1";
import type { TerminalSize } from "@kubescaffold/k8s/streams";

/** The environment of a process in a simulated container. */
export interface ContainerProcess {
  /** The Pod when the container started. */
  readonly pod: Pod;
  /** The name of the container. */
  readonly container: string;
  /** The environment variables: `HOSTNAME`, and those of `env` and `envFrom`. */
  readonly env: Readonly<Record<string, string>>;
  /** The files of mounted volumes with contents of the cluster, such as those of ConfigMaps, `/etc/hosts`, `/etc/resolv.conf`, and those of the control group, by absolute path. */
  readonly files: ReadonlyMap<string, Buffer>;
  /**
   * Connects to a port of a Pod, a Service, or a node, by its address or DNS name. The connection is a byte stream; over UDP, each write is a datagram.
   *
   * Fails: `ContainerConnectionError` if nothing has this address or name, or nothing listens on the port.
   */
  readonly connect: (host: string, port: number, options?: PortOptions) => Promise<Duplex>;
  /** Returns the addresses of a DNS name of the cluster; none for an unknown name. */
  readonly lookup: (host: string) => Promise<readonly string[]>;
  /** Returns the data of the DNS records of a name of the cluster, such as `0 100 80 web.default.svc.cluster.local.` of the type `SRV`; none for an unknown name. */
  readonly resolve: (name: string, type: DnsRecordType) => Promise<readonly string[]>;
  /** Aborts when the process must stop: its Pod was deleted and its hook `preStop` has ended, its liveness probe failed, or the server closes. */
  readonly signal: AbortSignal;
  /** Standard input; ended unless a client sends input. */
  readonly stdin: Readable;
  /** Standard output. A write is complete when attached clients have taken it. */
  readonly stdout: Writable;
  /** Standard error. */
  readonly stderr: Writable;
}

/** How a container reaches others. */
export type ContainerNetwork = Pick<ContainerProcess, "connect" | "lookup" | "resolve">;

/** The environment of the main process of a simulated container. */
export interface MainProcess extends ContainerProcess {
  /** `command` of the container, with expanded variables; empty for the entrypoint of the image. */
  readonly command: readonly string[];
  /** `args` of the container, with expanded variables. */
  readonly args: readonly string[];
  /** Writes a line to standard output, which `kubectl logs` prints. */
  readonly log: (line: string) => void;
  /** Sets the message with which the run ends, in place of the file `terminationMessagePath`; as in a real cluster, 4096 bytes of it are reported. */
  readonly setTerminationMessage: (message: string) => void;
  /** The ports that the container listens on. */
  readonly ports: ContainerPorts;
}

/** The ports of a simulated container. */
export interface ContainerPorts {
  /**
   * Handles connections to a port, which are byte streams; `server.emit("connection", stream)` passes them to a server of `node:http`. Returns a function that stops
   * listening; the end of the process does so, too.
   */
  readonly listen: (port: number, handler: (connection: Duplex) => void, options?: PortOptions) => () => void;
}

/** The type of a DNS record. */
export type DnsRecordType = "A" | "AAAA" | "CNAME" | "PTR" | "SRV";

/** The protocol of a port. */
export type PortProtocol = "TCP" | "UDP";

/** How a port is used. */
export interface PortOptions {
  /** Default: TCP. */
  readonly protocol?: PortProtocol;
}

/** The environment of a command that `exec` runs in a simulated container. */
export interface ExecProcess extends ContainerProcess {
  /** The command with its arguments. */
  readonly command: readonly string[];
  /** Whether the client requested a terminal; standard error is then part of standard output. */
  readonly tty: boolean;
  /** Calls back with the size of the client's terminal, now and after each change. */
  readonly onResize: (listener: (size: TerminalSize) => void) => void;
}

/** The exit code; none is 0. */
type ExitCode = number | void;

/** The behavior of an image. */
export interface ImageDefinition {
  /** The main process. The container runs until it returns; the exit code of a thrown error, which is logged, and of a number that is no integer, is 1. Default: runs until it must stop. */
  readonly run?: (process: MainProcess) => ExitCode | Promise<ExitCode>;
  /** Runs a command of `kubectl exec`. Default: every command fails like one that is not in the image. */
  readonly exec?: (process: ExecProcess) => ExitCode | Promise<ExitCode>;
  /** Whether the image cannot be pulled: its containers wait, with `ErrImagePull` and `ImagePullBackOff` in turn. */
  readonly isMissing?: boolean;
  /** The paths of the programs that `command` of a container can name; a container with another one fails with `StartError`. Default: any. */
  readonly programs?: readonly string[];
  /** The user of the image as its Dockerfile states it, such as `65532:65532`, `nginx`, or an empty text for root. With `runAsNonRoot`, containers that would run as root do not start. Default: unknown, and accepted. */
  readonly user?: string;
  /** Whether the probes of containers run: those over the network against the ports that `run` listens on, commands with `exec`. Default: false, all probes succeed. */
  readonly probes?: boolean;
  /** Whether the lifecycle hooks of containers run: requests in the network of the cluster, commands with `exec`. Default: false, all hooks succeed at once. */
  readonly lifecycleHooks?: boolean;
}

/** The images whose behavior is defined; a Pod that was created before a definition must be recreated. */
export interface Images {
  /**
   * Defines the behavior of the images that match a pattern, in which `*` matches any characters. Later definitions precede earlier ones. A function is the main
   * process. Returns a function that removes the definition; running containers are unaffected.
   *
   * @example
   * cluster.images.define("memcached:*", async ({ args, log, signal }) => {
   *   log(`memcached ${args.join(" ")}`);
   *   await once(signal, "abort");
   * });
   */
  define(pattern: string, definition: ImageDefinition | NonNullable<ImageDefinition["run"]>): () => void;
}

/** Finds definitions by the image of a container. */
export class ImageDefinitions implements Images {
  readonly #entries: { readonly parts: readonly string[]; readonly definition: ImageDefinition }[] = [];

  define(pattern: string, definition: ImageDefinition | NonNullable<ImageDefinition["run"]>): () => void {
    const entry = {
      parts: pattern.split("*"),
      definition: typeof definition === "function" ? { run: definition } : definition,
    };
    this.#entries.unshift(entry);
    return () => {
      const index = this.#entries.indexOf(entry);
      if (index >= 0) this.#entries.splice(index, 1);
    };
  }

  /** Returns the last definition whose pattern matches. */
  find(image: string): ImageDefinition | undefined {
    return this.#entries.find(({ parts }) => matches(image, parts))?.definition;
  }
}

function matches(image: string, parts: readonly string[]): boolean {
  const [first = "", ...others] = parts;
  const last = others.pop();
  if (last === undefined) return image === first;
  if (!image.startsWith(first) || !image.endsWith(last)) return false;
  let position = first.length;
  for (const part of others) {
    const found = image.indexOf(part, position);
    if (found < 0) return false;
    position = found + part.length;
  }
  return position + last.length <= image.length;
}
