/** Reads the body of a request as text; returns undefined if it exceeds the limit. */
export async function readLimited(request: Request, limitBytes: number): Promise<string | undefined> {
  if (request.body === null) return "";
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body) {
    size += chunk.byteLength;
    if (size > limitBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** The errors that JavaScript itself throws for an error in a program; upstream's counterpart is a panic. */
const PROGRAMMING_ERRORS = [TypeError, ReferenceError, RangeError, SyntaxError, EvalError] as const;

/** Reports whether an error is a defect of a handler rather than a denial. */
export function isProgrammingError(error: unknown): boolean {
  return PROGRAMMING_ERRORS.some((type) => error instanceof type);
}
