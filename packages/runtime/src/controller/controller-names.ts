import { oncePerRegistry, type MetricsRegistry } from "../metrics/registry.ts";
import { ControllerNameMissingError, ControllerNameTakenError } from "./errors.ts";

const namesOf = oncePerRegistry(() => new Set<string>());

/** Takes a name for good. Fails: {@link ControllerNameTakenError} when another controller that counts in the registry has it. */
export function claimName(name: string, registry: MetricsRegistry): void {
  if (name === "") {
    throw new ControllerNameMissingError();
  }
  const names = namesOf(registry);
  if (names.has(name)) {
    throw new ControllerNameTakenError(name);
  }
  names.add(name);
}
