import { existsSync } from "node:fs";
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

import { createCertificateAuthority } from "@kubescaffold/cluster";
import { afterEach, beforeEach, expect, test } from "vitest";

import type { EnvironmentAuthn } from "../../src/environment/environment-users.ts";
import { Environment } from "../../src/environment/environment.ts";

// Programs that record their arguments, and answer to health checks.
const PROGRAMS = {
  etcd: `
    const { port } = new URL(flag("listen-client-urls"));
    require("node:http").createServer((_, response) => response.end('{"health":"true"}')).listen(port, "127.0.0.1");
  `,
  "kube-apiserver": `
    const read = (name) => fs.readFileSync(path.join(__dirname, name));
    fs.writeFileSync(path.join(flag("cert-dir"), "apiserver.crt"), read("ca.crt"));
    require("node:https").createServer({ cert: read("tls.crt"), key: read("tls.key") }, (request, response) => {
      response.setHeader("content-type", "application/json");
      response.end(request.url === "/readyz" ? "ok" : "{}");
    }).listen(flag("secure-port"), "127.0.0.1");
  `,
};

const PRELUDE = `#!${process.execPath}
  const fs = require("node:fs");
  const path = require("node:path");
  const args = process.argv.slice(2);
  fs.writeFileSync(__filename + ".json", JSON.stringify(args));
  const flag = (name) => args.findLast((each) => each.startsWith("--" + name + "=")).split("=")[1];
`;

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "control-plane-options-"));
  const authority = await createCertificateAuthority("test");
  const { cert, key } = await authority.issueServer({ dnsNames: [], ipAddresses: ["127.0.0.1"] });
  for (const [name, text] of Object.entries({ "ca.crt": authority.cert, "tls.crt": cert, "tls.key": key })) {
    await writeFile(path.join(folder, name), text);
  }
  for (const [name, script] of Object.entries(PROGRAMS)) {
    await writeFile(path.join(folder, name), `${PRELUDE}${script}`);
    await chmod(path.join(folder, name), 0o700);
  }
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

async function argsOf(program: string): Promise<readonly string[]> {
  return JSON.parse(await readFile(path.join(folder, `${program}.json`), "utf8")) as string[];
}

test("etcd receives additional arguments, after those of the environment", async () => {
  const environment = new Environment({
    backend: "binaries",
    binaryAssetsDirectory: folder,
    etcdArgs: ["--log-level=debug", "--quota-backend-bytes=1048576"],
  });
  await environment.start();
  await environment.stop();
  const args = await argsOf("etcd");
  expect(args.slice(-2)).toEqual(["--log-level=debug", "--quota-backend-bytes=1048576"]);
  expect(args.indexOf("--log-level=warn")).toBeLessThan(args.indexOf("--log-level=debug"));
  expect((await argsOf("kube-apiserver")).some((each) => each.startsWith("--client-ca-file="))).toBe(true);
});

test("kube-apiserver has no loopback address among the endpoints of the Service kubernetes, which it refuses since 1.37", async () => {
  const environment = new Environment({ backend: "binaries", binaryAssetsDirectory: folder });
  await environment.start();
  await environment.stop();
  expect(await argsOf("kube-apiserver")).toEqual(
    expect.arrayContaining(["--advertise-address=127.0.0.1", "--endpoint-reconciler-type=none"]),
  );
});

test("an authn configures kube-apiserver, adds users, and stops after it", async () => {
  const calls: string[] = [];
  let ownFolder = "";
  const authn: EnvironmentAuthn = {
    configure: async (given) => {
      ownFolder = given;
      calls.push("configure");
      return [`--authentication-config=${given}/config.yaml`];
    },
    addUser: async ({ name, groups = [] }, config) => {
      calls.push("addUser");
      return { ...config, credentials: { kind: "token", token: `${name}:${groups.join(",")}` } };
    },
    stop: async () => {
      calls.push("stop");
    },
  };
  const environment = new Environment({ backend: "binaries", binaryAssetsDirectory: folder, authn });
  const config = await environment.start();
  expect(existsSync(ownFolder)).toBe(true);
  expect(await environment.addUser({ name: "ann", groups: ["a", "b"] })).toEqual({
    ...config,
    credentials: { kind: "token", token: "ann:a,b" },
  });
  await environment.stop();
  expect(calls).toEqual(["configure", "addUser", "stop"]);
  expect(existsSync(ownFolder)).toBe(false);
  const args = await argsOf("kube-apiserver");
  expect(args).toContain(`--authentication-config=${ownFolder}/config.yaml`);
  expect(args.some((each) => each.startsWith("--client-ca-file="))).toBe(false);
});

test("an authn is stopped if the control plane does not start", async () => {
  const calls: string[] = [];
  const authn: EnvironmentAuthn = {
    configure: async () => [],
    addUser: async (_user, config) => config,
    stop: async () => {
      calls.push("stop");
    },
  };
  await rm(path.join(folder, "kube-apiserver"));
  await writeFile(path.join(folder, "kube-apiserver"), `#!${process.execPath}\nprocess.exit(1)`, { mode: 0o700 });
  const environment = new Environment({ backend: "binaries", binaryAssetsDirectory: folder, authn });
  await expect(environment.start()).rejects.toMatchObject({ code: "ENVTEST_START_FAILED" });
  expect(calls).toEqual(["stop"]);
});
