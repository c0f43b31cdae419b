import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { DevProcess, kubeconfigOf } from "./dev-process.ts";
import { findKubectl, Kubectl } from "./kubectl.ts";
import { copyExample, type ProjectCopy } from "./project-copy.ts";

const LIVENESS_MS = 300_000;
const SAMPLE = "config/samples/webapp_v1_guestbook.yaml";

const program = findKubectl();
if (program === undefined) {
  console.warn(
    "SKIPPED: kubectl was NOT tried against scaffold dev, since there is none; `npm run test:control-plane` builds it",
  );
}

// Every test goes on where the one before it stopped, as a user does.
describe.skipIf(program === undefined)("kubectl against scaffold dev", { timeout: LIVENESS_MS }, () => {
  let project: ProjectCopy;
  let dev: DevProcess;
  let kubectl: Kubectl;

  beforeAll(async () => {
    project = copyExample();
    dev = new DevProcess(project.root);
    await dev.waitForManager();
    kubectl = new Kubectl(program ?? "", project.root, kubeconfigOf(project.root));
  }, LIVENESS_MS);

  afterAll(async () => {
    await dev.end();
    project.remove();
  }, LIVENESS_MS);

  it("applies the sample", async () => {
    expect(await kubectl.run(`apply -f ${SAMPLE}`)).toEqual({
      status: 0,
      output: "guestbook.webapp.demo/guestbook-sample created",
    });
  });

  it("waits for a condition", async () => {
    expect(await kubectl.run("wait --for=condition=Available guestbook/guestbook-sample --timeout=120s")).toEqual({
      status: 0,
      output: "guestbook.webapp.demo/guestbook-sample condition met",
    });
  });

  it("applies the samples as a kustomization, and again without a change", async () => {
    expect(await kubectl.run("apply -k config/samples")).toEqual({
      status: 0,
      output: "guestbook.webapp.demo/guestbook-sample unchanged",
    });
    expect((await kubectl.run(`diff -f ${SAMPLE}`)).status).toBe(0);
  });

  it("prints the columns of the definition, and of the built-in kinds", async () => {
    const wide = await kubectl.run("get guestbooks -o wide");
    expect(wide.output.split("\n").map((line) => line.split(/ {2,}/u))).toEqual([
      ["NAME", "SIZE", "AVAILABLE", "IMAGE", "AGE"],
      ["guestbook-sample", "2", "True", "registry.k8s.io/guestbook:v3", expect.stringMatching(/^\d+[smh]/u)],
    ]);
    expect((await kubectl.run("get guestbooks")).output.split("\n")[0]?.split(/ {2,}/u)).toEqual([
      "NAME",
      "SIZE",
      "AVAILABLE",
      "AGE",
    ]);
    const children = await kubectl.run("get deployments,pods,services -o wide");
    expect(children.output).toMatch(/^deployment\.apps\/guestbook-sample\s+2\/2\s+2\s+2\s/mu);
    expect(children.output).toMatch(/^pod\/guestbook-sample-\S+\s+1\/1\s+Running\s+0\s/mu);
    expect(children.output).toMatch(/^service\/guestbook-sample\s+ClusterIP\s/mu);
  });

  it.each(["json", "yaml", "name", "jsonpath={.items[0].spec.size}"])("gets objects as %s", async (format) => {
    const { status, output } = await kubectl.run(`get guestbooks -o ${format}`);
    expect(status).toBe(0);
    expect(output).toMatch(/guestbook-sample|^2$/u);
  });

  it("describes an object with its events", async () => {
    const { status, output } = await kubectl.run("describe guestbook guestbook-sample");
    expect(status).toBe(0);
    expect(output).toMatch(/^Name: +guestbook-sample$/mu);
    expect(output).toMatch(/^ {4}Type: +Available$/mu);
    expect(output).toMatch(
      /^ {2}Normal +DeploymentCreated +\S+ +guestbook-controller +Deployment guestbook-sample created$/mu,
    );
    const deployment = await kubectl.run("describe deployment guestbook-sample");
    expect(deployment.output).toMatch(/^Replicas: +2 desired \| 2 updated \| 2 total \| 2 available/mu);
  });

  it("explains fields with their documentation", async () => {
    const { status, output } = await kubectl.run("explain guestbook.spec");
    expect(status).toBe(0);
    expect(output).toMatch(/^ {2}size\t<integer>\n {4}size is the number of Pods that serve the guestbook\.$/mu);
    expect((await kubectl.run("explain deployment.spec.replicas")).output).toContain("FIELD: replicas <integer>");
  });

  it("labels, annotates, patches and scales what a definition allows", async () => {
    expect((await kubectl.run("label guestbook guestbook-sample shelf=top")).output).toContain("labeled");
    expect((await kubectl.run("get guestbooks -l shelf=top -o name")).output).toContain("guestbook-sample");
    expect((await kubectl.run("annotate guestbook guestbook-sample note=kept")).output).toContain("annotated");
    const patched = await kubectl.run('patch guestbook guestbook-sample --type=merge -p {"spec":{"size":3}}');
    expect(patched.output).toBe("guestbook.webapp.demo/guestbook-sample patched");
    const waited = await kubectl.run(
      "wait --for=jsonpath={.status.availableReplicas}=3 guestbook/guestbook-sample --timeout=120s",
    );
    expect(waited.status).toBe(0);
  });

  it("shows what the server rejects", async () => {
    const { status, output } = await kubectl.run(
      'patch guestbook guestbook-sample --type=merge -p {"spec":{"size":11}}',
    );
    expect(status).toBe(1);
    expect(output).toContain(
      'The Guestbook "guestbook-sample" is invalid: spec.size: Invalid value: 11: spec.size in body should be less than or equal to 10',
    );
  });

  it("lists what the server has", async () => {
    expect((await kubectl.run("api-resources --api-group=webapp.demo -o name")).output).toBe("guestbooks.webapp.demo");
    expect((await kubectl.run("version")).output).toMatch(/^Server Version: v1\.\d+\.\d+/mu);
  });

  it("deletes the object and waits until it is gone, with everything it owned", async () => {
    const deleted = await kubectl.run(`delete -f ${SAMPLE} --timeout=120s`);
    expect(deleted.output).toMatch(/^guestbook\.webapp\.demo "guestbook-sample" deleted/u);
    expect(deleted.status).toBe(0);
    const gone = await kubectl.run("wait --for=delete deployment/guestbook-sample --timeout=120s");
    expect(gone.status).toBe(0);
    // A writer of an object that has just changed gets a conflict and tries again.
    const errors = dev.output.split("\n").filter((line) => line.includes("\tERROR\t"));
    expect(errors.filter((line) => !line.includes("the object has been modified"))).toEqual([]);
  });
});
