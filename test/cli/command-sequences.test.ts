import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import * as fc from "fast-check";
import { expect, it } from "vitest";

import { INIT, runCommand, runCommands } from "../support/run-command.ts";
import { listFolders, readFiles } from "../support/temporary-folder.ts";

// KUBESCAFFOLD_PROPERTY_RUNS asks for more.
const RUNS = Number(process.env["KUBESCAFFOLD_PROPERTY_RUNS"] ?? 12);
const LIVENESS_MS = 600_000;

// One version of each: several need a person to say which of them is stored.
const KIND = fc
  .tuple(
    fc.constantFrom("crew", "ship", "sea-creatures"),
    fc.constantFrom(["Captain", "v1"] as const, ["FirstMate", "v1beta1"] as const, ["Bus", "v1"] as const),
  )
  .map(([group, [kind, version]]): Kind => ({ group, version, kind }));

interface Kind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

const OWN = fc.tuple(
  KIND,
  fc.constantFrom(
    "",
    " --controller=false",
    " --namespaced=false",
    " --image=nginx:1.27 --image-container-port=80 --plugins=deploy-image/v1-alpha",
  ),
);
const CORE: Kind = { group: "apps", version: "v1", kind: "Deployment" };
const WEBHOOKS = fc.constantFrom(
  " --defaulting",
  " --programmatic-validation",
  " --defaulting --programmatic-validation",
);

const gvk = ({ group, version, kind }: Kind): string =>
  `--group ${group} --version ${version} --kind ${kind} --make=false`;

/** One command, or two of which the second takes back what the first did. */
type Step =
  | { readonly kind: "command"; readonly line: string }
  | { readonly kind: "pair"; readonly line: string; readonly inverse: string };

const command = (line: string): Step => ({ kind: "command", line });
const createApi = OWN.map(([kind, flags]) => command(`create api ${gvk(kind)}${flags}`));

const STEP: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: createApi },
  {
    weight: 3,
    arbitrary: fc.tuple(KIND, WEBHOOKS).map(([kind, types]) => command(`create webhook ${gvk(kind)}${types}`)),
  },
  { weight: 2, arbitrary: KIND.map((kind) => command(`delete api ${gvk(kind)}`)) },
  { weight: 2, arbitrary: KIND.map((kind) => command(`delete webhook ${gvk(kind)}`)) },
  {
    weight: 2,
    arbitrary: KIND.map((kind) => command(`create api ${gvk(kind)} --resource=false --controller-name night-watch`)),
  },
  { weight: 1, arbitrary: KIND.map((kind) => command(`delete api ${gvk(kind)} --controller-name night-watch`)) },
  { weight: 1, arbitrary: fc.constant(command(`create api ${gvk(CORE)} --resource=false`)) },
  { weight: 1, arbitrary: fc.constant(command(`create webhook ${gvk(CORE)} --defaulting`)) },
  { weight: 1, arbitrary: fc.constant(command(`delete api ${gvk(CORE)}`)) },
  { weight: 2, arbitrary: fc.constantFrom("", "=false").map((value) => command(`edit --multigroup${value}`)) },
  {
    weight: 2,
    arbitrary: OWN.map(([kind, flags]): Step => ({
      kind: "pair",
      line: `create api ${gvk(kind)}${flags}`,
      inverse: `delete api ${gvk(kind)}`,
    })),
  },
  {
    weight: 1,
    arbitrary: KIND.map((kind): Step => ({
      kind: "pair",
      line: `create api ${gvk(kind)} --resource=false --controller-name day-watch`,
      inverse: `delete api ${gvk(kind)} --controller-name day-watch`,
    })),
  },
  {
    weight: 1,
    arbitrary: fc.constant<Step>({
      kind: "pair",
      line: `create webhook --group core --version v1 --kind Pod --make=false --programmatic-validation`,
      inverse: `delete webhook --group core --version v1 --kind Pod --make=false`,
    }),
  },
);

it(
  "any sequence of commands leaves a project that agrees with its PROJECT, and what is created and deleted leaves no trace",
  async () => {
    const steps = fc.array(STEP, { minLength: 1, maxLength: 15 });
    await fc.assert(fc.asyncProperty(steps, runAll), { numRuns: RUNS });
  },
  LIVENESS_MS,
);

async function runAll(steps: readonly Step[]): Promise<void> {
  const root = mkdtempSync(path.join(tmpdir(), "kubescaffold-sequence-"));
  try {
    await runCommands(root, INIT);
    for (const step of steps) await runStep(root, step);
    await runCommands(root, "manifests --prune", "generate");
    const { stdout } = await runCommand(root, "doctor --output json");
    const { findings } = JSON.parse(stdout) as { readonly findings: readonly { readonly severity: string }[] };
    expect(findings.filter(({ severity }) => severity === "error")).toEqual([]);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

// A command that is refused changes nothing.
async function runStep(root: string, step: Step): Promise<void> {
  const before = stateOf(root);
  const { status, stderr } = await runCommand(root, step.line);
  expect([0, 1]).toContain(status);
  if (status !== 0) {
    expect(stderr).toMatch(/^error: [^]+ \[(?:PROJECT|CLI|SCAFFOLD|DEPLOY_IMAGE)_\w+\]/mu);
    expect(stateOf(root)).toEqual(before);
    return;
  }
  if (step.kind === "command") return;
  const undone = await runCommand(root, step.inverse);
  expect(undone).toMatchObject({ status: 0, stderr: "" });
  expect(stateOf(root)).toEqual(before);
}

function stateOf(root: string): object {
  return { files: readFiles(root), folders: listFolders(root) };
}
