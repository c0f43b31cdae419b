import { ScaffoldError } from "@kubescaffold/k8s";

/**
 * Thrown when a command in a container ended with another exit code than 0.
 *
 * Fix: Read `exitCode` and the command's standard error.
 *
 * client-go: util/exec.CodeExitError
 */
export class CodeExitError extends ScaffoldError {
  readonly code = "STREAM_COMMAND_EXIT";
  /** The exit code of the command. */
  readonly exitCode: number;

  constructor(exitCode: number) {
    super(`command terminated with exit code ${String(exitCode)}`, {
      hint: "read the exit code and the standard error of the command",
    });
    this.exitCode = exitCode;
  }
}

/**
 * Thrown when the peer of a stream violates its protocol.
 *
 * Fix: Check proxies between here and the API server, and the versions of the server and its nodes.
 */
export class StreamProtocolError extends ScaffoldError {
  readonly code = "STREAM_PROTOCOL";

  constructor(detail: string, options: { readonly cause?: unknown } = {}) {
    super(`the stream violates its protocol: ${detail}`, {
      hint: "check proxies between here and the API server, and the versions of the server and its nodes",
      ...options,
    });
  }
}

/**
 * Thrown when a connection to a port of a Pod failed, for example because nothing listens there.
 *
 * Fix: Check that the container listens on the port; the message is that of the node.
 */
export class PortForwardError extends ScaffoldError {
  readonly code = "STREAM_PORT_FORWARD";
  /** The port of the Pod. */
  readonly port: number;

  constructor(port: number, detail: string, options: { readonly cause?: unknown } = {}) {
    super(`cannot forward to port ${String(port)}: ${detail}`, {
      hint: "check that the container listens on the port",
      ...options,
    });
    this.port = port;
  }
}

/**
 * Thrown when a port or an address of a port-forward is invalid, or cannot be listened on.
 *
 * Fix: Use a port such as `5000`, `8888:5000`, or `:5000`, and addresses of this machine.
 */
export class InvalidPortError extends ScaffoldError {
  readonly code = "STREAM_INVALID_PORT";

  constructor(text: string, options: { readonly cause?: unknown } = {}) {
    super(
      `cannot listen on ${JSON.stringify(text)}${options.cause instanceof Error ? `: ${options.cause.message}` : ""}`,
      {
        hint: "use a port such as 5000, 8888:5000, or :5000, and addresses of this machine",
        ...options,
      },
    );
  }
}

/**
 * Thrown when files cannot be copied to or from a container; the message has the output of the command that failed.
 *
 * Fix: Check that both paths exist, and that the container has `tar`, `test`, `mv`, and `rm`.
 */
export class CopyError extends ScaffoldError {
  readonly code = "STREAM_COPY";

  constructor(detail: string, options: { readonly cause?: unknown } = {}) {
    super(`cannot copy: ${detail}`, {
      hint: "check that both paths exist, and that the container has tar, test, mv, and rm",
      ...options,
    });
  }
}

/**
 * Thrown when an archive from a container has an entry that must not be written, such as a path outside the target, or a device.
 *
 * Fix: Copy a folder that has only files, folders, and links; if the entry is not in the container, its `tar` cannot be trusted.
 */
export class ArchiveRefusedError extends ScaffoldError {
  readonly code = "STREAM_ARCHIVE_REFUSED";
  /** The name of the entry. */
  readonly entry: string;

  constructor(entry: string, reason: string) {
    super(`refused ${JSON.stringify(entry)} in the archive of the container: ${reason}`, {
      hint: "copy a folder that has only files, folders, and links; if the entry is not in the container, do not trust its tar",
    });
    this.entry = entry;
  }
}
