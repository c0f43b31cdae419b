import { describe, expect, expectTypeOf, it } from "vitest";

import type { CommandLine, Invocation } from "../../../src/cli/command/command.ts";
import { type CommandFlag, defineCommand, readFlags } from "../../../src/cli/command/define-command.ts";
import { InvalidFlagError } from "../../../src/cli/command/errors.ts";
import { COMMANDS } from "../../../src/cli/commands.ts";

const LINE: CommandLine = {
  words: [],
  typed: "scaffold",
  cwd: "/",
  terminal: { isInteractive: false, writeOut: () => undefined, writeError: () => undefined },
  program: { name: "scaffold", version: "0", packageRoot: "/", registry: () => Promise.reject(new TypeError()) },
  recoveries: [],
  isDryRun: false,
  printsJson: false,
  canAsk: false,
  isConfirmed: false,
  pluginKeys: [],
  pluginFlags: {},
  flags: {},
};

describe("the values of declared flags", () => {
  it("have the types of their declarations", () => {
    const flags = readFlags(
      [
        { name: "kind", kind: "string", help: "", isRequired: true },
        { name: "output", kind: "string", help: "", values: ["text", "json"] },
        { name: "dry-run", kind: "boolean", help: "" },
        { name: "spoke", kind: "list", help: "" },
      ],
      { kind: "Guestbook", "dry-run": false, spoke: ["v2, v3,", "v4"], other: "x" },
    );
    expectTypeOf(flags).toEqualTypeOf<{
      readonly kind: string;
      readonly output: "text" | "json" | undefined;
      readonly "dry-run": boolean | undefined;
      readonly spoke: readonly string[];
    }>();
    expect(flags).toEqual({ kind: "Guestbook", output: undefined, "dry-run": false, spoke: ["v2", "v3", "v4"] });
  });

  it("are empty lists for lists that were not given, and keep commas where they belong to values", () => {
    const label = { name: "label", kind: "list", help: "", keepsCommas: true } as const;
    expect(readFlags([label], {})).toEqual({ label: [] });
    expect(readFlags([label], { label: ["a=b,c", ""] })).toEqual({ label: ["a=b,c", ""] });
  });
});

const TEXTS = COMMANDS.flatMap(({ path, flags, takesWords }) =>
  takesWords === true
    ? []
    : (flags as readonly CommandFlag[])
        .filter(
          ({ kind, mayBeEmpty, keepsCommas }) => kind !== "boolean" && mayBeEmpty !== true && keepsCommas !== true,
        )
        .map((flag) => [path.join(" "), flag] as const),
);

it.each(TEXTS)("%s refuses $name without a value", (_command, flag) => {
  for (const empty of ["", " ", "\t"]) {
    const given = flag.kind === "list" ? [empty, ` ${empty}, `] : empty;
    expect(() => readFlags([flag], { [flag.name]: given })).toThrow(
      expect.objectContaining({
        code: "CLI_INVALID_FLAG",
        message: `flag --${flag.name} is present but empty`,
        hint: "set a value, or omit the flag",
      }),
    );
  }
});

describe("a command", () => {
  it("runs with what its flags were parsed into, and without the flags", async () => {
    let seen: readonly unknown[] = [];
    const { run } = defineCommand({
      path: ["paint"],
      summary: "Paint",
      flags: [{ name: "color", kind: "string", help: "" }],
      parse: ({ color = "red" }, { cwd }) => ({ color, cwd }),
      run: (options, invocation) => {
        seen = [options, invocation];
        return Promise.resolve(3);
      },
    });
    expect(await run?.({ ...LINE, flags: { color: "blue" } })).toBe(3);
    const { flags: _flags, ...invocation } = LINE;
    expect(seen).toEqual([{ color: "blue", cwd: "/" }, invocation]);
    expectTypeOf<Invocation>().not.toHaveProperty("flags");
  });

  it("does not run with a value that it cannot use", async () => {
    const { run } = defineCommand({
      path: ["paint"],
      summary: "Paint",
      flags: [],
      parse: () => {
        throw new InvalidFlagError("no such color");
      },
      run: () => Promise.reject(new TypeError("it ran")),
    });
    await expect(run?.(LINE)).rejects.toThrow("no such color");
  });

  it("knows the flags of plugins in prompts only if plugins take part", async () => {
    const seen: unknown[] = [];
    const prompting = (pluginCommand?: "edit"): ReturnType<typeof defineCommand> =>
      defineCommand({
        path: ["paint"],
        summary: "Paint",
        ...(pluginCommand === undefined ? {} : { pluginCommand }),
        flags: [{ name: "color", kind: "string", help: "", isRequired: true }],
        ask: ({ flags, pluginFlags }) => {
          seen.push([flags, pluginFlags]);
          return Promise.resolve({});
        },
        parse: () => undefined,
        run: () => Promise.resolve(0),
      });
    const ask = { text: fail, yesNo: fail, one: fail, several: fail };
    await prompting().ask?.({ ...LINE, ask, flags: { image: "x" } });
    await prompting("edit").ask?.({ ...LINE, ask, flags: { image: "x" } });
    expect(seen).toEqual([
      [{ color: undefined }, {}],
      [{ color: undefined }, { image: "x" }],
    ]);
  });
});

function fail(): Promise<never> {
  return Promise.reject(new TypeError("nothing is asked"));
}
