import { pathToFileURL } from "node:url";

import { deepFreeze } from "@kubescaffold/k8s";
import { describe, expect, it } from "vitest";

import { deepValues, HOSTILE_VALUES, LARGE_VALUES, parsed } from "../../../packages/schema/test/hostile/values.ts";
import { type FunctionOfValues, functionsOfValues, type Parameter } from "./functions-of-values.ts";

/** Values for the parameters of one call. */
interface HostileInput {
  /** A value of any type. */
  readonly value: unknown;
  /** An object of a kind, with the value in its fields. */
  readonly object: Record<string, unknown>;
}

/** How the functions of a package are called that take more than values and texts. */
interface CallTable {
  /** The arguments, or those of several calls where they are functions themselves. */
  readonly calls: Readonly<Record<string, (input: HostileInput) => readonly unknown[]>>;
  /** The functions that walk definitions and other configurations, whose readers accept 1,000 levels. */
  readonly ofConfigurations?: readonly string[];
  /** Why the levels and lengths of values mean nothing to a function, or which other test has it. */
  readonly others: Readonly<Record<string, string>>;
}

// The object around the value has two.
const CONFIGURATION_LEVELS = 996;

/** Defines the tests of a folder of sources: each exported function that takes values gets deep, wide, and long ones. */
export function sendHostileValues(folder: string, { calls, others, ofConfigurations = [] }: CallTable): void {
  const functions = functionsOfValues(folder);
  const isSimple = ({ parameters }: FunctionOfValues): boolean => !parameters.includes("other");
  const called = functions.filter(({ id }) => !Object.hasOwn(others, id));

  describe(`the functions of ${folder} that take values`, () => {
    it("are in the table if they take anything else, or do not walk values", () => {
      const unknown = called.filter((each) => !isSimple(each) && !Object.hasOwn(calls, each.id)).map(({ id }) => id);
      expect(unknown).toEqual([]);
      const ids = functions.map(({ id }) => id);
      const gone = [...Object.keys(calls), ...ofConfigurations, ...Object.keys(others)].filter(
        (id) => !ids.includes(id),
      );
      expect(gone).toEqual([]);
    });

    it.each(called.map((each) => [each.id, each] as const))("%s", async (id, { file, name, parameters }) => {
      const module = (await import(/* @vite-ignore */ pathToFileURL(file).href)) as Readonly<Record<string, unknown>>;
      const run = module[name] as (...given: readonly unknown[]) => unknown;
      const argumentsOf = calls[id] ?? ((input: HostileInput) => parameters.map((each) => argumentOf(each, input)));
      const overflows: string[] = [];
      for (const [about, inputs] of ofConfigurations.includes(id) ? CONFIGURATIONS : OBJECTS) {
        for (const input of inputs()) {
          const error = await errorOf(async () => run(...argumentsOf(input)));
          // A function may refuse a value of another type than its own, but not for its size.
          if (error instanceof RangeError) overflows.push(`${about}: ${error.stack ?? ""}`);
        }
      }
      expect(overflows).toEqual([]);
    });
  });
}

async function errorOf(run: () => Promise<unknown>): Promise<unknown> {
  try {
    await run();
  } catch (error) {
    return error;
  }
  return undefined;
}

// Made once, since that takes longer than most functions; only the outermost objects are made for each call, and may be changed.
const OBJECTS = inputsOf(HOSTILE_VALUES);
const CONFIGURATIONS = inputsOf({ ...deepValues(CONFIGURATION_LEVELS), ...LARGE_VALUES });

function inputsOf(
  texts: Readonly<Record<string, (leaf: string) => string>>,
): readonly (readonly [about: string, inputs: () => readonly HostileInput[]])[] {
  return Object.entries(texts).map(([about, textOf]) => {
    const value = deepFreeze(parsed(textOf("1")));
    const list = [value];
    return [about, () => [value, list, objectOf(value)].map((each) => ({ value: each, object: objectOf(each) }))];
  });
}

function objectOf(value: unknown): Record<string, unknown> {
  const metadata = { name: "a", namespace: "b", uid: "c", labels: { a: "b" }, annotations: { a: "b" } };
  return { apiVersion: "example.com/v1", kind: "Sample", metadata, spec: value, status: value, data: value };
}

function argumentOf(parameter: Parameter, { value, object }: HostileInput): unknown {
  const made: Readonly<Record<Parameter, unknown>> = {
    value,
    object,
    list: [object, value],
    text: "spec",
    texts: ["spec"],
    number: 1,
    flag: true,
    function: (part: unknown) => part,
    other: undefined,
  };
  return made[parameter];
}
