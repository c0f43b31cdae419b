import { readFileSync } from "node:fs";
import path from "node:path";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { runSuccessfully } from "../support/run-program.ts";
import { DevProcess, kubeconfigOf } from "./dev-process.ts";
import { findKubectl, Kubectl } from "./kubectl.ts";
import { copyExample, PROGRAM, type ProjectCopy } from "./project-copy.ts";

const LIVENESS_MS = 300_000;
const OLD = "relays.v1alpha1.network.demo";
const NAME = "relay-sample-v1alpha1";
const DEFINITION = "crd relays.network.demo";

const program = findKubectl();
if (program === undefined) {
  console.warn(
    "SKIPPED: kubectl was NOT tried with several versions, since there is none; `npm run test:control-plane` builds it",
  );
}

// What the example's README shows; every test goes on where the one before it stopped.
describe.skipIf(program === undefined)("kubectl and a kind of three versions", { timeout: LIVENESS_MS }, () => {
  let project: ProjectCopy;
  let dev: DevProcess;
  let kubectl: Kubectl;
  let readme: string;

  beforeAll(async () => {
    project = copyExample("multiversion");
    readme = readFileSync(path.join(project.root, "README.md"), "utf8");
    dev = new DevProcess(project.root);
    await dev.waitForManager();
    kubectl = new Kubectl(program ?? "", project.root, kubeconfigOf(project.root));
  }, LIVENESS_MS);

  afterAll(async () => {
    await dev.end();
    project.remove();
  }, LIVENESS_MS);

  const spec = async (resource: string): Promise<unknown> =>
    JSON.parse((await kubectl.run(`get ${resource} ${NAME} -o jsonpath={.spec}`)).output.split("\n").at(-1) ?? "");

  // What a command printed, when the README shows the command and that.
  async function runAsShown(line: string, shown: readonly string[]): Promise<string> {
    const isShown = readme.includes([`$ kubectl ${line}`, ...shown].join("\n"));
    const { status, output } = await kubectl.run(line);
    return isShown && status === 0 && output === shown.join("\n") ? "as shown" : `${String(isShown)}, ${output}`;
  }

  it("applies the deprecated version with a warning, and gets it in the newest", async () => {
    expect(
      await runAsShown("apply -f config/samples/network_v1alpha1_relay.yaml", [
        "Warning: network.demo/v1alpha1 Relay is deprecated; use network.demo/v1 Relay",
        `relay.network.demo/${NAME} created`,
      ]),
    ).toBe("as shown");
    expect(
      await runAsShown(`get relay ${NAME} -o jsonpath={.spec}`, [
        '{"listenPort":5432,"replicas":2,"target":{"host":"db.example.com","port":5432}}',
      ]),
    ).toBe("as shown");
  });

  it("prints the columns of each version", async () => {
    const columns = async (resource: string): Promise<readonly string[]> => {
      const lines = (await kubectl.run(`get ${resource}`)).output.split("\n");
      return (lines.find((line) => line.startsWith("NAME")) ?? "").split(/ {2,}/u);
    };
    expect(await columns("relays")).toEqual(["NAME", "HOST", "PORT", "REPLICAS", "AVAILABLE", "AGE"]);
    expect(await columns("relays.v1beta1.network.demo")).toEqual(["NAME", "TARGET", "REPLICAS", "AVAILABLE", "AGE"]);
    expect(await columns(OLD)).toEqual(["NAME", "TARGET", "SIZE", "AVAILABLE", "AGE"]);
  });

  it("keeps what only v1 has through a patch, an apply and a scale in the old version", async () => {
    const limits = '{"spec":{"limits":{"connections":7}}}';
    expect((await kubectl.run(`patch relay ${NAME} --type=merge -p ${limits}`)).status).toBe(0);
    expect((await kubectl.run(`patch ${OLD} ${NAME} --type=merge -p {"spec":{"target":"db:6543"}}`)).status).toBe(0);
    expect((await kubectl.run(`scale ${OLD} ${NAME} --replicas=4`)).output).toContain("scaled");
    expect(await spec("relay")).toEqual({
      target: { host: "db", port: 6543 },
      replicas: 4,
      listenPort: 5432,
      limits: { connections: 7 },
    });
    const applied = await kubectl.run("apply -f config/samples/network_v1alpha1_relay.yaml");
    expect(applied.output).toContain(`relay.network.demo/${NAME} configured`);
    expect(await spec("relay")).toMatchObject({ listenPort: 5432, limits: { connections: 7 }, replicas: 2 });
    expect(await spec(OLD)).toEqual({ target: "db.example.com:5432", size: 2 });
  });

  it("waits for the object in its old version, and applies all samples", async () => {
    const waited = await kubectl.run(`wait --for=condition=Available ${OLD}/${NAME} --timeout=120s`);
    expect(waited.output).toContain("condition met");
    const { status, output } = await kubectl.run("apply -k config/samples");
    expect(status).toBe(0);
    expect(output).toContain("relay.network.demo/relay-sample created");
  });

  it("receives the reason why an object cannot be converted", async () => {
    const patch = '{"spec":{"target":"db:99999"}}';
    const { status, output } = await kubectl.run(`patch ${OLD} ${NAME} --type=merge -p ${patch}`);
    expect(status).toBe(1);
    expect(output).toContain('spec.target "db:99999": the port must be between 1 and 65535');
  });

  it("migrates what is stored, by the commands of the README", async () => {
    const stored = async (version: string): Promise<void> => {
      const versions = ["v1", "v1alpha1", "v1beta1"].map((name, index) => ({
        op: "replace",
        path: `/spec/versions/${String(index)}/storage`,
        value: name === version,
      }));
      const patched = await kubectl.run(`patch ${DEFINITION} --type=json -p ${JSON.stringify(versions)}`);
      expect(patched).toMatchObject({ status: 0 });
    };
    const storedVersions = `get ${DEFINITION} -o jsonpath={.status.storedVersions}`;
    const forget = "patch crd relays.network.demo --subresource=status --type=merge -p";
    await stored("v1beta1");
    expect((await kubectl.run(`${forget} {"status":{"storedVersions":["v1beta1"]}}`)).status).toBe(0);
    await stored("v1");
    expect(await runAsShown(storedVersions, ['["v1beta1","v1"]'])).toBe("as shown");
    expect(readme).toContain("`npx scaffold migrate-storage`");
    const migrate = [PROGRAM, "migrate-storage", "--propagation", "1s", "--kubeconfig", kubeconfigOf(project.root)];
    expect(await runSuccessfully(process.execPath, migrate, { cwd: project.root })).toContain("relays.network.demo");
    expect((await kubectl.run(storedVersions)).output).toBe('["v1"]');
    const dropped = await kubectl.run(`patch ${DEFINITION} --type=json -p [{"op":"remove","path":"/spec/versions/2"}]`);
    expect(dropped).toMatchObject({ status: 0 });
    expect(await spec("relay")).toMatchObject({ target: { host: "db.example.com", port: 5432 } });
  });
});
