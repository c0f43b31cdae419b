// cspell:ignore tmpfs
// `agnhost mounttest`: prints the contents and permissions of mounted files. Permissions are those that a kubelet gives the files of volumes, from the Pod.
import { setTimeout as delay } from "node:timers/promises";

import { specOf } from "./container-identity.mjs";
import { ERRORS } from "./shell-commands.mjs";

const NEW_FILES = { new_file_0644: 0o644, new_file_0666: 0o666, new_file_0660: 0o660, new_file_0777: 0o777 };
const NEW_TEXT = "mount-tester new file\n";
const PAUSE_MS = 1000;

/** Ends with 1 if a file cannot be read or written. */
export async function testMounts({ container, files, flags }) {
  const print = (line) => container.stdout.write(`${line}\n`);
  let code = 0;
  const fail = (line) => {
    print(line);
    code = 1;
  };
  const read = (path) => {
    const bytes = files.read(path);
    if (bytes === undefined) fail(`error reading file content for "${path}": open ${path}: no such file or directory`);
    else print(`content of file "${path}": ${bytes.toString("utf8")}`);
  };
  if (flags.has("fs_type"))
    print(`mount type of "${flags.get("fs_type")}": ${fileSystemOf(container, flags.get("fs_type"))}`);
  const written = new Map();
  for (const [flag, mode] of Object.entries(NEW_FILES)) {
    const path = flags.get(flag);
    if (path === undefined) continue;
    const refusal = files.write(path, Buffer.from(NEW_TEXT));
    if (refusal === undefined) {
      written.set(path, mode);
      read(path);
    } else fail(`error writing new file "${path}": open ${path}: ${ERRORS[refusal].toLowerCase()}`);
  }
  const modeOf = (path) => written.get(path) ?? fileMode(container, path);
  if (flags.has("file_mode"))
    print(`mode of file "${flags.get("file_mode")}": ${modeText(modeOf(flags.get("file_mode")))}`);
  if (flags.has("file_perm"))
    print(`perms of file "${flags.get("file_perm")}": ${modeText(modeOf(flags.get("file_perm")))}`);
  if (flags.has("file_content")) read(flags.get("file_content"));
  if (flags.has("file_content_in_loop")) await readInLoop({ container, files, flags, print });
  return code;
}

async function readInLoop({ container, files, flags, print }) {
  const path = flags.get("file_content_in_loop");
  const endsAt = Date.now() + Number(flags.get("retry_time") ?? 180) * 1000;
  while (Date.now() < endsAt && !container.signal.aborted) {
    const bytes = files.read(path);
    if (bytes === undefined) print(`Error reading file ${path}: open ${path}: no such file or directory, retrying`);
    else print(`content of file "${path}": ${bytes.toString("utf8")}`);
    if (bytes?.toString("utf8") === NEW_TEXT && flags.get("break_on_expected_content") !== "false") return;
    await delay(PAUSE_MS, undefined, { signal: container.signal }).catch(() => undefined);
  }
}

const DEFAULT_MODE = 0o644;
const EMPTY_DIR_MODE = 0o777;

// The mode of a file of a volume: that of its item, or that of the volume, readable by the group of the volume.
function fileMode(container, path) {
  const { pod } = container;
  const { mount, volume } = mountOf(container, path);
  const inVolume = path.slice((mount?.mountPath.length ?? 0) + 1);
  if (volume?.emptyDir !== undefined && inVolume === "") return EMPTY_DIR_MODE;
  const source = volume?.configMap ?? volume?.secret ?? volume?.downwardAPI ?? volume?.projected;
  if (source === undefined) return DEFAULT_MODE;
  const parts = source.sources?.map((each) => each.configMap ?? each.secret ?? each.downwardAPI) ?? [source];
  const item = parts.flatMap((each) => each?.items ?? []).find((each) => each.path === inVolume);
  const mode = item?.mode ?? source.defaultMode ?? DEFAULT_MODE;
  return pod.spec.securityContext?.fsGroup === undefined ? mode : mode | 0o440;
}

// A kubelet keeps an emptyDir of the medium Memory in a tmpfs, and others on the disk of its node.
function fileSystemOf(container, path) {
  return mountOf(container, path).volume?.emptyDir?.medium === "Memory" ? "tmpfs" : "ext4";
}

function mountOf(process, path) {
  const { volumeMounts = [] } = specOf(process) ?? {};
  const mount = volumeMounts.find(({ mountPath }) => path === mountPath || path.startsWith(`${mountPath}/`));
  return { mount, volume: (process.pod.spec.volumes ?? []).find(({ name }) => name === mount?.name) };
}

function modeText(mode) {
  const bits = "rwxrwxrwx".split("");
  return `-${bits.map((bit, index) => ((mode >> (8 - index)) & 1 ? bit : "-")).join("")}`;
}
