import type { GroupVersionKind } from "@kubescaffold/k8s";

import type { MutableJsonObject } from "../storage/api-object.ts";

/** A body that has been read. */
export interface DecodedBody {
  readonly value: MutableJsonObject;
  /** Paths of fields that the text states twice. */
  readonly duplicateFields: readonly string[];
  readonly text: string;
  /** Returns the sentences about fields that the kind does not have, where they are not those of JSON. */
  readonly unknownFieldTexts?: (paths: readonly string[]) => readonly string[];
  /** Returns the error of a field of the value in the words of the format, where they are not those of JSON. */
  readonly rephrase?: (error: unknown) => unknown;
}

/** The kind of the object that a body should state. */
export interface ExpectedKind extends GroupVersionKind {
  /** Whether the kind is defined by users, and so has no form in protocol buffers, and no Go type. */
  readonly isCustom?: boolean;
  /** Whether the body has the options of a request, whose failures are reported without the kind. */
  readonly isOptions?: boolean;
}
