import {
  type FieldError,
  dns1035LabelErrors,
  dns1123LabelErrors,
  dns1123SubdomainErrors,
  maskTrailingDash,
} from "@kubescaffold/k8s";
import { pathSegmentErrors, type NameRule as NameCheck } from "@kubescaffold/schema/values";

import type { UserInfo } from "../request/request-context.ts";
import type { ApiObject, JsonObject } from "../storage/api-object.ts";
import type { ObjectReader } from "../storage/object-reader.ts";
import { addressNameErrors } from "./address-names.ts";

/** Consecutive ports of the nodes. */
export interface PortRange {
  /** The first port. */
  readonly first: number;
  /** The last port. */
  readonly last: number;
}

/** The request's context, as strategies see it. */
export interface StrategyContext {
  /** The time of the request, as objects carry it. */
  readonly now: string;
  /** Empty for the resource itself. */
  readonly subresource: string;
  readonly isDryRun: boolean;
  readonly user: UserInfo;
  readonly objects: ObjectReader;
  /** The ranges that the server was started with, from which Services get addresses: of one family, or of the default one and another. */
  readonly serviceRanges: readonly string[];
  /** The ports of the nodes that Services can have. */
  readonly nodePortRange: PortRange;
  readonly warn: (text: string) => void;
}

/** Metadata as checks see it. */
export interface CheckedMetadata {
  readonly metadata: ApiObject["metadata"];
  /** What makes it unreadable; it takes the place of the checks that the kind itself makes. */
  readonly problem?: FieldError;
}

/** The errors of an object, or a promise of them where checking them may take long. */
export type FieldErrors = readonly FieldError[] | Promise<readonly FieldError[]>;

