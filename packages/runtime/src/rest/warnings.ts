import type { Logger } from "../log/logger.ts";

/** What a server says beside its answer: a deprecated version, an unknown field. */
export interface ServerWarning {
  readonly code: number;
  readonly agent: string;
  readonly text: string;
}

/** Is told of every warning that comes with an answer. */
export type WarningHandler = (warning: ServerWarning) => void;

/** Creates a handler that logs warnings of code 299; with `deduplicate` the same text only once. */
export function createWarningLogger(log: Logger, options: { readonly deduplicate?: boolean } = {}): WarningHandler {
  const seen = new Set<string>();
  return ({ code, text }) => {
    if (code !== 299 || text === "" || seen.has(text)) {
      return;
    }
    if (options.deduplicate === true) {
      seen.add(text);
    }
    log.withName("KubeAPIWarningLogger").info(text);
  };
}

// A warning is `299 - "text"`, with a date in quotes after it or not; the quoted text has backslash escapes.
const WARNING = /\s*(\d{3}) (\S+) "((?:[^"\\]|\\.)*)"(?: "[^"]*")?\s*(?:,|$)/uy;

/** Reads the value of `Warning` headers; what does not parse is left out. */
export function parseWarnings(header: string | undefined): readonly ServerWarning[] {
  const warnings: ServerWarning[] = [];
  const pattern = new RegExp(WARNING);
  for (let match = pattern.exec(header ?? ""); match !== null; match = pattern.exec(header ?? "")) {
    const [, code = "", agent = "", text = ""] = match;
    warnings.push({ code: Number(code), agent, text: text.replaceAll(/\\(.)/gu, "$1") });
  }
  return warnings;
}
