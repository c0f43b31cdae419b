// The command line of a build: `--help`, `init`, `create api`, and `gen`.
import { cpSync, mkdirSync, rmSync, symlinkSync } from "node:fs";
import path from "node:path";

import { removeOutput, writeProjects } from "../gen-projects.mjs";
import { timeProgram } from "../measuring.mjs";
import { programOf } from "../places.mjs";

const INIT = "init --domain example.com --project-name guestbook --skip-install".split(" ");
const CREATE_API = "create api --group webapp --version v1 --kind Visitor --resource --controller --make=false".split(
  " ",
);
const GEN = ["gen", "crd", "paths=./..."];

/** Returns the workloads; `folder` receives their projects. */
export function commandLineWorkloads(folder) {
  let folders = 0;
  const newFolder = () => {
    folders += 1;
    return path.join(folder, `command-line-${String(folders)}`);
  };
  return [
    { name: "help", title: "`scaffold --help`", prepare: (root) => ({ run: () => timed(root, ["--help"]) }) },
    { name: "init", title: "`scaffold init` without installing", prepare: (root) => init(root, newFolder()) },
    {
      name: "create-api",
      title: "`scaffold create api --make=false`",
      prepare: (root) => createApi(root, newFolder()),
    },
    genWorkload("gen-simple", "`scaffold gen crd`, 200 simple kinds", { form: "simple", count: 200 }, newFolder),
    genWorkload(
      "gen-pods",
      "`scaffold gen crd`, 100 kinds with a PodTemplateSpec",
      { form: "podTemplate", count: 100 },
      newFolder,
    ),
  ];
}

function timed(root, args, options) {
  return timeProgram(process.execPath, [programOf(root), ...args], options);
}

function init(root, project) {
  return {
    run: () => {
      rmSync(project, { recursive: true, force: true });
      mkdirSync(project);
      return timed(root, INIT, { cwd: project });
    },
  };
}

function createApi(root, project) {
  return {
    run: () => {
      rmSync(project, { recursive: true, force: true });
      copyGuestbook(root, project);
      return timed(root, CREATE_API, { cwd: project });
    },
  };
}

function copyGuestbook(root, project) {
  cpSync(path.join(root, "examples", "guestbook"), project, {
    recursive: true,
    filter: (source) => path.basename(source) !== "node_modules",
  });
  symlinkSync(path.join(root, "node_modules"), path.join(project, "node_modules"), "junction");
}

function genWorkload(name, title, kinds, newFolder) {
  const prepare = (root) => {
    const { typescript } = writeProjects(newFolder(), kinds);
    rmSync(path.join(typescript, "node_modules"), { recursive: true, force: true });
    symlinkSync(path.join(root, "node_modules"), path.join(typescript, "node_modules"), "junction");
    return {
      run: () => {
        removeOutput(typescript);
        return timed(root, GEN, { cwd: typescript });
      },
    };
  };
  return { name, title, prepare, warmUps: 2 };
}
