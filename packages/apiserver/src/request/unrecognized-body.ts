import type { ExpectedKind } from "./decoded-body.ts";
import { badRequest } from "./failures.ts";

/** Returns the error of a text that is not read as an object of the expected kind. */
export function unrecognized({
  text,
  expected,
  problem,
}: {
  readonly text: string;
  readonly expected: ExpectedKind;
  readonly problem: string;
}): Error {
  if (expected.isOptions === true) return badRequest(problem);
  return badRequest(
    `the object provided is unrecognized (must be of type ${expected.kind}): ${problem} (${summarize(text)})`,
  );
}

function summarize(text: string): string {
  if (text === "") {
    return "<empty>";
  }
  const bytes = text.startsWith("{") ? text : Buffer.from(text).toString("hex");
  const limit = text.startsWith("{") ? 30 : 60;
  return bytes.length > limit ? `${bytes.slice(0, limit)} ...` : bytes;
}
