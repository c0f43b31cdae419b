// cspell:ignore Privs
// The files of /proc that simulated containers read; those of control groups come with the container.
import { identityOf } from "./container-identity.mjs";

// What Linux and the container runtime set for parameters that Pods may change.
const PARAMETERS = {
  "kernel.shm_rmid_forced": "0",
  "net.ipv4.ip_local_port_range": "32768\t60999",
  "net.ipv4.ip_unprivileged_port_start": "0",
  "net.ipv4.ping_group_range": "0\t2147483647",
  "net.ipv4.tcp_syncookies": "1",
};

/** Returns the files of the kernel that a container sees, by absolute path. */
export function kernelFiles(process) {
  const wanted = process.pod.spec.securityContext?.sysctls ?? [];
  const parameters = { ...PARAMETERS, ...Object.fromEntries(wanted.map(({ name, value }) => [name, value])) };
  return new Map([
    ["/proc/self/status", Buffer.from(statusText(identityOf(process)))],
    ...Object.entries(parameters).map(([name, value]) => [parameterFile(name), Buffer.from(`${value}\n`)]),
  ]);
}

/** Returns the file of a parameter of the kernel. */
export function parameterFile(name) {
  return `/proc/sys/${name.includes("/") ? name : name.replaceAll(".", "/")}`;
}

// No container is confined to a part of the processors of its node.
function statusText({ uid, gid, groups, hasNoNewPrivileges }) {
  const four = (id) => Array.from({ length: 4 }, () => String(id)).join("\t");
  const lines = [
    "Name:\tsh",
    "State:\tR (running)",
    `Uid:\t${four(uid)}`,
    `Gid:\t${four(gid)}`,
    `Groups:\t${groups.join(" ")}`,
    `NoNewPrivs:\t${String(Number(hasNoNewPrivileges))}`,
    "Cpus_allowed_list:\t0",
  ];
  return `${lines.join("\n")}\n`;
}
