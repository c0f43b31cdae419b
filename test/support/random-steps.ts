import * as fc from "fast-check";

import { controllerNames } from "../../src/project/plans/plan-controllers.ts";
import { findResource, type ProjectConfig, type ProjectResource } from "../../src/project/project-config.ts";

/** A command, and what is done to it beside running it. */
export interface Step {
  readonly line: string;
  /** Runs it a second time. */
  readonly isRepeated: boolean;
  /** Runs the command that takes back what it did, where there is one. */
  readonly isUndone: boolean;
}

/** Where the types lie that the project has of an external kind. */
export const EXTERNAL_TYPES = "api/external/lighthouse/v1/beacon_types.ts";

const LONG_KIND = "KindWhoseNameIsAsLongAsAnyThatServersTakeFiftyEightCharsAll";
const KINDS = ["Captain", "FirstMate", "Bus", LONG_KIND] as const;
const VERSIONS = ["v1", "v1", "v1", "v2", "v1beta1"] as const;
const QUICK = " --make=false";

const group = fc.constantFrom(...Array<string>(8).fill("crew"), "ship", "sea-creatures");
const kind = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom("Captain", "FirstMate") },
  { weight: 1, arbitrary: fc.constantFrom(...KINDS) },
);
const gvk = fc
  .tuple(group, fc.constantFrom(...VERSIONS), kind)
  .map(([group, version, kind]) => `--group ${group} --version ${version} --kind ${kind}`);
// Most of what changes or removes is aimed at what is there; the number chooses among it when the command is run.
const present = fc.oneof(
  { weight: 4, arbitrary: fc.nat(20).map((number) => `@${number}`) },
  { weight: 1, arbitrary: gvk },
);
// Generating reads all sources, which takes most of a command's time.
const make = fc.oneof({ weight: 7, arbitrary: fc.constant(QUICK) }, { weight: 1, arbitrary: fc.constant("") });
const ownFlags = fc.oneof(
  { weight: 5, arbitrary: fc.constant("") },
  {
    weight: 5,
    arbitrary: fc.constantFrom(
      " --controller=false",
      " --namespaced=false",
      " --ssa",
      " --plural crowd",
      " --force",
      " --resource=false",
      " --image=nginx:1.27 --image-container-port=80 --plugins=deploy-image/v1-alpha",
      " --image=busybox:1.36 --image-container-command=sh,-c,true --run-as-user=1001 --plugins=deploy-image/v1-alpha",
    ),
  },
);
const named = fc
  .constantFrom("night-watch", "day-watch", "captain-backup")
  .map((name) => ` --resource=false --controller-name ${name}`);
const EXTERNAL = "--group lighthouse --version v1 --kind Beacon";
const other = fc.constantFrom(
  "--group apps --version v1 --kind Deployment",
  "--group core --version v1 --kind Pod",
  EXTERNAL,
);
const webhookTypes = fc.constantFrom(
  " --defaulting",
  " --programmatic-validation",
  " --defaulting --programmatic-validation",
  " --defaulting --defaulting-path /fill-it",
  " --programmatic-validation --validation-path /check-it",
  " --defaulting --force",
);
const conversion = fc
  .constantFrom("v2", "v1beta1", "v1", "v2,v1beta1")
  .map((spokes) => ` --conversion --spoke ${spokes}`);
const SETTINGS = [
  "--multigroup",
  "--multigroup=false",
  "--namespaced",
  "--namespaced=false",
  "--license none",
  "--license copyright --owner Acme",
  "--plugins=grafana/v1-alpha",
  "--plugins=autoupdate/v1-alpha",
];

const joined = (...parts: readonly (string | fc.Arbitrary<string>)[]): fc.Arbitrary<string> =>
  fc.tuple(...parts.map((part) => (typeof part === "string" ? fc.constant(part) : part))).map((all) => all.join(""));

