// The quickstart's story: a Guestbook operator from its first file to the end of its first object. Ends with 0 only if all of it happened.
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";

import { startDevelopmentCluster } from "@kubescaffold/envtest";

import { GUESTBOOK } from "./examples.mjs";
import { GuestbookStory } from "./guestbook-story.mjs";
import { startManager } from "./manager.mjs";
import { fillIn, runQuietly, scaffold } from "./project.mjs";
import { Story, StoryError, tell } from "./steps.mjs";

const { values: options } = parseArgs({
  options: {
    /** Leaves the project, the server and the manager running. */
    keep: { type: "boolean", default: false },
    /** Removes the RBAC markers that contain this text from the controller, to see what a missing permission looks like. */
    "drop-rbac": { type: "string" },
    /** Leaves the project's own tests out. */
    "skip-tests": { type: "boolean", default: false },
  },
});

const story = new Story();
const undo = [];
let status = 0;
try {
  await tellStory();
} catch (error) {
  status = 1;
  console.error(
    `\nThe quickstart failed: ${error instanceof StoryError ? error.message : (error.stack ?? String(error))}`,
  );
} finally {
  for (const each of undo.toReversed()) await each();
}
process.exit(status);

async function tellStory() {
  const project = await story.step("Scaffold a project with an API, a controller and webhooks", makeProject);
  await story.step("Fill in the API, the controller and the webhooks", async () => {
    await fillIn(project, GUESTBOOK);
    await dropMarkers(project);
  });
  await story.step("Install the project's dependencies", async () => {
    tell("$ npm install");
    await runQuietly("npm", ["install", "--no-audit", "--no-fund", "--prefer-offline"], project);
  });
  await story.step("Generate CRD, roles and webhook configurations from the markers", async () => {
    await scaffold(project, ["manifests"]);
    await scaffold(project, ["generate"]);
    tell(await readFile(path.join(project, "config", "rbac", "role.yaml"), "utf8"));
  });
  if (!options["skip-tests"] && options["drop-rbac"] === undefined)
    await story.step("Run the project's own tests", () => runTests(project));
  const cluster = await story.step("Start the API server with RBAC, install what was generated", () =>
    startCluster(project),
  );
  const dashboard = options.keep ? await serveDashboard(project, cluster) : undefined;
  const manager = await story.step(`Run the manager as ${cluster.managerUser}`, async () => {
    const started = startManager(project, cluster, dashboard);
    undo.push(() => started.stop());
    return started;
  });
  const guestbook = new GuestbookStory({ project, cluster, manager });
  for (const { title, work } of guestbook.steps()) await story.step(title, work);
  story.end();
  if (options.keep) await keep(project, cluster, dashboard);
}

async function makeProject() {
  const parent = await mkdtemp(path.join(tmpdir(), "kubescaffold-quickstart-"));
  if (!options.keep) undo.push(() => rm(parent, { recursive: true, force: true }));
  for (const command of GUESTBOOK.commands) await scaffold(parent, command);
  return parent;
}

async function dropMarkers(project) {
  const wanted = options["drop-rbac"];
  if (wanted === undefined) return;
  const file = path.join(project, "internal", "controller", "guestbook_controller.ts");
  const lines = (await readFile(file, "utf8")).split("\n");
  const kept = lines.filter((line) => !(line.includes("+kubebuilder:rbac:") && line.includes(wanted)));
  if (kept.length === lines.length) throw new StoryError(`no RBAC marker contains ${wanted}`);
  await writeFile(file, kept.join("\n"));
  tell(`removed the RBAC markers with ${wanted}`);
}

async function runTests(project) {
  tell("$ npm test");
  const output = await runQuietly("npm", ["test"], project);
  tell(...output.split("\n").filter((line) => /Test Files|Tests /u.test(line)));
}

async function startCluster(project) {
  const cluster = await startDevelopmentCluster({
    projectDirectory: project,
    stateDirectory: path.join(project, ".kubescaffold", "dev"),
    recordHistory: options.keep,
  });
  undo.push(() => cluster.stop());
  const definitions = await readdir(path.join(project, "config", "crd", "bases"));
  tell(`${cluster.server} over TLS`, `installed ${definitions.join(", ")}, config/rbac and config/webhook`);
  return cluster;
}

async function serveDashboard(project, cluster) {
  const { startDashboard } = await import("@kubescaffold/dashboard/development");
  const dashboard = await startDashboard({
    cluster: cluster.cluster,
    project: "guestbook",
    projectDirectory: project,
    server: cluster.server,
    managerUser: cluster.managerUser,
    capabilities: ["reconciles", "webhooks", "permissions", "faults"],
  });
  undo.push(() => dashboard.close());
  return dashboard;
}

async function keep(project, cluster, dashboard) {
  console.log(`\nThe project is in ${project}\nThe dashboard is at ${dashboard.address}`);
  console.log("The API server goes on; try");
  console.log(
    `    kubectl --kubeconfig ${cluster.kubeconfigPath} apply -f ${path.join(project, "config", "samples", "webapp_v1_guestbook.yaml")}`,
  );
  console.log(`    kubectl --kubeconfig ${cluster.kubeconfigPath} get guestbooks,deployments,pods -o wide`);
  console.log("Ctrl-C ends it.");
  await new Promise((resolve) => {
    process.once("SIGINT", resolve);
    process.once("SIGTERM", resolve);
  });
}
