import { parseLosslessJson } from "@kubescaffold/k8s";

import { UnreadableAnswerError } from "./errors.ts";
import { retryAfterSeconds } from "./headers.ts";
import type { WireResponse } from "./wire.ts";

/** A response whose body was read whole. */
export interface ReceivedAnswer {
  readonly status: number;
  readonly text: string;
  readonly contentType: string;
  readonly retryAfterSeconds: number | undefined;
}

/** Reports whether a server did what was requested. */
export function isSuccess({ status }: WireResponse): boolean {
  return status >= 200 && status < 300;
}

/** Returns the seconds after which a server wants to be asked again. */
export function retryAfterOf(response: WireResponse): number | undefined {
  return retryAfterSeconds(response.header("retry-after"));
}

/** Reports whether an error means that the next part of a body did not come in time. */
export function isBodyTimeout(error: unknown): boolean {
  return (error as { readonly code?: unknown } | undefined)?.code === "UND_ERR_BODY_TIMEOUT";
}

/** Parses the JSON of a response. Fails: {@link UnreadableAnswerError}. */
export function parseAnswer(request: string, text: string): unknown {
  try {
    return parseLosslessJson(text);
  } catch (cause) {
    throw new UnreadableAnswerError(request, { body: text, cause });
  }
}
