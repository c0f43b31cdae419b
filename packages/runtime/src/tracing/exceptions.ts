import { causesOf, isInstance, readableError, ScaffoldError, StatusError } from "@kubescaffold/k8s";

/** The parts of an error that a span may contain. */
export interface SpanException {
  /** A class of errors with few distinct values: the reason of the server, a code, or the name of the error. */
  readonly type: string;
  /** The exception for the span. */
  readonly exception: { readonly name: string; readonly message: string; readonly stack: string };
}

/**
 * Returns the parts of an error that a span may contain.
 *
 * Guarantees: no message of an error that may quote a server's text or a parsed one, or that has such a cause: these contain values of objects, also of Secrets.
 */
export function exceptionOf(thrown: unknown): SpanException {
  const error = readableError(thrown);
  const type = typeOf(error);
  const name = error instanceof Error ? error.name : typeof error;
  const isSafe = error instanceof Error && !quotesServer(error);
  const message = isSafe ? error.message : type;
  return { type, exception: { name, message, stack: [`${name}: ${message}`, ...framesOf(error)].join("\n") } };
}

function typeOf(error: unknown): string {
  if (error instanceof StatusError) return error.status.reason ?? String(error.status.code ?? error.name);
  if (error instanceof ScaffoldError) return error.code;
  return error instanceof Error ? error.name : typeof error;
}

const MOST_CAUSES = 20;

function quotesServer(error: unknown): boolean {
  let count = 0;
  for (const each of causesOf(error)) {
    count += 1;
    // The engine quotes the text that it cannot parse.
    if (count > MOST_CAUSES || isInstance(each, ScaffoldError) || isInstance(each, SyntaxError)) return true;
  }
  return false;
}

// The stack starts with the message, which may have several lines.
function framesOf(error: unknown): readonly string[] {
  if (!(error instanceof Error) || error.stack === undefined) return [];
  const { message, stack } = error;
  const messageAt = stack.indexOf(message);
  return messageAt < 0
    ? []
    : stack
        .slice(messageAt + message.length)
        .split("\n")
        .filter((line) => /^ {4}at /u.test(line));
}
