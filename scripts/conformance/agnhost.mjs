// cspell:ignore nondeletable
// What Kubernetes' test image agnhost does, for the commands whose behavior does not depend on a kernel or a network: its webhooks, and servers over HTTP.
import { once } from "node:events";
import { createServer as createHttpServer } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { setTimeout as delay } from "node:timers/promises";

import { handledLater } from "@kubescaffold/platform";

import { SERVERS, startServer } from "./agnhost-servers.mjs";
import { TOOLS } from "./agnhost-tools.mjs";

const TERMINATED = 2;

/** Runs a command of agnhost in a simulated container with its files; commands that are not simulated wait until they are stopped. */
export async function runAgnhost(container, files) {
  const [command, ...args] = container.args;
  const flags = flagsOf(args);
  switch (command) {
    case "webhook":
      return await serve(container, { flags, defaultPort: 443, answer: answerReview });
    case "crd-conversion-webhook":
      return await serve(container, { flags, defaultPort: 9443, answer: answerConversion });
    case "pause":
      container.log("Paused");
      await untilStopped(container);
      return TERMINATED;
    default: {
      const server = SERVERS[command];
      const stopped = handledLater(untilStopped(container));
      const tool = TOOLS[command];
      if (tool !== undefined) return await tool({ container, files, flags, stopped });
      return server === undefined ? await stopped : await startServer({ container, files, flags }, server, stopped);
    }
  }
}

// Reads `--name=value`, `--name value`, and `-n value`; a flag without a value is true.
function flagsOf(words) {
  const flags = new Map();
  for (const [index, word] of words.entries()) {
    if (!word.startsWith("-")) continue;
    const [name, value] = word.replace(/^--?/u, "").split(/=(.*)/su, 2);
    const next = words[index + 1];
    flags.set(name, value ?? (next === undefined || next.startsWith("--") ? "true" : next));
  }
  return flags;
}

// Container runtimes take some time to stop a container.
const STOPPING_MS = 300;

async function untilStopped({ signal }) {
  if (!signal.aborted) await once(signal, "abort");
  await delay(STOPPING_MS);
  return 0;
}

async function serve(container, { flags, defaultPort, answer }) {
  const cert = container.files.get(flags.get("tls-cert-file"));
  const key = container.files.get(flags.get("tls-private-key-file"));
  const onRequest = (request, response) => void respond(request, response, answer);
  const server = cert === undefined ? createHttpServer(onRequest) : createHttpsServer({ cert, key }, onRequest);
  container.ports.listen(Number(flags.get("port") ?? defaultPort), (connection) =>
    server.emit("connection", connection),
  );
  return await untilStopped(container);
}

async function respond(request, response, answer) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString("utf8");
  const path = new URL(request.url, "http://container").pathname;
  const body = path === "/readyz" ? "ok" : await answer(path, text === "" ? undefined : JSON.parse(text));
  response.writeHead(body === undefined ? 404 : 200, { "content-type": "application/json" });
  response.end(typeof body === "string" ? body : JSON.stringify(body ?? {}));
}

async function answerReview(path, review) {
  const admit = WEBHOOKS[path];
  if (admit === undefined || review === undefined) return undefined;
  const { patch, ...decision } = await admit(review.request);
  const patched =
    patch === undefined ? {} : { patchType: "JSONPatch", patch: Buffer.from(JSON.stringify(patch)).toString("base64") };
  return {
    apiVersion: review.apiVersion,
    kind: review.kind,
    response: { uid: review.request.uid, ...decision, ...patched },
  };
}

const ALLOWED = { allowed: true };
const MARK = "webhook-e2e-test";