const LINE: fc.Arbitrary<string> = fc.oneof(
  { weight: 9, arbitrary: joined("create api ", gvk, ownFlags, make) },
  { weight: 2, arbitrary: joined("create api ", present, named, make) },
  {
    weight: 2,
    arbitrary: joined(
      "create api ",
      other,
      fc.constantFrom(" --resource=false", " --resource=false --controller-name night-watch"),
      make,
    ).map((line) =>
      line.includes(EXTERNAL)
        ? `${line} --external-api-domain example.org --external-api-path ./${EXTERNAL_TYPES}`
        : line,
    ),
  },
  { weight: 4, arbitrary: joined("create webhook ", present, webhookTypes, make) },
  { weight: 1, arbitrary: joined("create webhook ", other, webhookTypes, make) },
  { weight: 3, arbitrary: joined("create webhook ", present, conversion, make) },
  { weight: 2, arbitrary: joined("delete api ", present, " --not-stored", make) },
  { weight: 2, arbitrary: joined("delete webhook ", present, make) },
  { weight: 1, arbitrary: joined("delete api ", present, " --controller-name night-watch", make) },
  { weight: 1, arbitrary: joined("delete api ", other, make) },
  { weight: 1, arbitrary: joined("delete webhook ", other, make) },
  {
    weight: 2,
    arbitrary: joined("rename api ", present, " --to-kind ", fc.constantFrom("Skipper", "FirstMate", LONG_KIND), make),
  },
  { weight: 3, arbitrary: fc.constantFrom(...SETTINGS).map((setting) => `edit ${setting}`) },
  { weight: 1, arbitrary: fc.constantFrom("manifests --prune", "generate", "doctor --fix") },
);

/** Makes commands at random; most of them follow upon others of the same few names. */
export const STEP: fc.Arbitrary<Step> = fc.record({
  line: LINE,
  isRepeated: fc.integer({ min: 0, max: 3 }).map((one) => one === 0),
  isUndone: fc.integer({ min: 0, max: 2 }).map((one) => one === 0),
});

/** Returns the line with the resource of the project that its number chooses. */
export function aimed(line: string, { resources = [] }: ProjectConfig): string {
  return line.replace(/@(?<number>\d+)(?= )/u, (_, number: string) => {
    const { group, version, kind } = resources[Number(number) % resources.length] ?? FIRST;
    return `--group ${group ?? ""} --version ${version} --kind ${kind}`;
  });
}

const FIRST = { group: "crew", version: "v1", kind: "Captain" };

/** Returns the command that takes back what a line has made of a project, or nothing where there is none that takes back that alone. */
export function inverseOf(line: string, before: ProjectConfig, after: ProjectConfig): string | undefined {
  if (
    line.includes("--force") ||
    line.includes("--license") ||
    line.includes("--plugins=g") ||
    line.includes("--plugins=a")
  )
    return undefined;
  const words = line.split(" ");
  const quick = line.includes(QUICK) ? QUICK : "";
  const verb = words.slice(0, 2).join(" ");
  if (verb === "create api") return inverseOfApi(words, before, after, quick);
  if (verb === "create webhook") {
    return stored(words, before)?.webhooks === undefined ? `delete webhook ${gvkOf(words)}${quick}` : undefined;
  }
  if (verb === "rename api") return inverseOfRename(words, before, quick);
  if (words[0] !== "edit" || JSON.stringify(before) === JSON.stringify(after)) return undefined;
  return line.endsWith("=false") ? line.replace("=false", "") : `${line}=false`;
}

function inverseOfApi(
  words: readonly string[],
  before: ProjectConfig,
  after: ProjectConfig,
  quick: string,
): string | undefined {
  const known = stored(words, before);
  if (known === undefined) return `delete api ${gvkOf(words)} --not-stored${quick}`;
  const [added, ...more] = controllerNames(stored(words, after)).filter(
    (name) => !controllerNames(known).includes(name),
  );
  if (added === undefined || more.length > 0 || !words.includes("--resource=false")) return undefined;
  return `delete api ${gvkOf(words)} --controller-name ${added}${quick}`;
}

function inverseOfRename(words: readonly string[], before: ProjectConfig, quick: string): string {
  const [group, from, to] = [valueOf(words, "--group"), valueOf(words, "--kind"), valueOf(words, "--to-kind")];
  const { plural } = (before.resources ?? []).find((each) => each.group === group && each.kind === from) ?? {};
  const named = plural === undefined ? "" : ` --to-plural ${plural}`;
  return `rename api --group ${group} --kind ${to} --to-kind ${from}${named}${quick}`;
}

function stored(words: readonly string[], project: ProjectConfig): ProjectResource | undefined {
  const [group, version, kind] = ["--group", "--version", "--kind"].map((flag) => valueOf(words, flag));
  return findResource(project, { group: group ?? "", version: version ?? "", kind: kind ?? "" });
}

function gvkOf(words: readonly string[]): string {
  return ["--group", "--version", "--kind"].map((flag) => `${flag} ${valueOf(words, flag)}`).join(" ");
}

function valueOf(words: readonly string[], flag: string): string {
  return words[words.indexOf(flag) + 1] ?? "";
}
