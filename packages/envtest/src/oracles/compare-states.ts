import { RECURSIVE_LEVELS } from "@kubescaffold/k8s";
import { isRecord } from "@kubescaffold/platform";

/** The comparable objects of a cluster at rest, by names such as `deployments.apps default/web`. */
export type RestState = ReadonlyMap<string, unknown>;

/** A difference between two states. */
export interface StateDifference {
  /** The object, such as `deployments.apps default/web`. */
  readonly object: string;
  /** The path of the field, such as `spec.replicas`; empty for an object that only one of the states has. */
  readonly path: string;
  /** The expected value; absent where nothing is expected. */
  readonly expected?: unknown;
  /** The value that was found; absent where there is none. */
  readonly actual?: unknown;
}

/** Returns the differences between two states, in order of objects and paths. */
export function differencesOf(expected: RestState, actual: RestState): readonly StateDifference[] {
  const names = [...new Set([...expected.keys(), ...actual.keys()])].sort();
  return names.flatMap((object) => {
    const [left, right] = [expected.get(object), actual.get(object)];
    if (left === undefined || right === undefined) return [differenceAt({ object, path: "" }, left, right)];
    return differencesIn(left, right, { object, path: "", level: 0 });
  });
}

interface Place {
  readonly object: string;
  readonly path: string;
  readonly level: number;
}

function differencesIn(expected: unknown, actual: unknown, place: Place): readonly StateDifference[] {
  const { object, path, level } = place;
  if (level < RECURSIVE_LEVELS && isRecord(expected) && isRecord(actual)) {
    const keys = [...new Set([...Object.keys(expected), ...Object.keys(actual)])].sort();
    return keys.flatMap((key) =>
      differencesIn(expected[key], actual[key], { object, path: joinPath(path, key), level: level + 1 }),
    );
  }
  return textOf(expected) === textOf(actual) ? [] : [differenceAt(place, expected, actual)];
}

function differenceAt(
  { object, path }: Pick<Place, "object" | "path">,
  expected: unknown,
  actual: unknown,
): StateDifference {
  return {
    object,
    path,
    ...(expected === undefined ? {} : { expected }),
    ...(actual === undefined ? {} : { actual }),
  };
}

function joinPath(path: string, key: string): string {
  if (key.startsWith("[")) return `${path}${key}`;
  if (!/^\w[\w-]*$/u.test(key)) return `${path}[${JSON.stringify(key)}]`;
  return path === "" ? key : `${path}.${key}`;
}

// The keys of comparable values are in order.
function textOf(value: unknown): string {
  return value === undefined ? "" : JSON.stringify(value);
}

/** Fields that differ between two runs of the same steps, and that no oracle may use. */
export class NoiseMask {
  readonly #places: readonly StateDifference[];
  readonly #ignored: readonly IgnoredPath[];

  constructor(places: readonly StateDifference[], ignored: readonly string[] = []) {
    this.#places = places;
    this.#ignored = ignored.map(ignoredPath);
  }

  /** The masked places, such as `secrets default/web data.password`. */
  get places(): readonly string[] {
    return [...new Set(this.#places.map(({ object, path }) => `${object} ${path}`.trim()))];
  }

  /** Returns the differences that are no noise. */
  filter(differences: readonly StateDifference[]): readonly StateDifference[] {
    return differences.filter(
      ({ object, path }) =>
        !this.#places.some((place) => place.object === object && isWithin(path, place.path)) &&
        !this.#ignored.some((ignored) => object.split(" ", 1)[0] === ignored.resource && isWithin(path, ignored.path)),
    );
  }
}

interface IgnoredPath {
  readonly resource: string;
  readonly path: string;
}

function ignoredPath(text: string): IgnoredPath {
  const [resource = "", ...path] = text.split(":");
  return { resource, path: path.join(":") };
}

function isWithin(path: string, outer: string): boolean {
  return outer === "" || path === outer || path.startsWith(`${outer}.`) || path.startsWith(`${outer}[`);
}
