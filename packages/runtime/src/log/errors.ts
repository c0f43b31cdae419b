import { ScaffoldError } from "@kubescaffold/k8s";

/** Is thrown when a flag of logging has a value that it does not know. */
export class LogFlagError extends ScaffoldError {
  readonly code = "LOG_FLAG_INVALID";

  constructor(name: string, value: string, help: string) {
    super(`cannot log as --${name}=${value} says: it has no such value`, { hint: `give it one of these: ${help}` });
  }
}
