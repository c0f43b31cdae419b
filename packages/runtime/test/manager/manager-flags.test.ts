import { describe, expect, it } from "vitest";

import { managerFlags, managerOptionsOf, type ProgramFlags } from "../../src/manager/manager-flags.ts";

const DEFAULTS = {
  metricsBindAddress: "0",
  metricsSecure: true,
  metricsCertPath: "",
  metricsCertName: "tls.crt",
  metricsCertKey: "tls.key",
  webhookHost: "",
  webhookPort: 9443,
  webhookCertPath: "",
  webhookCertName: "tls.crt",
  webhookCertKey: "tls.key",
  healthProbeBindAddress: ":8081",
  leaderElect: false,
  kubeconfig: "",
  enableHttp2: false,
  zapDevel: true,
  zapEncoder: "",
  zapLogLevel: "",
  zapStacktraceLevel: "",
  zapTimeEncoding: "",
};

class Exit extends Error {
  readonly status: number;
  constructor(status: number) {
    super(`exit ${String(status)}`);
    this.status = status;
  }
}

interface Ended {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

// Runs a command line that does not return values.
function end(argv: readonly string[], flags: ProgramFlags = {}): Ended {
  let stdout = "";
  let stderr = "";
  const process = {
    stdout: { write: (text: string) => (stdout += text) },
    stderr: { write: (text: string) => (stderr += text) },
    exit: (status: number): never => {
      throw new Exit(status);
    },
  };
  try {
    const values = managerFlags(argv, { flags, process });
    throw new Error(`returned ${JSON.stringify(values)}`);
  } catch (error) {
    if (!(error instanceof Exit)) throw error;
    return { status: error.status, stdout, stderr };
  }
}

describe("the flags of a manager", () => {
  it("have kubebuilder's names and defaults", () => {
    expect(managerFlags([])).toEqual(DEFAULTS);
  });

  it.each([
    [["--leader-elect"], { leaderElect: true }],
    [["--leader-elect=false"], { leaderElect: false }],
    [["-leader-elect=T"], { leaderElect: true }],
    [["--metrics-secure=0"], { metricsSecure: false }],
    [["--webhook-port=10250"], { webhookPort: 10_250 }],
    [["--webhook-port=65535"], { webhookPort: 65_535 }],
    [["--webhook-port", "10250"], { webhookPort: 10_250 }],
    [["--kubeconfig", "--leader-elect"], { kubeconfig: "--leader-elect" }],
    [["--kubeconfig="], { kubeconfig: "" }],
    [["--kubeconfig=a=b\nc"], { kubeconfig: "a=b\nc" }],
    [["--metrics-bind-address=:8080", "--metrics-bind-address=:8443"], { metricsBindAddress: ":8443" }],
    [["--zap-log-level=5", "--zap-devel=false"], { zapLogLevel: "5", zapDevel: false }],
    [["--enable-http2"], { enableHttp2: true }],
  ])("%j sets %j", (argv, expected) => {
    expect(managerFlags(argv)).toEqual({ ...DEFAULTS, ...expected });
  });

  it.each([
    ["--nonsense", "unknown flag: --nonsense"],
    ["leader-elect", "unknown flag: leader-elect"],
    ["--", "unknown flag: --"],
    ["", "unknown flag: "],
    ["---leader-elect", "unknown flag: ---leader-elect"],
    ["--Leader-Elect", "unknown flag: --Leader-Elect"],
    ["--leader-elect =true", "unknown flag: --leader-elect =true"],
    ["--constructor", "unknown flag: --constructor"],
    ["--__proto__=x", "unknown flag: --__proto__=x"],
    ["--to-string=x", "unknown flag: --to-string=x"],
    ["--webhook-port", "flag needs a value: --webhook-port"],
    ["--webhook-port=", 'invalid value "" for --webhook-port'],
    ["--webhook-port=-1", 'invalid value "-1" for --webhook-port'],
    ["--webhook-port=1e3", 'invalid value "1e3" for --webhook-port'],
    ["--webhook-port=0x1f", 'invalid value "0x1f" for --webhook-port'],
    [`--webhook-port=${"9".repeat(400)}`, `invalid value "${"9".repeat(400)}" for --webhook-port`],
    ["--webhook-port=NaN", 'invalid value "NaN" for --webhook-port'],
    ["--webhook-port=5 ", 'invalid value "5 " for --webhook-port'],
    ["--webhook-port=65536", 'invalid value "65536" for --webhook-port'],
    ["--webhook-port=1234567890", 'invalid value "1234567890" for --webhook-port'],
    ["--leader-elect=yes", 'invalid value "yes" for --leader-elect'],
    ["--leader-elect=", 'invalid value "" for --leader-elect'],
    ["--zap-encoder=xml", 'invalid value "xml" for --zap-encoder'],
    ["--zap-log-level=warn", 'invalid value "warn" for --zap-log-level'],
  ])("%j ends the program with status 2 and the error before the help", (word, message) => {
    const { status, stdout, stderr } = end([word]);
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(stderr.startsWith(`${message}\nUsage of the manager:\n`)).toBe(true);
  });

  it("a hostile command line changes no prototype", () => {
    end(["--__proto__=x", "--constructor=y"]);
    expect(({} as Record<string, unknown>)["x"]).toBeUndefined();
    expect(managerFlags([])).toEqual(DEFAULTS);
  });

  it("a word of a million letters is refused like a short one", () => {
    expect(end([`--${"a-".repeat(500_000)}`]).status).toBe(2);
    expect(managerFlags([`--kubeconfig=${"=".repeat(1_000_000)}`]).kubeconfig).toHaveLength(1_000_000);
  });

  it.each(["--help", "-h", "--help=all"])("%s prints every flag with its default and ends with status 0", (word) => {
    const { status, stdout, stderr } = end(["--leader-elect", word]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout).toMatch(/^Usage of the manager:\n {2}--metrics-bind-address\n {8}address of the metrics endpoint/u);
    expect(stdout).toContain("  --webhook-port\n        port of the webhook server (default 9443)\n");
    expect(stdout).toContain("  --kubeconfig\n        path of the kubeconfig file\n");
    expect(stdout.match(/^ {2}--[a-z0-9-]+$/gmu)).toHaveLength(Object.keys(DEFAULTS).length);
  });

  it("takes flags of the program's own, typed by their defaults, and lists them in the help", () => {
    const own = {
      "sync-period": { value: 60, help: "seconds between syncs" },
      "is-dry": { value: false, help: "writes nothing" },
      region: { value: "", help: "region of the buckets", accepts: /^[a-z]+$/u },
    };
    const flags = managerFlags(["--sync-period=5", "--is-dry", "--region=north"], { flags: own });
    const typed: { readonly syncPeriod: number; readonly isDry: boolean; readonly region: string } = flags;
    expect(typed).toEqual({ ...DEFAULTS, syncPeriod: 5, isDry: true, region: "north" });
    expect(end(["--region=N"], own).stderr).toContain('invalid value "N" for --region\n');
    expect(end(["--help"], own).stdout).toContain("  --sync-period\n        seconds between syncs (default 60)\n");
  });

  it("lets the program replace a flag, such as for another default", () => {
    const flags = {
      "leader-elect": { value: true, help: "enable leader election, so that only one manager is active" },
    };
    expect(managerFlags([], { flags }).leaderElect).toBe(true);
    expect(end(["--help"], flags).stdout).toContain("is active (default true)\n");
  });
});

describe("the options that the flags of a manager set", () => {
  it("serve metrics over HTTPS to authorized readers, without their own certificate", () => {
    expect(managerOptionsOf(managerFlags(["--metrics-bind-address=:8443", "--leader-elect"]))).toEqual({
      metrics: { bindAddress: ":8443", secureServing: true, filter: "authentication-and-authorization" },
      webhook: { port: 9443 },
      healthProbeBindAddress: ":8081",
      leaderElection: true,
    });
  });

  it("serve metrics over HTTP to everybody with --metrics-secure=false", () => {
    expect(managerOptionsOf(managerFlags(["--metrics-secure=false"])).metrics).toEqual({
      bindAddress: "0",
      secureServing: false,
    });
  });

  it("name certificates where their folders are given", () => {
    const flags = managerFlags([
      "--metrics-cert-path=/m",
      "--metrics-cert-key=m.key",
      "--webhook-cert-path=/w",
      "--webhook-cert-name=w.crt",
    ]);
    expect(managerOptionsOf(flags)).toMatchObject({
      metrics: { certDir: "/m", certName: "tls.crt", keyName: "m.key" },
      webhook: { certDir: "/w", certName: "w.crt", keyName: "tls.key" },
    });
  });

  it("bind the webhook server to a host with --webhook-host", () => {
    expect(managerOptionsOf(managerFlags(["--webhook-host=127.0.0.1"])).webhook).toEqual({
      host: "127.0.0.1",
      port: 9443,
    });
  });
});
