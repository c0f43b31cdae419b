// What happens to one Guestbook, from its creation to its end.
import { readFile } from "node:fs/promises";
import path from "node:path";

import { ignoreNotFound } from "@kubescaffold/k8s";
import { readYaml } from "@kubescaffold/k8s/yaml";

import { StoryError, expect, tell, until } from "./steps.mjs";

const GUESTBOOK = { group: "webapp.demo", version: "v1", kind: "Guestbook" };
const DEPLOYMENT = { group: "apps", version: "v1", kind: "Deployment" };
const SERVICE = { group: "", version: "v1", kind: "Service" };
const POD = { group: "", version: "v1", kind: "Pod" };
const EVENT = { group: "events.k8s.io", version: "v1", kind: "Event" };

/** Tells what the cluster shows, and ends the story where it shows something else than it should. */
export class GuestbookStory {
  #project;
  #client;
  #manager;
  #key;

  constructor({ project, cluster, manager }) {
    this.#project = project;
    this.#client = cluster.client;
    this.#manager = manager;
  }

  steps() {
    return [
      { title: "Create the sample and see it become available", work: () => this.#create() },
      { title: "Try objects that are wrong", work: () => this.#tryWrong() },
      { title: "Change the size", work: () => this.#resize() },
      { title: "Break what the operator made, and see it repaired", work: () => this.#drift() },
      { title: "Look at what was told", work: () => this.#showEvents() },
      { title: "Delete the object", work: () => this.#delete() },
    ];
  }

  async #create() {
    const file = path.join("config", "samples", "webapp_v1_guestbook.yaml");
    const sample = readYaml(await readFile(path.join(this.#project, file), "utf8"));
    this.#key = { name: sample.metadata.name, namespace: "default" };
    const { image: _, ...spec } = sample.spec;
    const object = { ...sample, metadata: { ...sample.metadata, namespace: "default" }, spec };
    const created = await this.#until("the webhook server", () => this.#createWhenServed(object));
    tell(
      `created ${created.kind} ${created.metadata.name}; the defaulting webhook gave it the image ${created.spec.image}`,
    );
    expect(
      created.spec.image === sample.spec.image,
      `the webhook should have set spec.image, found ${created.spec.image}`,
    );
    await this.#showAvailable(created.spec.size);
  }

  // The manager may need a moment until it answers as a webhook; any other refusal is one.
  async #createWhenServed(object) {
    try {
      return await this.#client.create(object);
    } catch (error) {
      if (/connection refused|EOF/u.test(error.message)) return undefined;
      throw new StoryError(error.message);
    }
  }

  async #tryWrong() {
    const wrong = (name, spec) => ({
      apiVersion: "webapp.demo/v1",
      kind: "Guestbook",
      metadata: { name, namespace: "default" },
      spec,
    });
    const bySchema = await this.#refusal(wrong("too-big", { size: 11, image: "registry.k8s.io/guestbook:v3" }));
    expect(
      /spec\.size/u.test(bySchema) && /less than or equal to 10/u.test(bySchema),
      `the schema should have refused the size: ${bySchema}`,
    );
    const byWebhook = await this.#refusal(wrong("moving", { size: 2, image: "registry.k8s.io/guestbook:latest" }));
    expect(
      /admission webhook/u.test(byWebhook) && /spec\.image/u.test(byWebhook),
      `the webhook should have refused the image: ${byWebhook}`,
    );
    tell(`by the schema:   ${bySchema}`, `by the webhook:  ${byWebhook}`);
  }

  async #refusal(object) {
    try {
      await this.#client.create(object, { dryRun: false });
    } catch (error) {
      return error.message;
    }
    throw new StoryError(`${object.metadata.name} should have been refused`);
  }

  async #resize() {
    const guestbook = await this.#client.get(GUESTBOOK, this.#key);
    await this.#client.update({ ...guestbook, spec: { ...guestbook.spec, size: 3 } });
    tell("spec.size is 3 now");
    await this.#showAvailable(3);
  }

  async #drift() {
    const deployment = await this.#client.get(DEPLOYMENT, this.#key);
    await this.#client.update({ ...deployment, spec: { ...deployment.spec, replicas: 1 } });
    await this.#client.delete(await this.#client.get(SERVICE, this.#key));
    tell("set the Deployment's replicas to 1 and deleted the Service");
    await this.#until("the Service to come back", () => this.#client.get(SERVICE, this.#key));
    await this.#until(
      "the replicas to be repaired",
      async () => (await this.#client.get(DEPLOYMENT, this.#key)).spec.replicas === 3,
    );
    await this.#showAvailable(3);
  }

  async #showEvents() {
    const events = await this.#until("events about the Guestbook", async () => {
      const { items } = await this.#client.list(EVENT, { namespace: "default" });
      const own = items.filter(({ regarding }) => regarding?.kind === "Guestbook");
      const reasons = new Set(own.map(({ reason }) => reason));
      return ["DeploymentCreated", "ServiceCreated", "DeploymentUpdated"].every((reason) => reasons.has(reason))
        ? own
        : undefined;
    });
    tell(
      ...events.map(
        ({ type, reason, note, series }) =>
          `${type}  ${reason}  ${note}${series === undefined ? "" : ` (×${String(series.count)})`}`,
      ),
    );
  }

