import { confirm, isCancel } from "@clack/prompts";

import { CancelledError } from "./errors.ts";

/** Asks the person at the terminal a question that has yes for its default. Fails: {@link CancelledError} when they break it off. */
export async function askYesNo(message: string): Promise<boolean> {
  const answer = await confirm({ message, initialValue: true });
  if (isCancel(answer)) throw new CancelledError();
  return answer;
}
