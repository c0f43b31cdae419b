import { messageOf, ScaffoldError, statusOf } from "@kubescaffold/k8s";
import type { Status } from "@kubescaffold/k8s/meta/v1";

import { ConnectionError, RequestTimeoutError, ServerSilentError } from "../rest/errors.ts";
import { MissingContextError } from "./errors.ts";

/**
 * Prints an error as kubectl does: `Error from server (NotFound): …` for what an API server rejected, `Unable to connect to the server: …`, and
 * `error: …` for the rest.
 */
export function printKubectlError(error: unknown): string {
  const status = statusOf(error);
  if (status !== undefined) return printStatus(status);
  if (error instanceof ConnectionError) return printConnection(error);
  if (error instanceof RequestTimeoutError || error instanceof ServerSilentError) {
    return `Unable to connect to the server: ${error.message}\n`;
  }
  if (error instanceof MissingContextError) return `Error in configuration: ${error.message}\n`;
  const hint = error instanceof ScaffoldError && error.hint !== undefined ? `\n${error.hint}` : "";
  return `error: ${messageOf(error)}${hint}\n`;
}

function printStatus({ reason = "", message = "", details, code }: Status): string {
  if (reason === "Unauthorized") return `error: You must be logged in to the server (${message})\n`;
  if (reason === "Invalid") return printInvalid(message, details);
  const text = message === "" ? `the server responded with ${String(code)}` : message;
  return reason === "" ? `Error from server: ${text}\n` : `Error from server (${reason}): ${text}\n`;
}

function printInvalid(message: string, details: Status["details"]): string {
  if (details === undefined) return `Error from server (Invalid): ${message}\n`;
  const { kind = "", name = "", causes = [] } = details;
  const start = `The ${kind} ${JSON.stringify(name)} is invalid`;
  const problems = causes.map((cause) => `${cause.field ?? ""}: ${cause.message ?? ""}`);
  if (problems.length === 0) return `${start}\n`;
  return problems.length === 1
    ? `${start}: ${problems[0] ?? ""}\n`
    : `${start}: \n${problems.map((problem) => `* ${problem}\n`).join("")}`;
}

function printConnection({ failure, server, detail }: ConnectionError): string {
  const host = URL.canParse(server) ? new URL(server).host : server;
  return failure === "refused"
    ? `The connection to the server ${host} was refused - did you specify the right host or port?\n`
    : `Unable to connect to the server: ${detail}\n`;
}