/** How the objects of one kind, in one version, are read, filled in, checked, changed and deleted. */
export interface Strategy {
  /**
   * Reads a decoded body: drops what the kind does not know, collecting it, and sets defaults. The input may be changed; the
   * result belongs to the caller.
   *
   * Fails: with 400 when a field has a type that cannot be read.
   */
  readonly decode: (
    object: ApiObject,
    options: {
      readonly unknownFields: string[];
      /** Whether the object is what an apply has merged: its numbers are converted, and its nulls are kept. */
      readonly isMerged?: boolean;
      /** Whether Go converts the object from maps, as the result of a strategic merge patch, in place of reading JSON; errors have other words. */
      readonly isConverted?: boolean;
      /** The object as the client stated it, which messages name; the merged object unless stated. */
      readonly stated?: JsonObject;
    },
  ) => ApiObject;
  /**
   * Asks what converts stored objects to this version, ahead of {@link Strategy.fromStored}; undefined where nothing is to be asked.
   *
   * Fails: with 500 when they cannot be converted.
   */
  readonly prepareRead?: (
    stored: readonly ApiObject[],
    options: {
      /** Whether an earlier answer for the same objects will do. */
      readonly reuses: boolean;
    },
  ) => Promise<void> | undefined;
  /** Asks what converts an object to the version that is stored, ahead of {@link Strategy.toStored}. */
  readonly prepareWrite?: (object: ApiObject) => Promise<void> | undefined;
  /**
   * Returns objects of this version in another one; absent where no webhook converts.
   *
   * Fails: with 500 when they cannot be converted.
   */
  readonly convert?: (objects: readonly ApiObject[], apiVersion: string) => Promise<readonly ApiObject[]>;
  /** Returns the object in the version that is stored; it belongs to the caller. */
  readonly toStored: (object: ApiObject) => ApiObject;
  /** Returns a stored object in this version, frozen or not. */
  readonly fromStored: (stored: ApiObject) => ApiObject;
  /** Returns an object without fields that are stored and that its status alone shows; absent for kinds that have none. */
  readonly shown?: (object: ApiObject) => ApiObject;
  readonly prepareForCreate: (object: ApiObject, context: StrategyContext) => void;
  /** Takes over from the stored object what a request to the resource or subresource cannot change. */
  readonly prepareForUpdate: (object: ApiObject, old: ApiObject, context: StrategyContext) => void;
  /** Loads what the checks of an object need beyond what is loaded from the start; undefined where that is nothing. */
  readonly prepareChecks?: (object: ApiObject) => Promise<void> | undefined;
  readonly validate: (object: ApiObject, context: StrategyContext) => FieldErrors;
  readonly validateUpdate: (object: ApiObject, old: ApiObject, context: StrategyContext) => FieldErrors;
  /** Returns the warnings about a valid object that is written; absent for kinds that have none. */
  readonly warnings?: (object: ApiObject, old: ApiObject | undefined, subresource: string) => readonly string[];
  /** Completes an object that admission has changed; {@link Strategy.decode} does where this is absent. */
  readonly readmit?: (object: ApiObject) => ApiObject;
  /** Returns the metadata that checks see where it is not that of an object that admission has changed. */
  readonly checkedMetadata?: (object: ApiObject) => CheckedMetadata | undefined;
  readonly nameRule: NameRule;
  /** Returns the checks of metadata that an update of the resource or a subresource makes beyond those of all kinds; changes alone where this is absent. */
  readonly changedMetadata?: (subresource: string) => readonly MetadataCheck[];
  /** In which writes a finalizer without a path may have any name; in none where this is absent. */
  readonly takesPlainFinalizers?: "always" | "in-status";
  /** Reports whether an update of the resource or a subresource has changed what `metadata.generation` counts; undefined for kinds without a generation. */
  readonly isNewGeneration: ((object: ApiObject, old: ApiObject, subresource: string) => boolean) | undefined;
  /** Whether new objects have no generation although changes are counted. */
  readonly startsWithoutGeneration?: boolean;
  readonly allowsCreateOnUpdate: boolean;
  readonly allowsUnconditionalUpdate: boolean;
  /** Propagation policy of a delete that states none. */
  readonly defaultPropagation: "background" | "orphan" | "unsupported";
  /** The warning about a delete that states no propagation policy. */
  readonly orphanWarning?: string;
  readonly returnsDeletedObject: boolean;
  /** Whether strategic merge patches are understood. */
  readonly takesStrategicPatches: boolean;
  /** Seconds between the mark and the removal, for kinds that end gracefully; undefined for all others. */
  readonly gracePeriod?: (object: ApiObject, requestedSeconds: number | undefined) => number;
  /** Adds to an object that is being marked for deletion; it belongs to the strategy. */
  readonly markForDeletion?: (object: ApiObject, context: StrategyContext) => void;
  /** Whether something other than `metadata.finalizers` keeps a marked object. */
  readonly isHeld?: (object: ApiObject) => boolean;
  /** Whether the mark of a delete is the time alone: no grace period, no new generation. */
  readonly marksPlainly?: boolean;
  /** The fields of field selectors beside name and namespace. */
  readonly selectableFields: ReadonlyMap<string, (object: ApiObject) => string>;
  /** Whether an unknown field of a selector is reported in the form of kinds with their own list. */
  readonly hasOwnFieldSelectors: boolean;
  /** Where replicas are, for kinds with the subresource `scale`. */
  readonly scale?: ScalePaths;
}

/** Where the subresource `scale` reads and writes, as simple paths such as `.spec.replicas`. */
export interface ScalePaths {
  readonly specReplicas: string;
  readonly statusReplicas: string;
  /** A string for custom resources; a label selector object for built-in kinds. */
  readonly labelSelector?: string;
}

/** A check of metadata in an update: what an update may change, or all that a create checks. */
export type MetadataCheck = "changes" | "whole";

/** Which names a kind takes. */
export type NameRule =
  | "subdomain"
  | "generated-subdomain"
  | "label"
  | "label-1035"
  | "path-segment"
  | "ip-address"
  | "any";

const CHECKS: Readonly<
  Record<
    Exclude<NameRule, "generated-subdomain" | "path-segment" | "ip-address" | "any">,
    (name: string) => readonly string[]
  >
> = {
  subdomain: dns1123SubdomainErrors,
  label: dns1123LabelErrors,
  "label-1035": dns1035LabelErrors,
};

/** Returns the check of a rule: what is wrong with a name, or with the prefix of a generated one. */
export function nameCheck(rule: NameRule): NameCheck {
  if (rule === "path-segment") {
    return pathSegmentErrors;
  }
  if (rule === "any") {
    return () => [];
  }
  if (rule === "generated-subdomain") {
    // The prefix of a generated name may be anything: the name is what counts.
    return (name, isPrefix) => (isPrefix ? [] : dns1123SubdomainErrors(name));
  }
  if (rule === "ip-address") {
    return (name) => addressNameErrors(name);
  }
  const check = CHECKS[rule];
  return (name, isPrefix) => check(isPrefix ? maskTrailingDash(name) : name);
}