const WEBHOOKS = {
  "/always-allow-delay-5s": async () => {
    await delay(5000);
    return { allowed: true, status: { message: "this webhook allows all requests" } };
  },
  "/always-deny": () => denied({ message: "this webhook denies all requests" }),
  "/add-label": ({ object }) => addLabel(object.metadata.labels ?? {}),
  "/pods": async ({ object }) => await admitPod(object),
  "/pods/attach": ({ name, object }) =>
    name === "to-be-attached-pod" && object.stdin === true && object.container === "container1"
      ? denied({ message: "attaching to pod 'to-be-attached-pod' is not allowed" })
      : ALLOWED,
  "/mutating-pods": ({ object }) => addInitContainer(object),
  "/configmaps": (request) => admitData(request, "configmap"),
  "/mutating-configmaps": ({ object }) => mutateData(object),
  "/custom-resource": (request) => admitData(request, "custom resource"),
  "/mutating-custom-resource": ({ object }) => mutateData(object),
  "/crd": ({ object }) =>
    object.metadata.labels?.[MARK] === "webhook-disallow"
      ? denied({ message: "the crd contains unwanted label" })
      : ALLOWED,
};

function denied(status) {
  return { allowed: false, status: { metadata: {}, ...status } };
}

function addLabel(labels) {
  if (Object.keys(labels).length === 0)
    return { ...ALLOWED, patch: [{ op: "add", path: "/metadata/labels", value: { "added-label": "yes" } }] };
  if (labels["added-label"] === "yes") return ALLOWED;
  const op = "added-label" in labels ? "replace" : "add";
  return { ...ALLOWED, patch: [{ op, path: "/metadata/labels/added-label", value: "yes" }] };
}

async function admitPod({ metadata, spec }) {
  const label = metadata.labels?.[MARK];
  // Its callers expect no answer.
  if (label === "wait-forever") await new Promise(() => undefined);
  const reasons = [
    ...(label === "webhook-disallow" ? ["the pod contains unwanted label;"] : []),
    ...spec.containers
      .filter(({ name }) => name.includes("webhook-disallow"))
      .map(() => "the pod contains unwanted container name;"),
  ];
  return reasons.length === 0 ? ALLOWED : denied({ message: reasons.join(" ") });
}

function addInitContainer({ metadata, spec }) {
  const name = "webhook-added-init-container";
  if (metadata.name !== "webhook-to-be-mutated" || spec.initContainers?.some((each) => each.name === name))
    return ALLOWED;
  const value = [{ image: "webhook-added-image", name, resources: {} }];
  return { ...ALLOWED, patch: [{ op: "add", path: "/spec/initContainers", value }] };
}

function admitData({ operation, object, oldObject }, subject) {
  const value = (operation === "DELETE" ? oldObject : object).data?.[MARK];
  if (value === "webhook-disallow" && (operation === "CREATE" || operation === "UPDATE")) {
    const what = subject === "configmap" ? "unwanted key and value" : "unwanted data";
    return denied({ reason: `the ${subject} contains ${what}` });
  }
  return value === "webhook-nondeletable" && operation === "DELETE"
    ? denied({ reason: `the ${subject} cannot be deleted because it contains unwanted key and value` })
    : ALLOWED;
}

function mutateData({ data = {} }) {
  const stage = data["mutation-stage-1"] === "yes" ? 2 : data["mutation-start"] === "yes" ? 1 : undefined;
  return stage === undefined
    ? ALLOWED
    : { ...ALLOWED, patch: [{ op: "add", path: `/data/mutation-stage-${String(stage)}`, value: "yes" }] };
}

function answerConversion(_path, review) {
  if (review === undefined) return undefined;
  const { uid, desiredAPIVersion, objects } = review.request;
  const convertedObjects = objects.map((object) => convert(object, desiredAPIVersion));
  return {
    apiVersion: review.apiVersion,
    kind: review.kind,
    response: { uid, convertedObjects, result: { status: "Success" } },
  };
}

function convert({ hostPort, host, port, ...rest }, apiVersion) {
  const converted = { ...rest, apiVersion };
  if (apiVersion === "stable.example.com/v2") {
    if (hostPort !== undefined) [converted.host, converted.port] = hostPort.split(":");
  } else if (host !== undefined || port !== undefined) {
    converted.hostPort = `${host ?? ""}:${port ?? ""}`;
  }
  return converted;
}
