import { type CelType, DYN, isSameType, listOf, mapOf, opaqueType, typeOf } from "../values/cel-type.ts";

/** What type parameters stand for, by their names. */
export type Substitutions = ReadonlyMap<string, CelType>;

/**
 * Returns the substitutions under which values of the second types may stand where the first are wanted, or undefined where there are
 * none; the rules are cel-go's, with `dyn` fitting everything and null fitting objects, times and library types.
 */
export function assign(
  substitutions: Substitutions,
  wanted: readonly CelType[],
  given: readonly CelType[],
): Substitutions | undefined {
  const copy = new Map(substitutions);
  return areAssignable(copy, wanted, given) ? copy : undefined;
}

/** Replaces type parameters by what they stand for; with `openIsDyn` those that stand for nothing become `dyn`. */
export function substitute(substitutions: Substitutions, type: CelType, openIsDyn: boolean): CelType {
  if (type.kind === "param") {
    const known = substitutions.get(type.name);
    if (known !== undefined) return substitute(substitutions, known, openIsDyn);
    return openIsDyn ? DYN : type;
  }
  if (type.parameters.length === 0) return type;
  const [first = DYN, second = DYN] = type.parameters.map((part) => substitute(substitutions, part, openIsDyn));
  switch (type.kind) {
    case "list":
      return listOf(first);
    case "map":
      return mapOf(first, second);
    case "type":
      return typeOf(first);
    default:
      return opaqueType(type.name, ...type.parameters.map((part) => substitute(substitutions, part, openIsDyn)));
  }
}

/** Returns the more general of two types. */
export function mostGeneral(left: CelType, right: CelType): CelType {
  return isEqualOrLessSpecific(left, right) ? left : right;
}

type Open = Map<string, CelType>;

function areAssignable(open: Open, wanted: readonly CelType[], given: readonly CelType[]): boolean {
  return wanted.length === given.length && wanted.every((type, index) => isAssignable(open, type, given[index] ?? DYN));
}

function isAssignable(open: Open, wanted: CelType, given: CelType): boolean {
  if (given.kind === "param") {
    const outcome = substituteParameter(open, wanted, given);
    if (outcome.isValid) return true;
    if (outcome.wasKnown) return false;
  }
  if (wanted.kind === "param") return substituteParameter(open, given, wanted).isValid;
  if (isDynOrError(wanted) || isDynOrError(given)) return true;
  if (wanted.kind === "null") return isNullable(given);
  if (given.kind === "null") return isNullable(wanted);
  if (wanted.kind === "type") return given.kind === "type";
  return (
    wanted.kind === given.kind && wanted.name === given.name && areAssignable(open, wanted.parameters, given.parameters)
  );
}

function isDynOrError(type: CelType): boolean {
  return type.kind === "dyn" || type.kind === "error";
}

function isNullable(type: CelType): boolean {
  return ["null", "dyn", "opaque", "struct", "duration", "timestamp"].includes(type.kind);
}

interface SubstitutionOutcome {
  readonly isValid: boolean;
  readonly wasKnown: boolean;
}

function substituteParameter(open: Open, type: CelType, parameter: CelType): SubstitutionOutcome {
  if (isSameType(type, parameter)) return { isValid: true, wasKnown: true };
  const known = open.get(parameter.name);
  if (known === undefined) {
    if (!isFreeOf(open, parameter, type)) return { isValid: false, wasKnown: false };
    open.set(parameter.name, type);
    return { isValid: true, wasKnown: false };
  }
  if (isSameType(type, known)) return { isValid: true, wasKnown: true };
  if (!isAssignable(open, type, known)) return { isValid: false, wasKnown: true };
  const general = mostGeneral(type, known);
  if (isFreeOf(open, parameter, general)) open.set(parameter.name, general);
  return { isValid: true, wasKnown: true };
}

// A parameter must not stand for something that mentions it.
function isFreeOf(open: Open, parameter: CelType, within: CelType): boolean {
  if (isSameType(parameter, within)) return false;
  if (within.kind === "param") {
    const known = open.get(within.name);
    return known === undefined || isFreeOf(open, parameter, known);
  }
  return within.parameters.every((part) => isFreeOf(open, parameter, part));
}

function isEqualOrLessSpecific(left: CelType, right: CelType): boolean {
  if (left.kind === "dyn" || left.kind === "param") return true;
  if (right.kind === "dyn" || right.kind === "param" || left.kind !== right.kind) return false;
  if (left.kind === "type") return true;
  if (left.parameters.length === 0) return isSameType(left, right);
  return (
    left.name === right.name &&
    left.parameters.length === right.parameters.length &&
    left.parameters.every((part, index) => isEqualOrLessSpecific(part, right.parameters[index] ?? DYN))
  );
}
