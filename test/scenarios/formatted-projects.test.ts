import * as fc from "fast-check";
import { format, type FormatOptions } from "oxfmt";
import { describe, expect, it } from "vitest";

import { readYamlDocuments } from "../../packages/k8s/src/yaml/index.ts";
import { runCommand, runCommands } from "../support/run-command.ts";
import { readFiles, temporaryFolder, writeFiles } from "../support/temporary-folder.ts";

const LIVENESS_MS = 600_000;
const INIT = "init --domain demo --project-name guestbook --skip-install";
const STEPS = [
  "create api --group webapp --version v1 --kind Guestbook --make=false",
  "create api --group webapp --version v1 --kind Cache --image=memcached:1.6 --plugins=deploy-image.ts.kubescaffold.dev/v1-alpha --make=false",
  "create webhook --group webapp --version v1 --kind Guestbook --defaulting --programmatic-validation --make=false",
  "create api --group webapp --version v2 --kind Guestbook --make=false --controller=false",
  "create webhook --group webapp --version v1 --kind Guestbook --conversion --spoke v2 --make=false",
  "edit --namespaced --force",
] as const;

// What the options of Prettier and its descendants change in the files of a project.
const OPTIONS = fc.record({
  tabWidth: fc.constantFrom(2, 4, 8),
  useTabs: fc.boolean(),
  printWidth: fc.constantFrom(40, 80, 120),
  semi: fc.boolean(),
  singleQuote: fc.boolean(),
  trailingComma: fc.constantFrom<"all" | "none">("all", "none"),
  bracketSpacing: fc.boolean(),
});
type Options = FormatOptions;
const EXTENSIONS = /\.(?:ya?ml|json|[cm]?[jt]s)$/u;

async function formatted(root: string, options: Options): Promise<Readonly<Record<string, string>>> {
  const texts = Object.entries(readFiles(root)).filter(([file]) => EXTENSIONS.test(file) && file !== "PROJECT");
  const entries = await Promise.all(
    texts.map(async ([file, text]) => {
      const { code, errors } = await format(file, text, options);
      expect({ file, errors }).toEqual({ file, errors: [] });
      return [file, code] as const;
    }),
  );
  return Object.fromEntries(entries);
}

/** Returns what files mean: the values of YAML and JSON, the code of one format for the rest. */
async function meaning(root: string): Promise<Readonly<Record<string, unknown>>> {
  const texts = await formatted(root, { printWidth: 320, objectWrap: "collapse" });
  return Object.fromEntries(
    Object.entries(texts).map(([file, text]) => {
      if (/\.ya?ml$/u.test(file)) return [file, readYamlDocuments(text, { file })];
      return [file, file.endsWith(".json") ? JSON.parse(text) : text.replaceAll(/[\s,]+/gu, "")];
    }),
  );
}

describe("a formatter between two commands", () => {
  it(
    "changes nothing in what the commands add, whatever its options are",
    async () => {
      const plain = temporaryFolder();
      await runCommands(plain, INIT, ...STEPS);
      const wanted = await meaning(plain);
      const property = fc.asyncProperty(OPTIONS, fc.subarray([...STEPS.keys()]), async (options, before) => {
        const root = temporaryFolder();
        await runCommands(root, INIT);
        for (const [index, step] of STEPS.entries()) {
          if (index === 0 || before.includes(index)) writeFiles(root, await formatted(root, options));
          const { status, stderr } = await runCommand(root, step);
          expect({ step, status, stderr }).toEqual({ step, status: 0, stderr: "" });
        }
        expect(await meaning(root)).toEqual(wanted);
      });
      await expect(fc.assert(property, { numRuns: 12, seed: 7 })).resolves.toBeUndefined();
    },
    LIVENESS_MS,
  );
});
