import type { FieldError } from "@kubescaffold/k8s";

import type { ApiObject } from "../../../../storage/api-object.ts";
import type { FieldErrors, StrategyContext } from "../../../strategy.ts";

/** Checks of the objects of one built-in kind. */
export interface BuiltInChecks {
  /** Checks an object by itself; on updates the old one says what was wrong already. */
  readonly validate?: (object: ApiObject, context: StrategyContext, old?: ApiObject) => FieldErrors;
  /** Checks a change of the object and of its subresources but the status. */
  readonly validateUpdate?: (object: ApiObject, old: ApiObject, context: StrategyContext) => readonly FieldError[];
  /** Checks what the status endpoint writes; absent where it takes any status. */
  readonly validateStatus?: (object: ApiObject, old: ApiObject, context: StrategyContext) => readonly FieldError[];
  /** Returns the warnings about a valid object that is created or updated. */
  readonly warnings?: (object: ApiObject, old: ApiObject | undefined) => readonly string[];
  /** Returns the warnings about an object whose valid status the status endpoint writes. */
  readonly statusWarnings?: (object: ApiObject) => readonly string[];
}
