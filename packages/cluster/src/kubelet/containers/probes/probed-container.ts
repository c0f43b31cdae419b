import type { Duplex } from "node:stream";

import type { Container } from "@kubescaffold/k8s/core/v1";

/** The container that probes examine. */
export interface ProbedContainer {
  readonly spec: Container;
  /** The address of its Pod, for the `Host` header. */
  readonly address: string;
  /** The minor version of the kubelet. */
  readonly kubeletMinor: string;
  /** Opens a connection to a port; undefined if nothing listens there. */
  connect(port: number): Duplex | undefined;
  /** Opens a connection to another host, from the node of the Pod. Fails with the reason. */
  connectTo(host: string, port: number): Promise<Duplex>;
  /** Runs a command in the container; undefined if its image cannot. Fails: {@link CommandStartError}. */
  exec(command: readonly string[]): Promise<{ readonly code: number; readonly output: string }> | undefined;
}

/** The outcome of one attempt. */
export interface ProbeOutcome {
  readonly hasPassed: boolean;
  readonly output: string;
  /** Whether the attempt could not be made, so that it does not count. */
  readonly isUnknown?: boolean;
}

/** Thrown when the program of a command is not one of the image, with the message of the container runtime. */
export class CommandStartError extends Error {}
