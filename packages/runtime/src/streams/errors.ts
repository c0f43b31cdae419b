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
