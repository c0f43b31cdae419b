// cspell:ignore nonewprivs
// Writes docs/verification/conformance.md from the results of a run.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import { pinnedVersion } from "../control-plane-pins.mjs";
import { ROOT } from "../ensure-installed.mjs";

const PAGE = path.join(ROOT, "docs/verification/conformance.md");
const EXCEPTIONS = path.join(ROOT, "hack", "conformance", "exceptions.json");

const [PASSED, NOT_PASSED, NOT_RUN] = ["Passed", "Not passed yet", "Not run yet"];
const HEADING_STATES = { [PASSED]: "passed", [NOT_RUN]: "not run" };

/** Returns the exceptions: specs that need something that no server in a process has, by a part of their title, with the reason. */
export function readExceptions() {
  return JSON.parse(readFileSync(EXCEPTIONS, "utf8"));
}

/** Returns the reason why a spec may fail; undefined if it must pass. */
export function reasonFor(title, exceptions) {
  return exceptions.find(({ titles }) => titles.some((part) => title.includes(part)))?.reason;
}

/** Writes the page from the titles of all specs of a minor, and the last results of those that were run, with a limit in seconds each. */
export function writePage(titles, ran, { minor, seconds }) {
  const version = pinnedVersion(minor).slice(1);
  const written = existsSync(PAGE) ? readFileSync(PAGE, "utf8") : "";
  // Results of another version are of other specs, even with the same titles.
  const results = withPageResults(titles, ran, written.includes(`suite (${version})`) ? written : "");
  writeFileSync(PAGE, pageText(results, { version, seconds, exceptions: readExceptions() }));
}

/** Returns the results of all specs: those that this machine has run, and for the others the results that the page has. */
export function withPageResults(titles, ran, page) {
  const byTitle = new Map(ran.map((result) => [result.title, result]));
  const written = pageStates(page);
  return titles.map((title) => byTitle.get(title) ?? { title, state: written.get(cell(title)) ?? "not run" });
}

// The heading above each spec tells its state.
function pageStates(page) {
  const states = new Map();
  let state = "not run";
  for (const line of page.split("\n")) {
    if (line.startsWith("## ")) state = HEADING_STATES[line.slice(3)] ?? "failed";
    else if (line.startsWith("- ")) states.set(line.slice(2), state);
  }
  return states;
}

function pageText(results, { version, seconds, exceptions }) {
  const passed = results.filter(({ state }) => state === "passed");
  const failed = results.filter(({ state }) => state !== "passed");
  const bySig = groupBy(results);
  const lines = [
    "# Conformance",
    "",
    ...introduction(version),
    "",
    `${String(passed.length)} of ${String(results.length)} specs pass; each may take ${String(seconds)} seconds. \`npm run test:conformance -- --page\` regenerates this page. A spec that a run leaves out`,
    "keeps the result of its last run.",
    "",
    "| Area | Specs | Passed |",
    "|---|---|---|",
    ...[...bySig].map(
      ([sig, specs]) =>
        `| ${sig} | ${String(specs.length)} | ${String(specs.filter(({ state }) => state === "passed").length)} |`,
    ),
    ...failedLines(failed, exceptions),
    "",
    `## ${PASSED}`,
    "",
    ...passed.map(({ title }) => `- ${cell(title)}`),
    "",
  ];
  return lines.join("\n");
}

function introduction(version) {
  return [
    `\`npm run test:conformance\` runs the conformance specs of Kubernetes' own end-to-end suite (${version}) against the embedded API server, each on a new cluster with simulated workloads on`,
    "two Nodes. It builds the suite with Go from the modules that `hack/conformance` pins.",
    "",
    "Containers are [simulated](../reference/simulated-containers.md): there is no kernel and no container runtime, and the kubelet, the scheduler, and kube-proxy are those of the embedded",
    "cluster. The page thus shows what clients see of an API server and its controllers, and not that a node can run containers. What the images of the suite do is in `scripts/conformance`:",
    "",
    "| Image | Simulation |",
    "|---|---|",
    "| `agnhost` | its servers over HTTP, HTTPS, UDP, and gRPC (`netexec`, `nettest`, `serve-hostname`, `porter`, `liveness`, `test-webserver`, `guestbook`, `grpc-health-checking`, the webhooks), and its tools (`pause`, `logs-generator`, `mounttest`, `etc-hosts`, `dns-suffix`, `dns-server-list`, `entrypoint-tester`, `test-service-account-issuer-discovery`); `mounttest` prints the permissions that the Pod asks for |",
    "| `agnhost`, `busybox`, `glibc-dns-testing`, `jessie-dnsutils` | shell scripts with the commands of `shell-commands.mjs`, `network-commands.mjs`, and `system-commands.mjs`, on files in memory, which have no owners; `id`, `whoami`, and the refusals of `ip` and of writes to a read-only root follow from the security contexts of the Pod and the container, `sysctl` and `/proc/sys` from its sysctls, and the files of the control group from its resources; `curl`, `nc`, and `wget` connect to other simulated containers, `dig` and `getent` resolve names like their `resolve`, without a DNS server; any other command fails with 127 |",
    "| `nonewprivs` | prints the user that its program with the set-user-ID bit of root has, from `runAsUser` and `allowPrivilegeEscalation` |",
    "| `nautilus`, `kitten` | the files that tell them apart, served by `test-webserver` |",
    "| `pause` | runs until it is stopped |",
    "| tags that nobody has built | cannot be pulled |",
    "| all others | become ready, and do nothing |",
  ];
}

function failedLines(failed, exceptions) {
  const headingOf = ({ title, state }) => reasonFor(title, exceptions) ?? (state === "not run" ? NOT_RUN : NOT_PASSED);
  const headings = [NOT_PASSED, NOT_RUN, ...exceptions.map(({ reason }) => reason)];
  return headings.flatMap((heading) => {
    const specs = failed.filter((spec) => headingOf(spec) === heading);
    if (specs.length === 0) return [];
    return ["", `## ${heading}`, "", ...specs.map(({ title }) => `- ${cell(title)}`)];
  });
}

function groupBy(results) {
  const groups = new Map();
  for (const result of results) {
    const sig = sigOf(result.title);
    groups.set(sig, [...(groups.get(sig) ?? []), result]);
  }
  return groups;
}

function sigOf(title) {
  return /^\[(?<sig>[^\]]+)\]/u.exec(title)?.groups?.sig ?? "other";
}

// Titles have brackets, which would be links, and angle brackets.
function cell(title) {
  return `\`${title.replace(" [Conformance]", "").replaceAll("`", "'")}\``;
}
