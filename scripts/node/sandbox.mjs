// Runs a command in network, mount, process, and cgroup namespaces of its own, with one folder and one cgroup, and removes both afterwards.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { constants, tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

/** Where the hierarchies of version 1 are mounted. */
export const CGROUPS = "/sys/fs/cgroup";

/** The hierarchies that containers use. */
export const CONTROLLERS = ["blkio", "cpu", "cpuacct", "cpuset", "devices", "freezer", "memory", "pids", "systemd"];

const PREFIX = "kubescaffold-node-";
const ENTER = fileURLToPath(new URL("enter.sh", import.meta.url));
// Only tells a sandbox that ends from one that hangs.
const CGROUP_ATTEMPTS = 100;

/**
 * Runs a command and returns its exit status. KUBESCAFFOLD_NODE_FOLDER names its folder.
 *
 * The first process of a process namespace takes all others with it, so nothing survives the command: neither containers, nor mounts, nor rules. A signal ends it like its own end;
 * after a kill of this process, the kernel kills the namespace, and the next run removes the folder and the cgroup.
 */
export async function runInSandbox(command, { cwd, variables = {} }) {
  removeAbandoned();
  const name = `${PREFIX}${String(process.pid)}`;
  const folder = mkdtempSync(path.join(tmpdir(), `${name}-`));
  try {
    makeCgroups(name);
    return await runCommand(command, { name, folder, cwd, variables });
  } finally {
    await removeCgroups(name);
    rmSync(folder, { recursive: true, force: true });
  }
}

function runCommand(command, { name, folder, cwd, variables }) {
  const namespaces = ["--net", "--mount", "--pid", "--cgroup", "--fork", "--kill-child", "--mount-proc"];
  const script = `for each in ${CONTROLLERS.join(" ")}; do echo $$ > ${CGROUPS}/$each/${name}/cgroup.procs || exit 1; done; exec "$@"`;
  const enter = ["unshare", ...namespaces, "sh", ENTER, ...command];
  const child = spawn("setpriv", ["--pdeathsig", "KILL", "sh", "-c", script, "sh", ...enter], {
    cwd,
    env: { ...process.env, ...variables, KUBESCAFFOLD_NODE_FOLDER: folder },
    stdio: "inherit",
  });
  const end = () => child.kill("SIGKILL");
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.once(signal, end);
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (status, signal) => resolve(status ?? 128 + constants.signals[signal]));
  });
}

function makeCgroups(name) {
  for (const controller of CONTROLLERS) mkdirSync(path.join(CGROUPS, controller, name));
  // Without processors and memory, no process can join.
  for (const file of ["cpuset.cpus", "cpuset.mems"])
    writeFileSync(path.join(CGROUPS, "cpuset", name, file), readFileSync(path.join(CGROUPS, "cpuset", file)));
}

async function removeCgroups(name) {
  for (const controller of CONTROLLERS) {
    const folder = path.join(CGROUPS, controller, name);
    // The kernel removes the processes of a namespace after its first one.
    for (let attempt = 1; !removeCgroup(folder) && attempt < CGROUP_ATTEMPTS; attempt += 1)
      await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function removeCgroup(folder) {
  try {
    for (const entry of readdirSync(folder, { withFileTypes: true }))
      if (entry.isDirectory() && !removeCgroup(path.join(folder, entry.name))) return false;
    rmdirSync(folder);
    return true;
  } catch (error) {
    if (error.code === "ENOENT") return true;
    if (error.code === "EBUSY") return false;
    throw error;
  }
}

function removeAbandoned() {
  for (const entry of readdirSync(tmpdir())) {
    if (isAbandoned(entry)) rmSync(path.join(tmpdir(), entry), { recursive: true, force: true });
  }
  for (const controller of CONTROLLERS) {
    for (const entry of readdirSync(path.join(CGROUPS, controller)))
      if (isAbandoned(entry)) removeCgroup(path.join(CGROUPS, controller, entry));
  }
}

// Names end with the process that made them.
function isAbandoned(entry) {
  const pid = new RegExp(`^${PREFIX}(?<pid>\\d+)`, "u").exec(entry)?.groups.pid;
  if (pid === undefined) return false;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return error.code === "ESRCH";
  }
}
