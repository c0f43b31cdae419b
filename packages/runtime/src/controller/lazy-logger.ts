import type { LogFields, Logger } from "../log/logger.ts";

/** A logger that is created on first use, since most reconciles log nothing. */
export class LazyLogger implements Logger {
  readonly #create: () => Logger;
  #known: Logger | undefined;

  constructor(create: () => Logger) {
    this.#create = create;
  }

  get #logger(): Logger {
    this.#known ??= this.#create();
    return this.#known;
  }

  info(message: string, fields?: LogFields): void {
    this.#logger.info(message, fields);
  }

  error(error: unknown, message: string, fields?: LogFields): void {
    this.#logger.error(error, message, fields);
  }

  debug(message: string, fields?: LogFields): void {
    this.#logger.debug(message, fields);
  }

  v(level: number): Logger {
    return this.#logger.v(level);
  }

  isEnabled(): boolean {
    return this.#logger.isEnabled();
  }

  withValues(fields: LogFields): Logger {
    return this.#logger.withValues(fields);
  }

  withName(name: string): Logger {
    return this.#logger.withName(name);
  }
}
