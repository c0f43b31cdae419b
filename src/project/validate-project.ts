import { matchesProjectSchema } from "./generated/matches-project-schema.ts";
import type { ProjectProblem } from "./name-problems.ts";

/** Checks the data of a PROJECT file and returns the first problem, or nothing. */
export function validateProject(data: unknown): ProjectProblem | undefined {
  if (matchesProjectSchema(data)) return undefined;
  const error = matchesProjectSchema.errors?.at(-1);
  if (error === undefined) return undefined;
  if (data === null || data === undefined) return { path: [], message: "the file is empty" };
  const path = error.instancePath.split("/").slice(1).map(unescapePointer);
  return { path, message: `${path.join(".") || "the file"} ${error.message ?? "is invalid"}` };
}

function unescapePointer(segment: string): string {
  return segment.replaceAll("~1", "/").replaceAll("~0", "~");
}
