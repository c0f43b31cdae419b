// A project that grows from one API to a hundred: each `create api`, with the manifests and without, and the check of the whole.
import { mkdirSync, symlinkSync } from "node:fs";
import path from "node:path";

import { printWhenMain, rowOf, timeProgram } from "./measuring.mjs";
import { builtProgram, inTemporaryFolder, linkPackages } from "./places.mjs";

const COUNT = 100;
const FEW = 10;

export function measureHundredApis() {
  return inTemporaryFolder(async (folder) => {
    const withoutManifests = growProject(path.join(folder, "without"), ["--make=false"]);
    const project = path.join(folder, "with");
    const withManifests = growProject(project, []);
    return [
      ...rowsOf("`create api --make=false`", withoutManifests, { max: 500 }),
      ...rowsOf("`create api` with the manifests of all", withManifests, {}),
      rowOf({ title: "`npm run check` of these 100 APIs", ours: [timeCheck(project)], max: 60_000 }),
    ];
  });
}

function growProject(project, flags) {
  mkdirSync(project);
  scaffold(project, "init --domain example.com --project-name hundred --skip-install".split(" "));
  linkPackages(project);
  return Array.from({ length: COUNT }, (_, index) => {
    const kind = `Kind${String(index + 1).padStart(3, "0")}`;
    const words = "create api --group bench --version v1 --resource --controller --kind".split(" ");
    // Beside each run that is compared, so that both meet the same machine.
    const isCompared = index < FEW || index >= COUNT - FEW;
    return {
      bare: isCompared ? timeProgram(process.execPath, ["-e", "0"]) : undefined,
      ours: scaffold(project, [...words, kind, ...flags]),
    };
  });
}

function rowsOf(title, runs, { max }) {
  const durations = runs.map(({ ours }) => ours);
  const comparison = (few) => ({ ours: few.map(({ ours }) => ours), reference: few.map(({ bare }) => bare) });
  return [
    rowOf({ title: `${title}, the first of 100 / \`node -e 0\``, ...comparison(runs.slice(0, FEW)) }),
    rowOf({ title: `${title}, the last of 100 / \`node -e 0\``, ...comparison(runs.slice(-FEW)) }),
    rowOf({
      title: `${title}, the slowest of 100`,
      ours: [Math.max(...durations)],
      ...(max === undefined ? {} : { max }),
    }),
  ];
}

// Its scripts call the command by name, which a project that is installed finds among its own programs.
function timeCheck(project) {
  const programs = `${project}-programs`;
  mkdirSync(programs);
  symlinkSync(builtProgram(), path.join(programs, "scaffold"));
  const env = { ...process.env, PATH: `${programs}${path.delimiter}${process.env["PATH"] ?? ""}` };
  return timeProgram("npm", ["run", "check"], { cwd: project, env });
}

function scaffold(cwd, args) {
  return timeProgram(process.execPath, [builtProgram(), ...args], { cwd });
}

await printWhenMain(import.meta.url, measureHundredApis);
