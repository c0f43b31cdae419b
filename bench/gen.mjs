// `scaffold gen` beside controller-gen on the same kinds in Go: time and memory of a run that writes all, and of one that finds nothing changed.
import path from "node:path";

import { installControllerGen } from "../scripts/controller-gen.mjs";
import { goVersion } from "../scripts/go-programs.mjs";
import { removeOutput, writeProjects } from "./gen-projects.mjs";
import { measureInTurn, printWhenMain, rowOf, skipLoudly, timeAndMemory } from "./measuring.mjs";
import { builtProgram, copyGoGuestbook, copyGuestbook, inTemporaryFolder } from "./places.mjs";

const ROUNDS = 10;
const CRD = ["crd", "paths=./..."];
const GUESTBOOK = [
  "rbac:roleName=manager-role",
  "crd",
  "webhook",
  "paths=./...",
  "output:crd:artifacts:config=config/crd/bases",
];

const WORKS = [
  { what: "the Guestbook project, rbac, crd and webhook", words: GUESTBOOK, make: guestbook, maxRatio: 0.5 },
  { what: "200 simple kinds, crd", words: CRD, make: kinds("simple", 200), maxRatio: 0.8 },
  { what: "1 kind with a PodTemplateSpec, crd", words: CRD, make: kinds("podTemplate", 1), maxRatio: 0.8 },
  {
    what: "100 kinds with a PodTemplateSpec each, crd",
    words: CRD,
    make: kinds("podTemplate", 100),
    maxRatio: 0.2,
    maxMemoryRatio: 0.5,
    // Ours has no descriptions of built-in types, so it is compared with a run without any, too.
    without: { words: ["crd:maxDescLen=0", "paths=./..."], maxRatio: 0.5 },
  },
];
const AGAIN_RATIO = 0.3;

export function measureGen() {
  const program = builtProgram();
  if (goVersion() === undefined) {
    skipLoudly("`scaffold gen`", "controller-gen needs Go, and there is no Go on the PATH");
    return [];
  }
  const controllerGen = installControllerGen();
  return inTemporaryFolder(async (folder) => {
    const rows = [];
    for (const [index, work] of WORKS.entries())
      rows.push(...(await measureWork({ ...work, folder: path.join(folder, String(index)), program, controllerGen })));
    return rows;
  });
}

async function measureWork({ what, words, make, maxRatio, maxMemoryRatio, without, folder, program, controllerGen }) {
  const { typescript, go } = make(folder);
  const scaffold = (flags) => [process.execPath, [program, "gen", ...flags, ...words], { cwd: typescript }];
  const subjects = [
    subject(() => removeOutput(typescript), scaffold([])),
    subject(() => removeOutput(go), [controllerGen, words, { cwd: go }]),
    ...(without === undefined ? [] : [subject(() => removeOutput(go), [controllerGen, without.words, { cwd: go }])]),
    // The runs before have left all files; the first of these, which does not count, remembers what it saw.
    subject(() => undefined, scaffold([])),
  ];
  const times = await measureInTurn(
    subjects.map(({ run }) => run),
    { rounds: ROUNDS },
  );
  const memories = subjects.map(({ memory }) => memory.slice(-ROUNDS));
  const [ours, reference] = times;
  const rows = [
    rowOf({ title: what, ours, reference, maxRatio }),
    rowOf({
      title: `${what}: memory`,
      unit: "MiB",
      ours: memories[0],
      reference: memories[1],
      maxRatio: maxMemoryRatio,
    }),
  ];
  if (without !== undefined)
    rows.push(
      rowOf({ title: `${what}, beside \`maxDescLen=0\``, ours, reference: times[2], maxRatio: without.maxRatio }),
    );
  rows.push(rowOf({ title: `${what}: again, nothing changed`, ours: times.at(-1), reference, maxRatio: AGAIN_RATIO }));
  return rows.filter((row) => Number.isFinite(row.median));
}

function subject(prepare, [command, args, options]) {
  const memory = [];
  return {
    memory,
    run: () => {
      prepare();
      const { elapsedMs, memory: used = Number.NaN } = timeAndMemory(command, args, options);
      memory.push(used);
      return elapsedMs;
    },
  };
}

function guestbook(folder) {
  return {
    typescript: copyGuestbook(path.join(folder, "guestbook")),
    go: copyGoGuestbook(path.join(folder, "go-guestbook")),
  };
}

function kinds(form, count) {
  return (folder) => writeProjects(folder, { form, count });
}

await printWhenMain(import.meta.url, measureGen);
