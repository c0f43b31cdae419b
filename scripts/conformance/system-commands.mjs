// cspell:ignore RTNETLINK nosuid nodev noexec relatime
// Commands of simulated containers about their users, their kernel, and the privileges that they need.
import { groupName, userName } from "./container-identity.mjs";
import { parameterFile } from "./kernel-files.mjs";
import { UsageError } from "./shell-commands.mjs";

const MOUNTS = [{ type: "cgroup2", text: "cgroup on /sys/fs/cgroup type cgroup2 (ro,nosuid,nodev,noexec,relatime)" }];

/** The commands by their names. */
export const SYSTEM_COMMANDS = {
  id: ({ args, identity, out }) => {
    const letters = new Set(args.flatMap((arg) => (arg.startsWith("-") ? arg.slice(1).split("") : [])));
    if (letters.size === 0) {
      out(`${fullIdentity(identity)}\n`);
      return 0;
    }
    const isGroup = letters.has("g") || letters.has("G");
    const ids = letters.has("G") ? identity.groups : [letters.has("g") ? identity.gid : identity.uid];
    const nameOf = isGroup ? groupName : userName;
    const shown = ids.map((id) => (letters.has("n") ? (nameOf(id) ?? String(id)) : String(id)));
    out(`${shown.join(" ")}\n`);
    const unknown = ids.find((id) => nameOf(id) === undefined);
    if (letters.has("n") && unknown !== undefined) throw new UsageError(`unknown ID ${String(unknown)}`);
    return 0;
  },
  whoami: ({ identity: { uid }, out }) => {
    const name = userName(uid);
    if (name === undefined) throw new UsageError(`unknown uid ${String(uid)}`);
    out(`${name}\n`);
  },
  sysctl: ({ args, files, out }) => {
    const isBare = args.includes("-n");
    for (const name of args.filter((arg) => !arg.startsWith("-"))) {
      const value = files.read(parameterFile(name))?.toString("utf8").trimEnd();
      if (value === undefined)
        throw new UsageError(`error: '${parameterFile(name)}' does not exist or is not simulated`);
      out(isBare ? `${value}\n` : `${name} = ${value}\n`);
    }
  },
  mount: ({ args, out }) => {
    const at = args.indexOf("-t");
    for (const { type, text } of MOUNTS) if (at < 0 || args[at + 1] === type) out(`${text}\n`);
  },
  // A link that was added has no effect.
  ip: ({ args, identity, err }) => {
    if (args.slice(0, 2).join(" ") !== "link add") throw new UsageError(`${args.join(" ")}: this is not simulated`);
    if (identity.canConfigureNetwork) return 0;
    err("ip: RTNETLINK answers: Operation not permitted\n");
    return 2;
  },
};

function fullIdentity({ uid, gid, groups }) {
  const shown = groups.map((id) => withName(id, groupName(id))).join(",");
  return `uid=${withName(uid, userName(uid))} gid=${withName(gid, groupName(gid))} groups=${shown}`;
}

function withName(id, name) {
  return name === undefined ? String(id) : `${String(id)}(${name})`;
}
