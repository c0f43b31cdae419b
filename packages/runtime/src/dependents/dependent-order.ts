import { DependentCycleError, DependentNameError } from "./errors.ts";

/** A dependent's place among the others. */
export interface Ordered {
  readonly name: string;
  readonly dependsOn: readonly string[];
}

/** Dependents in the order in which they are applied, and what each of them depends on. */
export interface DependentOrder<D extends Ordered> {
  /** The dependents: each one after those that it depends on, otherwise in the given order. */
  readonly dependents: readonly D[];
  /** The names of the dependents that one depends on, directly or not, by its name. */
  readonly dependencies: ReadonlyMap<string, ReadonlySet<string>>;
}

// The name is part of an annotation, after a slash.
const NAME = /^[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?$/u;

/**
 * Orders dependents such that each one follows those that it depends on.
 *
 * Fails: {@link DependentNameError} for a name that is unknown or invalid; {@link DependentCycleError}.
 */
export function orderDependents<D extends Ordered>(dependents: readonly D[]): DependentOrder<D> {
  const byName = namesOf(dependents);
  const ordered: D[] = [];
  const dependencies = new Map<string, ReadonlySet<string>>();
  const visit = (each: D, path: readonly string[]): void => {
    if (path.includes(each.name)) {
      throw new DependentCycleError([...path.slice(path.indexOf(each.name)), each.name]);
    }
    if (dependencies.has(each.name)) {
      return;
    }
    const needed = each.dependsOn.map((name) => named(byName, name, each));
    for (const one of needed) {
      visit(one, [...path, each.name]);
    }
    const all = needed.flatMap(({ name }) => [name, ...(dependencies.get(name) ?? [])]);
    dependencies.set(each.name, new Set(all));
    ordered.push(each);
  };
  for (const each of dependents) {
    visit(each, []);
  }
  return { dependents: ordered, dependencies };
}

function namesOf<D extends Ordered>(dependents: readonly D[]): ReadonlyMap<string, D> {
  const invalid = dependents.find(({ name }) => !NAME.test(name));
  if (invalid !== undefined) {
    throw new DependentNameError(
      `the name of a dependent is invalid: ${JSON.stringify(invalid.name)}`,
      "use letters, digits, and the characters . _ - between them",
    );
  }
  return new Map(dependents.map((each) => [each.name, each]));
}

function named<D extends Ordered>(byName: ReadonlyMap<string, D>, name: string, by: D): D {
  const found = byName.get(name);
  if (found === undefined) {
    throw new DependentNameError(
      `the dependent ${by.name} depends on ${name}, which does not exist`,
      `use one of these names in dependsOn: ${[...byName.keys()].join(", ")}`,
    );
  }
  return found;
}