  async #delete() {
    await this.#client.delete(await this.#client.get(GUESTBOOK, this.#key));
    for (const kind of [GUESTBOOK, SERVICE, DEPLOYMENT]) {
      await this.#until(`${kind.kind} to be gone`, () => this.#isGone(kind));
      tell(`${kind.kind} ${this.#key.name} is gone`);
    }
    await this.#until("the Pods to be gone", async () => (await this.#pods()).length === 0);
    tell("and so are its Pods");
  }

  async #isGone(kind) {
    return (await ignoreNotFound(this.#client.get(kind, this.#key))) === undefined;
  }

  async #showAvailable(size) {
    const guestbook = await this.#until(`${String(size)} Pods to serve`, async () => {
      const object = await this.#client.get(GUESTBOOK, this.#key);
      return object.status?.availableReplicas === size && this.#isAvailable(object) ? object : undefined;
    });
    const { status, message } = guestbook.status.conditions.find(({ type }) => type === "Available");
    const service = await this.#client.get(SERVICE, this.#key);
    const pods = await this.#pods();
    tell(
      `Deployment ${this.#key.name}  ${String(guestbook.status.availableReplicas)}/${String(size)} ready`,
      `Service    ${this.#key.name}  ${service.spec.clusterIP ?? "no address"}:${String(service.spec.ports[0].port)}`,
      ...pods.map((pod) => `Pod        ${pod.metadata.name}  ${pod.status.phase}  ${pod.status.podIP}`),
      `Available = ${status}: ${message}`,
    );
  }

  #isAvailable(object) {
    const isCurrent = object.status.observedGeneration === object.metadata.generation;
    return isCurrent && object.status.conditions?.some(({ type, status }) => type === "Available" && status === "True");
  }

  async #pods() {
    const labels = { "app.kubernetes.io/instance": this.#key.name };
    const { items } = await this.#client.list(POD, { namespace: "default", labels });
    return items;
  }

  // Waits, and ends the story at once when the manager ended or was refused something.
  async #until(what, look) {
    return await until(what, async () => {
      const refused = this.#manager.errors().find((line) => line.includes("is forbidden"));
      if (refused !== undefined) throw new ManagerRefused(refused);
      if (this.#manager.hasEnded()) throw new StoryError(`the manager ended:\n${this.#manager.log()}`);
      return await look();
    }).catch((error) => {
      throw error instanceof StoryError
        ? new StoryError(`${error.message}\nThe last that the manager wrote:\n${this.#manager.lastLines()}`)
        : error;
    });
  }
}

class ManagerRefused extends StoryError {
  constructor(line) {
    super(`the manager may not do what it needs to: ${JSON.parse(line).error ?? line}`);
  }
}
