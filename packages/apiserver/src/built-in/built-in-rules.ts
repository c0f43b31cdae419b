import type { FieldError } from "@kubescaffold/k8s";

import type { NameRule } from "../object-meta/name-rules.ts";
import type { ScalePaths, StrategyContext } from "../registry/strategy.ts";
import type { ApiObject } from "../storage/api-object.ts";

/** What one built-in kind does beyond what its schema says; everything left out is as for most kinds. */
export interface BuiltInRules {
  readonly nameRule?: NameRule;
  /** Fields whose change counts as a new generation; kinds without them have none. */
  readonly generationFields?: readonly string[];
  readonly allowsCreateOnUpdate?: boolean;
  /** True unless said otherwise. */
  readonly allowsUnconditionalUpdate?: boolean;
  readonly defaultPropagation?: "background" | "orphan" | "unsupported";
  readonly returnsDeletedObject?: boolean;
  readonly selectableFields?: Readonly<Record<string, (object: ApiObject) => string>>;
  readonly scale?: ScalePaths;
  readonly heldMessage?: string;
  /** Sets the defaults that the schema does not tell. */
  setDefaults?(object: ApiObject): void;
  prepareForCreate?(object: ApiObject, context: StrategyContext): void;
  prepareForUpdate?(object: ApiObject, old: ApiObject, context: StrategyContext): void;
  validate?(object: ApiObject, context: StrategyContext): readonly FieldError[];
  validateUpdate?(object: ApiObject, old: ApiObject, context: StrategyContext): readonly FieldError[];
  gracePeriod?(object: ApiObject, requestedSeconds: number | undefined): number;
  markForDeletion?(object: ApiObject, context: StrategyContext): void;
  isHeld?(object: ApiObject): boolean;
  toStored?(object: ApiObject): ApiObject;
  fromStored?(stored: ApiObject): ApiObject;
}
