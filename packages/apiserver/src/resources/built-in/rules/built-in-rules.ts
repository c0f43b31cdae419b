import type { ApiObject } from "../../../storage/api-object.ts";
import type { NameRule, ScalePaths, StrategyContext } from "../../strategy.ts";
import type { BuiltInChecks } from "./checks/built-in-checks.ts";

/** Rules of one built-in kind beyond its schema; absent fields have the default of most kinds. */
export interface BuiltInRules extends BuiltInChecks {
  readonly nameRule?: NameRule;
  /** Fields whose change counts as a new generation; kinds without them have none. */
  readonly generationFields?: readonly string[];
  /** Whether a change that states an empty list or map in these fields counts, although it is stored as an absent one. */
  readonly countsEmptyFields?: boolean;
  /** Whether new objects have no generation; their changes are counted all the same. */
  readonly startsWithoutGeneration?: boolean;
  /** Whether a change of labels counts as well. */
  readonly countsLabels?: boolean;
  /** Whether a change of annotations counts as well, but for one with the status. */
  readonly countsAnnotations?: boolean;
  /** The levels of objects and lists that an object may have, where these are fewer than those of JSON. */
  readonly mostLevels?: number;
  readonly allowsCreateOnUpdate?: boolean;
  /** True unless said otherwise. */
  readonly allowsUnconditionalUpdate?: boolean;
  readonly defaultPropagation?: "background" | "orphan" | "unsupported";
  /** The warning about a delete that states no propagation policy. */
  readonly orphanWarning?: string;
  readonly returnsDeletedObject?: boolean;
  readonly selectableFields?: Readonly<Record<string, (object: ApiObject) => string>>;
  readonly scale?: ScalePaths;
  /** Whether the mark of a delete is the time alone: no grace period, no new generation. */
  readonly marksPlainly?: boolean;
  /** Whether the status endpoint leaves labels, annotations, finalizers, and owners as they are. */
  readonly keepsMetadataForStatus?: boolean;
  /** In which writes a finalizer without a path may have any name; in none where this is absent. */
  readonly takesPlainFinalizers?: "always" | "in-status";
  /** Whether new objects have the status that they are created with. */
  readonly keepsInitialStatus?: boolean;
  /** Sets the defaults that the schema does not tell. */
  readonly setDefaults?: (object: ApiObject) => void;
  /** Adds what is shown although it is absent: nulls, which defaulting would drop. */
  readonly complete?: (object: ApiObject) => void;
  readonly prepareForCreate?: (object: ApiObject, context: StrategyContext) => void;
  readonly prepareForUpdate?: (object: ApiObject, old: ApiObject, context: StrategyContext) => void;
  /** Loads what the checks of an object need beyond what is loaded from the start; undefined where that is nothing. */
  readonly prepareChecks?: (object: ApiObject) => Promise<void> | undefined;
  /** Whether `validate` also reports absent required fields and values outside an enum, in the order of a real server. */
  readonly checksEveryField?: boolean;
  /** Loads the checks of a kind before the first object is checked; other kinds have theirs from the start. */
  readonly loadChecks?: () => Promise<BuiltInChecks>;
  readonly gracePeriod?: (object: ApiObject, requestedSeconds: number | undefined) => number;
  readonly markForDeletion?: (object: ApiObject, context: StrategyContext) => void;
  readonly isHeld?: (object: ApiObject) => boolean;
  readonly toStored?: (object: ApiObject) => ApiObject;
  readonly fromStored?: (stored: ApiObject) => ApiObject;
  /** Returns an object without fields that are stored and that its status alone shows. */
  readonly shown?: (object: ApiObject) => ApiObject;
}
