// cspell:ignore Privs RTNETLINK
import path from "node:path";
import { pathToFileURL } from "node:url";

import { describe, expect, it } from "vitest";

import { ROOT } from "../architecture/source-files.ts";

interface Shell {
  readonly runProgram: (
    argv: readonly string[],
    process: {
      readonly env: Readonly<Record<string, string>>;
      readonly files: unknown;
      readonly identity: unknown;
      readonly signal: AbortSignal;
      readonly out: (text: string) => void;
      readonly err: (text: string) => void;
    },
  ) => Promise<number>;
}

interface Files {
  readonly createFileSystems: () => (container: object) => unknown;
}

interface Identities {
  readonly identityOf: (process: object) => { readonly uid: number };
  readonly raisedUser: (identity: object) => number;
}

const { runProgram } = (await load("shell.mjs")) as Shell;
const { createFileSystems } = (await load("container-files.mjs")) as Files;
const { identityOf, raisedUser } = (await load("container-identity.mjs")) as Identities;

const VOLUMES = [
  { name: "shared", hostPath: { path: "/data" } },
  { name: "own", emptyDir: {} },
];
const MOUNTS = [
  { name: "shared", mountPath: "/data" },
  { name: "own", mountPath: "/own" },
];

async function load(file: string): Promise<unknown> {
  return (await import(pathToFileURL(path.join(ROOT, "scripts", "conformance", file)).href)) as unknown;
}

function shell(filesOf = createFileSystems(), uid = "1") {
  return shellOf({ filesOf, uid });
}

// The shell of a container with fields of its own and of its Pod.
function shellOf({ filesOf = createFileSystems(), uid = "1", pod = {}, own = {} }) {
  const container = processOf({ uid, pod, own });
  const files = filesOf(container);
  const identity = identityOf(container);
  return async (script: string, env: Record<string, string> = {}) => {
    let output = "";
    const write = (text: string): void => {
      output += text;
    };
    const { signal } = new AbortController();
    const code = await runProgram(["/bin/sh", "-c", script], { env, files, identity, signal, out: write, err: write });
    return { code, output };
  };
}

function processOf({ uid = "1", pod = {}, own = {} }) {
  const spec = { nodeName: "node-0", volumes: VOLUMES, containers: [{ name: "main", volumeMounts: MOUNTS, ...own }] };
  return { pod: { metadata: { uid }, spec: { ...spec, ...pod } }, container: "main", files: new Map() };
}

describe("the shell of simulated containers", () => {
  it("runs lists, pipelines, and conditions", async () => {
    const run = shell();
    expect(await run("exit 3")).toEqual({ code: 3, output: "" });
    expect(await run("false || echo no; true && echo yes")).toEqual({ code: 0, output: "no\nyes\n" });
    expect(await run("echo $(hostname) | cat", { HOSTNAME: "pod" })).toEqual({ code: 0, output: "pod\n" });
    expect(await run("! false; echo $?")).toEqual({ code: 0, output: "0\n" });
    expect((await run("nothing")).code).toBe(127);
    const odd = "if [ $(expr ${INDEX} % 2) -ne 0 ]; then\n  exit 1\nelse\n  exit 0\nfi";
    expect((await run(odd, { INDEX: "3" })).code).toBe(1);
    expect((await run(odd, { INDEX: "4" })).code).toBe(0);
  });

  it("runs loops, and expands words like a shell", async () => {
    const run = shell();
    expect((await run('for each in a "b c"; do echo "<$each>"; done')).output).toBe("<a>\n<b c>\n");
    expect((await run("i=0; while [ $i -lt 3 ]; do i=$((i + 1)); done; echo $i")).output).toBe("3\n");
    expect((await run("words='a  b'; echo $words \"$words\"")).output).toBe("a b a  b\n");
    expect((await run("set -e; false; echo no")).code).toBe(1);
    expect((await run("set -e; if false; then echo no; fi; echo yes")).output).toBe("yes\n");
  });

  it("keeps the files of a host path, and gives each pod its other volumes", async () => {
    const filesOf = createFileSystems();
    const once = "if [[ -r /data/mark ]]\nthen\n  exit 0\nelse\n  touch /data/mark\n  exit 42\nfi";
    expect((await shell(filesOf, "1")(once)).code).toBe(42);
    expect((await shell(filesOf, "2")(once)).code).toBe(0);
    await shell(filesOf, "1")("echo 1 > /own/file; echo 2 >> /own/file");
    expect((await shell(filesOf, "1")("cat /own/file")).output).toBe("1\n2\n");
    expect((await shell(filesOf, "2")("cat /own/file")).code).toBe(1);
  });

  it("moves files, and reports those that are missing", async () => {
    const run = shell();
    await run("echo text > /own/a");
    expect((await run("mv -v /own/a /tmp/ || true")).output).toBe("'/own/a' -> '/tmp/a'\n");
    expect(await run("test -f /own/a")).toMatchObject({ code: 1 });
    expect(await run("mv -v /own/a /tmp/ || true")).toMatchObject({ code: 0 });
    expect((await run("cat /tmp/a")).output).toBe("text\n");
  });

  it("ends a script that is killed", async () => {
    const controller = new AbortController();
    const container = { pod: { metadata: { uid: "1" }, spec: { containers: [] } }, container: "c", files: new Map() };
    const ended = runProgram(["sleep", "1000"], {
      env: {},
      files: createFileSystems()(container),
      identity: undefined,
      signal: controller.signal,
      out: () => undefined,
      err: () => undefined,
    });
    controller.abort();
    expect(await ended).toBe(137);
  });

  it("reads the first lines, the last lines, and fields", async () => {
    const run = shell();
    await run("seq 1 12 > /tmp/lines");
    expect((await run("head -n 2 /tmp/lines; head -1 /tmp/lines; tail -n 1 /tmp/lines")).output).toBe("1\n2\n1\n12\n");
    expect((await run("head /tmp/lines | wc -l")).output).toBe("10\n");
    expect((await run("printf 'a\\tb\\nc\\n' | cut -f2")).output).toBe("b\nc\n");
    expect((await run("cut -d: -f2 /tmp/lines")).code).toBe(2);
  });
});

