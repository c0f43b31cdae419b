import { createLogger, type Logger } from "./logger.ts";

/** A logger that writes nothing. */
export const silentLogger: Logger = createLogger({ isEnabled: () => false, write: () => undefined });
