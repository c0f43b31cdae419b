import { ScaffoldError } from "@kubescaffold/k8s";

/**
 * Thrown when the settings of a sharding are invalid.
 *
 * Fix: Follow the message.
 */
export class ShardingOptionsError extends ScaffoldError {
  readonly code = "SHARDING_BAD_OPTIONS";

  constructor(reason: string, hint: string) {
    super(`cannot shard: ${reason}`, { hint });
  }
}