describe("the processes of simulated containers", () => {
  it("run as the user and the groups of the container, then of its Pod, then of the image", async () => {
    const context = { runAsUser: 1001, runAsGroup: 2002, supplementalGroups: [7], fsGroup: 8 };
    expect((await shell()("id; id -u; whoami")).output).toBe(
      "uid=0(root) gid=0(root) groups=0(root),10(wheel)\n0\nroot\n",
    );
    const ofPod = shellOf({ pod: { securityContext: context } });
    expect((await ofPod("id; id -G; id -g")).output).toBe("uid=1001 gid=2002 groups=2002,8,7\n2002 8 7\n2002\n");
    expect(await ofPod("whoami")).toEqual({ code: 1, output: "whoami: unknown uid 1001\n" });
    const own = shellOf({ pod: { securityContext: context }, own: { securityContext: { runAsUser: 65_534 } } });
    expect((await own("id -un; id -g")).output).toBe("nobody\n2002\n");
    const alone = shellOf({ own: { securityContext: { runAsUser: 1000 } } });
    expect((await alone("id")).output).toBe("uid=1000 gid=0(root) groups=0(root)\n");
    const strict = shellOf({ pod: { securityContext: { supplementalGroupsPolicy: "Strict" } } });
    expect((await strict("id -G")).output).toBe("0\n");
  });

  it("become root with a program of root, unless they must not", () => {
    const raised = (securityContext: object): number =>
      raisedUser(identityOf(processOf({ own: { securityContext: { runAsUser: 1000, ...securityContext } } })));
    expect(raised({})).toBe(0);
    expect(raised({ allowPrivilegeEscalation: true })).toBe(0);
    expect(raised({ allowPrivilegeEscalation: false })).toBe(1000);
  });

  it("configure the network only with the capability", async () => {
    const add = "ip link add dummy0 type dummy";
    const outputOf = async (securityContext: object): Promise<string> =>
      (await shellOf({ own: { securityContext } })(add)).output;
    expect(await outputOf({})).toBe("ip: RTNETLINK answers: Operation not permitted\n");
    expect(await outputOf({ capabilities: { add: ["NET_ADMIN"] }, runAsUser: 1 })).toContain("not permitted");
    expect(await outputOf({ capabilities: { add: ["NET_ADMIN"] } })).toBe("");
    expect(await outputOf({ privileged: true })).toBe("");
  });

  it("write only volumes if the root is read-only", async () => {
    const run = shellOf({ own: { securityContext: { readOnlyRootFilesystem: true } } });
    expect(await run("echo no > /file; echo $?; touch file")).toEqual({
      code: 1,
      output: "/bin/sh: can't create /file: Read-only file system\n1\ntouch: file: Read-only file system\n",
    });
    expect((await run("mkdir /folder")).output).toBe(
      "mkdir: can't create directory '/folder': Read-only file system\n",
    );
    expect((await run("echo yes > /own/file; cat /own/file; echo > /dev/null")).output).toBe("yes\n");
    expect((await shell()("touch file && test -f /file && echo yes")).output).toBe("yes\n");
  });

  it("cannot write a volume that is mounted without write access", async () => {
    const volumeMounts = [{ name: "own", mountPath: "/own", readOnly: true }];
    const run = shellOf({ own: { volumeMounts } });
    expect((await run("echo no > /own/file")).output).toBe("/bin/sh: can't create /own/file: Read-only file system\n");
  });

  it("read the parameters of the kernel that their Pod sets", async () => {
    const sysctls = [{ name: "kernel.shm_rmid_forced", value: "1" }];
    const run = shellOf({ pod: { securityContext: { sysctls } } });
    expect((await run("/bin/sysctl kernel.shm_rmid_forced")).output).toBe("kernel.shm_rmid_forced = 1\n");
    expect((await run("cat /proc/sys/kernel/shm_rmid_forced")).output).toBe("1\n");
    expect((await shell()("sysctl -n kernel.shm_rmid_forced")).output).toBe("0\n");
    expect((await run("echo 0 > /proc/sys/kernel/shm_rmid_forced")).output).toContain("Read-only file system");
    expect((await run("sysctl kernel.unknown")).code).toBe(1);
  });

  it("read their own status", async () => {
    const run = shellOf({ own: { securityContext: { runAsUser: 5, allowPrivilegeEscalation: false } } });
    expect((await run("grep Cpus_allowed_list /proc/self/status | cut -f2")).output).toBe("0\n");
    expect((await run("grep NoNewPrivs /proc/self/status")).output).toBe("NoNewPrivs:\t1\n");
  });
});
