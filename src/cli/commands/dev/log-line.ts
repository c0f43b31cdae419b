import type { LogLine } from "@kubescaffold/dashboard";

import type { LogEntry } from "./manager-log.ts";

/** Returns the line of the dashboard for an entry of a manager's log. */
export function logLineOf(entry: LogEntry): LogLine {
  const { level, ts, logger, message, controller, object, error, hint, stack, fields } = entry;
  const { reconcileID: reconcileId, ...rest } = fields;
  const at = Date.parse(ts);
  return {
    type: "log",
    at: Number.isNaN(at) ? Date.now() : at,
    level,
    logger,
    message,
    ...defined({ controller, object, error, hint, stack }),
    ...(typeof reconcileId === "string" ? { reconcileId } : {}),
    ...(Object.keys(rest).length === 0 ? {} : { fields: rest }),
  };
}

function defined<T extends Readonly<Record<string, string | undefined>>>(
  values: T,
): { readonly [K in keyof T]?: string } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    readonly [K in keyof T]?: string;
  };
}
