// Uses the streams of the Pod `p`, and prints the results as JSON.
import { PassThrough } from "node:stream";

import { Attach, AuthorizationV1Api, Exec, KubeConfig, PortForward } from "@kubernetes/client-node";

const config = new KubeConfig();
config.loadFromFile(process.argv[2]);

async function review() {
  const spec = { resourceAttributes: { verb: "get", resource: "pods", namespace: "default" } };
  const { status } = await config.makeApiClient(AuthorizationV1Api).createSelfSubjectAccessReview({ body: { spec } });
  return status.allowed;
}

async function run(...command) {
  const stdout = new PassThrough();
  const status = await new Promise((resolve, reject) => {
    new Exec(config).exec("default", "p", "c", command, stdout, new PassThrough(), null, false, resolve).catch(reject);
  });
  return { code: Number(status.details?.causes[0].message ?? 0), text: String(stdout.read() ?? "") };
}

async function attach() {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const socket = await new Attach(config).attach("default", "p", "c", output, null, input, false);
  input.write("ping");
  const text = await read(output, "heard ping".length);
  socket.close();
  return text;
}

async function forward() {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const socket = await new PortForward(config).portForward("default", "p", [80], output, null, input);
  input.write("ping");
  const text = await read(output, "echo ping".length);
  socket.close();
  return text;
}

async function read(stream, length) {
  let text = "";
  for await (const chunk of stream) {
    text += chunk;
    if (text.length >= length) break;
  }
  return text;
}

const { text } = await run("echo", "hi");
const { code } = await run("fail");
console.log(
  JSON.stringify({ review: await review(), exec: text, code, attached: await attach(), forwarded: await forward() }),
);
process.exit(0);
