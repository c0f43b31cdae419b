// cspell:ignore zproject zdomain omain zgroup zkind zplural zcontroller zimage zpath
import { readYamlDocuments } from "@kubescaffold/k8s/yaml";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { runCommand } from "../support/run-command.ts";
import { readFiles, temporaryFolder } from "../support/temporary-folder.ts";

/** The flags whose values end in YAML. */
interface Names {
  readonly projectName: string;
  readonly domain: string;
  readonly group: string;
  readonly kind: string;
  readonly plural: string;
  readonly controller: string;
  readonly image: string;
  readonly path: string;
}

// Names that differ from all other words in the files, so that they can be replaced in what was parsed.
const PLAIN: Names = {
  projectName: "zproject",
  domain: "zdomain",
  group: "zgroup",
  kind: "Zkind",
  plural: "zplural",
  controller: "zcontroller",
  image: "zimage",
  path: "zpath",
};

const LABELS = ["true", "false", "null", "y", "n", "yes", "no", "on", "off", "e1", "x", "o", "nan", "inf", "z-1"];
const DOMAINS = [...LABELS, "1e3", "0x1", "0b1", "0o7", "017", "123", "1.5", "1e3.5", "2020-01-01", "1-2", "a.1", "0"];
const KINDS = ["True", "False", "Null", "Y", "N", "Yes", "No", "On", "Off", "TRUE", "NULL", "E1", "X1"];

// A group needs a dot, so that its domain has one where there is no other part.
const DOTTED = ["1.5", "1e3.5", "1.2.3", "0x1.e3", "on.off"];

const group = fc.oneof(
  fc.record({ group: fc.constantFrom(...DOMAINS), domain: fc.constantFrom(...DOMAINS) }),
  fc.record({ group: fc.constant(""), domain: fc.constantFrom(...DOTTED) }),
);

const names: fc.Arbitrary<Names> = fc
  .tuple(
    group,
    fc.record({
      projectName: fc.constantFrom(...LABELS),
      kind: fc.constantFrom(...KINDS),
      plural: fc.constantFrom(...LABELS),
      controller: fc.constantFrom(...LABELS),
      image: fc.constantFrom(...DOMAINS, "true:1e3", "1_000", "example.com/on"),
      path: fc.constantFrom(...LABELS),
    }),
  )
  .map(([gvk, others]) => ({ ...gvk, ...others }))
  .filter(({ controller, kind }) => controller !== kind.toLowerCase());

describe("names that YAML could read as something else", () => {
  it("are strings in all files that commands write", async () => {
    const baselines = new Map<string, Readonly<Record<string, string>>>();
    await fc.assert(
      fc.asyncProperty(names, async (chosen) => {
        const plain = chosen.group === "" ? { ...PLAIN, group: "", domain: "zd.omain" } : PLAIN;
        const baseline = baselines.get(plain.group) ?? (await filesWith(plain));
        baselines.set(plain.group, baseline);
        const expected = parsed(baseline, (text) => replaced(text, chosen));
        expect(expected.length).toBeGreaterThan(30);
        expect(parsed(await filesWith(chosen), (text) => text)).toEqual(expected);
      }),
      { numRuns: Number(process.env["KUBESCAFFOLD_PROPERTY_RUNS"] ?? 8), seed: 2026 },
    );
  });
});

async function filesWith(chosen: Names): Promise<Readonly<Record<string, string>>> {
  const root = temporaryFolder();
  const kind = `${chosen.group === "" ? "" : `--group ${chosen.group} `}--version v1 --kind ${chosen.kind}`;
  const lines = [
    `init --domain ${chosen.domain} --project-name ${chosen.projectName} --repo demo --skip-install`,
    `create api ${kind} --plural ${chosen.plural} --resource --controller --plugins deploy-image/v1-alpha --make=false --image ${chosen.image}`,
    `create api ${kind} --resource=false --controller --make=false --controller-name ${chosen.controller}`,
    `create webhook ${kind} --defaulting --programmatic-validation --make=false --defaulting-path /${chosen.path}`,
    "edit --plugins helm/v2-alpha",
    "edit --plugins autoupdate/v1-alpha",
    "edit --namespaced",
  ];
  for (const line of lines) {
    const { status, stderr } = await runCommand(root, line);
    if (status !== 0) throw new Error(`scaffold ${line}: ${stderr}`);
  }
  return readFiles(root);
}

// The order of lists that are sorted by a name depends on it.
function parsed(files: Readonly<Record<string, string>>, change: (text: string) => string): readonly string[] {
  return Object.entries(files)
    .filter(([path]) => (/\.ya?ml$/u.test(path) || path === "PROJECT") && !path.includes("/templates/"))
    .map(([path, text]) => JSON.stringify([change(path), canonical(readYamlDocuments(text), change)]))
    .toSorted();
}

function canonical(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === "string") return change(value);
  if (Array.isArray(value))
    return value
      .map((each) => canonical(each, change))
      .toSorted((left, right) => (JSON.stringify(left) < JSON.stringify(right) ? -1 : 1));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, each]) => [change(key), canonical(each, change)] as const);
  return Object.fromEntries(entries.toSorted(([left], [right]) => (left < right ? -1 : 1)));
}

function replaced(text: string, chosen: Names): string {
  const { kind, domain } = chosen;
  const words = new Map<string, string>([
    ...Object.entries(PLAIN).map(([name, word]) => [word as string, chosen[name as keyof Names]] as const),
    ["zd.omain", domain],
    ["zd-omain", domain],
    ["zkind", kind.toLowerCase()],
    ["ZKIND", kind.toUpperCase()],
  ]);
  const result = text.replaceAll(
    /z(?:project|domain|d[.-]omain|group|kind|plural|controller|image|path)|Zkind|ZKIND/gu,
    (word) => words.get(word) ?? word,
  );
  // Paths of webhooks have dashes in place of dots.
  return text.startsWith("/validate-") ? result.replaceAll(".", "-") : result;
}
