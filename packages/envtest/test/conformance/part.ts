import type { Row } from "./row.ts";

// `3/7` selects each seventh row from the third one on: a run on the real control plane takes minutes.
const PART = process.env["CONFORMANCE_PART"];

/** Returns the rows of the part that `CONFORMANCE_PART` names, or all of them. Throws when it names none. */
export function rowsOfPart<R extends Pick<Row, "row">>(
  rows: readonly R[],
  part: string | undefined = PART,
): readonly R[] {
  if (part === undefined || part === "") return rows;
  const [, number = "", count = ""] = /^(\d+)\/(\d+)$/u.exec(part) ?? [];
  const index = Number(number) - 1;
  if (count === "" || index < 0 || index >= Number(count))
    throw new Error(`CONFORMANCE_PART is ${JSON.stringify(part)}, and must be a part such as 3/7`);
  return rows.filter((_, each) => each % Number(count) === index);
}
