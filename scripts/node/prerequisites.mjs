// What the tests on a real node need of the machine.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

import { goVersion } from "../go-programs.mjs";
import { CONTROLLERS, CGROUPS } from "./sandbox.mjs";

/** Debian's package of each program. */
const PROGRAMS = {
  containerd: "containerd",
  ctr: "containerd",
  runc: "runc",
  ip: "iproute2",
  iptables: "iptables",
  unshare: "util-linux",
  setpriv: "util-linux",
};
const PLUGINS = "/usr/lib/cni";

/** Returns what this machine lacks, in words. */
export function missingPrerequisites() {
  if (process.platform !== "linux") return ["Linux"];
  return [
    ...(process.getuid() === 0 ? [] : ["root user"]),
    ...(goVersion() === undefined ? ["Go on the PATH"] : []),
    ...Object.entries(PROGRAMS)
      .filter(([program]) => spawnSync(program, ["--version"]).error !== undefined)
      .map(([program, name]) => `${program} (Debian's package ${name})`),
    ...["bridge", "host-local", "loopback"]
      .filter((plugin) => !existsSync(`${PLUGINS}/${plugin}`))
      .map((plugin) => `${PLUGINS}/${plugin} (Debian's package containernetworking-plugins)`),
    ...(isStaticBusybox() ? [] : ["static busybox (Debian's package busybox-static)"]),
    // Version 2 was not tried: its processes must be in leaves.
    ...(CONTROLLERS.every((name) => existsSync(`${CGROUPS}/${name}/cgroup.procs`))
      ? []
      : ["cgroup hierarchy of version 1"]),
    ...(canUnshare() ? [] : ["permission to create namespaces"]),
  ];
}

function isStaticBusybox() {
  const { status, stdout } = spawnSync("ldd", ["/bin/busybox"], { encoding: "utf8" });
  return existsSync("/bin/busybox") && (status !== 0 || stdout.includes("statically linked"));
}

function canUnshare() {
  return spawnSync("unshare", ["--net", "--mount", "--pid", "--cgroup", "--fork", "true"]).status === 0;
}
