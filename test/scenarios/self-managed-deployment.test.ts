import { spawnSync } from "node:child_process";
import { symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";

import { Environment, resolveAsset } from "@kubescaffold/envtest";
import type { RestConfig } from "@kubescaffold/k8s";
import { Secret } from "@kubescaffold/k8s/core/v1";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
import { printYaml } from "@kubescaffold/k8s/yaml";
import { createClient, type LiveClient } from "@kubescaffold/runtime";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { lastingFolder } from "../../plugins/helm/test/lasting-folder.ts";
import { HELM } from "../../plugins/helm/test/rendering.ts";
import { buildKustomization } from "../../src/kustomize/build.ts";
import { type JsonMap, listAt, type Manifest, mapAt, nameOf, textAt } from "../../src/kustomize/manifest.ts";
import { ROOT } from "../architecture/source-files.ts";
import { eventually } from "../e2e/eventually.ts";
import { CREATE_API, CREATE_WEBHOOK, INIT, runCommands } from "../support/run-command.ts";
import { runProgram } from "../support/run-program.ts";
import { readFiles } from "../support/temporary-folder.ts";
import { freePort } from "./free-port.ts";
import { ManagerProcess } from "./manager-process.ts";

const LIVENESS_MS = 300_000;

const KUBECTL = await resolveAsset("kubectl").catch(() =>
  spawnSync("kubectl", ["version", "--client"]).status === 0 ? "kubectl" : undefined,
);
if (KUBECTL === undefined)
  console.warn("SKIPPED: self-managed certificates were NOT deployed, since there is no kubectl");

// Helm keeps releases by a client that speaks protobuf, which the embedded server does not read.
const isReal = process.env["KUBESCAFFOLD_ENVTEST_BACKEND"] === "binaries";

// The definitions belong to the first installation.
const VALUES = ["--set", "fullnameOverride=third", "--set", "crd.enabled=false"];

/** One installation of the project: its objects, and its manager as a process with the variables and the rights of the Deployment. */
interface Installation {
  readonly name: string;
  readonly objects: readonly Manifest[];
  readonly manager: ManagerProcess;
}

// Every test goes on where the one before it stopped, as a user does.
describe.skipIf(KUBECTL === undefined)(
  "a deployed project with self-managed certificates",
  { timeout: LIVENESS_MS },
  () => {
    const environment = new Environment({ startTimeoutMs: LIVENESS_MS });
    const root = lastingFolder();
    const kubeconfig = path.join(root, "admin.kubeconfig");
    const installations: Installation[] = [];
    let config: RestConfig;
    let client: LiveClient;

    beforeAll(async () => {
      await runCommands(
        root,
        `${INIT} --certificates self-managed`,
        CREATE_API,
        `${CREATE_API.replace("--version v1", "--version v2")} --controller=false`,
        CREATE_WEBHOOK,
        "create webhook --group webapp --version v1 --kind Guestbook --conversion --spoke v2 --make=false",
        "manifests",
        "generate",
      );
      symlinkSync(path.join(ROOT, "node_modules"), path.join(root, "node_modules"));
      config = await environment.start();
      client = createClient(config);
      await environment.writeKubeconfig(kubeconfig);
    }, LIVENESS_MS);

    afterAll(async () => {
      await Promise.all(installations.map(async ({ manager }) => await manager.stop()));
      await environment.stop();
    }, LIVENESS_MS);

    const kubectl = async (args: readonly string[]): Promise<string> => {
      const env = { KUBECONFIG: kubeconfig, HOME: root };
      const { status, output } = await runProgram(KUBECTL ?? "", args, { cwd: root, env });
      expect({ status, output: status === 0 ? "" : output }).toEqual({ status: 0, output: "" });
      return output;
    };

    // The server reaches the process by an external name; everything else is as `kubectl apply -k config/default` would send it.
    function objectsOf(name: string, port: number): readonly Manifest[] {
      const files = readFiles(root);
      const file = "config/default/kustomization.yaml";
      const text = (files[file] ?? "")
        .replace("namespace: guestbook-system", `namespace: ${name}-system`)
        .replace("namePrefix: guestbook-", `namePrefix: ${name}-`);
      const built = buildKustomization((each) => (each === file ? text : files[each]), "config/default");
      // A definition belongs to one installation.
      const own = built.filter(({ kind }) => kind !== "CustomResourceDefinition" || name === "guestbook");
      const rank = ({ kind }: Manifest): number => ["Namespace", "CustomResourceDefinition"].indexOf(kind);
      return own.map((each) => reachable(each, port)).toSorted((left, right) => rank(right) - rank(left));
    }

    async function install(name: string): Promise<Installation> {
      const port = await freePort();
      const objects = objectsOf(name, port);
      writeFileSync(path.join(root, `${name}.yaml`), objects.map((each) => printYaml(each)).join("---\n"));
      await kubectl(["apply", "-f", `${name}.yaml`]);
      const manager = await start(name, objects, port);
      const installation = { name, objects, manager };
      installations.push(installation);
      return installation;
    }

    async function start(name: string, objects: readonly Manifest[], port: number): Promise<ManagerProcess> {
      const account = { namespace: `${name}-system`, name: `${name}-controller-manager` };
      const file = path.join(root, `${name}.kubeconfig`);
      await environment.writeKubeconfig(file, await environment.addServiceAccount(account));
      const [container] = listAt(
        objects.find(({ kind }) => kind === "Deployment"),
        "spec",
        "template",
        "spec",
        "containers",
      );
      const env = Object.fromEntries(
        listAt(container, "env").map((each) => [textAt(each, "name"), textAt(each, "value")]),
      );
      return new ManagerProcess(root, {
        kubeconfig: file,
        args: [`--webhook-port=${String(port)}`, "--webhook-host=127.0.0.1", "--metrics-bind-address=0"],
        // A process outside of the cluster has no namespace.
        env: { ...env, CERTIFICATES_NAMESPACE: account.namespace },
      });
    }

    async function bundles(): Promise<Readonly<Record<string, readonly string[]>>> {
      const kinds = installations.flatMap(({ objects }) => objects.filter((each) => placesOf(each).length > 0));
      const present = await Promise.all(
        kinds.map(async (each) => {
          const [group = "", version = ""] = each.apiVersion.split("/");
          return (await client.get({ group, version, kind: each.kind }, { name: nameOf(each) })) as unknown as Manifest;
        }),
      );
      return Object.fromEntries(
        present.map((each) => [
          `${each.kind} ${nameOf(each)}`,
          placesOf(each).map((place) => textAt(place, "caBundle")),
        ]),
      );
    }

    async function secrets(): Promise<readonly (string | undefined)[]> {
      return await Promise.all(
        installations.map(async ({ name }) => {
          const key = { namespace: `${name}-system`, name: `${name}-webhook-certificates` };
          return (await client.get(Secret, key)).data?.["ca.crt"];
        }),
      );
    }

    let count = 0;
    async function create(version: string): Promise<void> {
      count += 1;
      const metadata = { name: `created-${String(count)}`, namespace: "default" };
      await client.create({
        apiVersion: `webapp.demo/${version}`,
        kind: "Guestbook",
        metadata,
        spec: {},
      } as unknown as KubernetesObject);
    }

    async function admitted(version: string): Promise<void> {
      await eventually(
        async () => {
          try {
            await create(version);
            return true;
          } catch {
            return undefined;
          }
        },
        () => `an admission; the managers logged:\n${installations.map(({ manager }) => manager.output).join("\n")}`,
      );
    }

    interface State {
      readonly bundles: Readonly<Record<string, readonly string[]>>;
      readonly secrets: readonly (string | undefined)[];
      /** How often each manager wrote a bundle. */
      readonly writes: readonly number[];
    }

    async function state(): Promise<State> {
      const writes = installations.map(({ manager }) => manager.output.match(/wrote the caBundle/gu)?.length ?? 0);
      return { bundles: await bundles(), secrets: await secrets(), writes };
    }

    // What was there before a change, and after it with an admission: neither a writer nor a manager may have changed anything.
    async function around(change: () => Promise<unknown>): Promise<{ readonly before: State; readonly after: State }> {
      const before = await state();
      await change();
      for (const version of ["v1", "v2"]) await create(version);
      return { before, after: await state() };
    }

    it("serves webhooks and conversions with the rights that its manifests grant", async () => {
      await install("guestbook");
      await admitted("v1");
      await admitted("v2");
      expect(installations[0]?.manager.output).not.toMatch(/forbidden|cannot keep the certificates/u);
    });

    it("does not collide with a second installation", async () => {
      await install("second");
      await eventually(
        async () =>
          Object.values(await bundles())
            .flat()
            .includes("")
            ? undefined
            : true,
        () => "all bundles",
      );
      await admitted("v1");
      const [first, second] = await secrets();
      expect(first).not.toBe(second);
      for (const { manager } of installations) expect(manager.output).not.toMatch(/forbidden|CERTIFICATES_/u);
    });

    it("keeps its certificates when the manifests are applied again by kubectl", async () => {
      const { before, after } = await around(async () => {
        for (const { name } of installations) await kubectl(["apply", "-f", `${name}.yaml`]);
      });
      expect(after).toEqual(before);
    });

    it("keeps its certificates when the manifests are applied on the server, by force", async () => {
      const { before, after } = await around(async () => {
        for (const { name } of installations)
          await kubectl(["apply", "--server-side", "--force-conflicts", "-f", `${name}.yaml`]);
      });
      expect(after).toEqual(before);
    });

    it("keeps its certificates when a controller heals drift time and again", async () => {
      const { before, after } = await around(async () => {
        for (let round = 0; round < 3; round += 1) {
          for (const { objects } of installations) {
            for (const each of objects)
              await client.apply(each as never, { fieldOwner: "kustomize-controller", forceOwnership: true });
          }
        }
      });
      expect(after).toEqual(before);
    });

    it("repairs what `kubectl replace` empties, and trusts the former authority meanwhile", async () => {
      const [former = ""] = await secrets();
      await kubectl(["replace", "-f", "guestbook.yaml"]);
      await eventually(
        async () => {
          const all = Object.entries(await bundles()).filter(([name]) => !name.includes("second"));
          const [stored = ""] = await secrets();
          const isRepaired = stored !== former && all.every(([, each]) => each.every((bundle) => bundle === stored));
          return isRepaired ? true : undefined;
        },
        () => "the bundles of a new authority",
      );
      const texts = Object.values(await bundles())
        .flat()
        .map((each) => Buffer.from(each, "base64").toString());
      expect(texts.some((each) => each.includes(Buffer.from(former, "base64").toString().trim()))).toBe(true);
      await admitted("v1");
    });

    it.skipIf(HELM === undefined || !isReal)("keeps its certificates when helm upgrades the release", async () => {
      await Promise.all(installations.splice(0).map(async ({ manager }) => await manager.stop()));
      await runCommands(root, "edit --plugins=helm/v2-alpha --make=false");
      const env = { KUBECONFIG: kubeconfig, HOME: root };
      const upgrade = async (...more: readonly string[]): Promise<void> => {
        const args = ["upgrade", "--install", "third", "dist/chart", "--namespace", "third-system"];
        const { status, output } = await runProgram(HELM ?? "", [...args, "--create-namespace", ...VALUES, ...more], {
          cwd: root,
          env,
        });
        expect({ status, output: status === 0 ? "" : output }).toEqual({ status: 0, output: "" });
      };
      await upgrade();
      const objects = objectsOf("third", 0);
      installations.push({ name: "third", objects, manager: await start("third", objects, await freePort()) });
      await eventually(
        async () =>
          Object.values(await bundles())
            .flat()
            .includes("")
            ? undefined
            : true,
        () => `all bundles, of a manager that logged:\n${installations[0]?.manager.output ?? ""}`,
      );
      const [before, kept] = [await bundles(), await secrets()];
      await upgrade("--set", "manager.replicas=3");
      await upgrade("--set", "manager.replicas=2", "--force-conflicts", "--server-side=true");
      expect(await bundles()).toEqual(before);
      expect(await secrets()).toEqual(kept);
    });
  },
);

function placesOf(manifest: Manifest): readonly JsonMap[] {
  if (manifest.kind.endsWith("WebhookConfiguration"))
    return listAt(manifest, "webhooks").map((each) => mapAt(each, "clientConfig"));
  const isConverted = textAt(manifest, "spec", "conversion", "strategy") === "Webhook";
  return isConverted ? [mapAt(manifest, "spec", "conversion", "webhook", "clientConfig")] : [];
}

function reachable(manifest: Manifest, port: number): Manifest {
  if (manifest.kind === "Service" && nameOf(manifest).endsWith("webhook-service"))
    return { ...manifest, spec: { type: "ExternalName", externalName: "localhost", ports: [{ port }] } };
  const text = JSON.stringify(manifest);
  const isCalled = placesOf(manifest).length > 0;
  return isCalled
    ? (JSON.parse(text.replaceAll(/"service":\{/gu, `"service":{"port":${String(port)},`)) as Manifest)
    : manifest;
}
