import { ScaffoldError } from "@kubescaffold/k8s";

/**
 * Thrown when a simulated container cannot connect: nothing has the address or name, or nothing listens on the port.
 *
 * Fix: Wait until the Pod is ready; let `run` of its image listen on the port.
 */
export class ContainerConnectionError extends ScaffoldError {
  readonly code = "APISERVER_CONTAINER_CONNECTION";

  constructor(message: string) {
    super(message, { hint: "wait until the Pod is ready, and let `run` of its image listen on the port" });
  }
}
