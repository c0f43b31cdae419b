// The operator whose copies get the regressions of regressions.ts: a Deployment, a Service, a page that is applied, and a theme that cannot change.
import process from "node:process";

import { defineKind, ignoreNotFound, toTime } from "@kubescaffold/k8s";
import { Deployment } from "@kubescaffold/k8s/apps/v1";
import { ConfigMap, Service } from "@kubescaffold/k8s/core/v1";
import {
  controllerutil,
  createManager,
  getConfig,
  managerFlags,
  managerOptionsOf,
  newControllerManagedBy,
  newWebhookManagedBy,
  ping,
  setupSignalHandler,
} from "@kubescaffold/runtime";

const GROUP = "rehearse.example.com";
const Shop = defineKind({ group: GROUP, version: "v1" }, "Shop");
const FINALIZER = "rehearse.example.com/clean-up";
const FIELD_OWNER = "shop-operator";

const flags = managerFlags(process.argv.slice(2));
const mgr = await createManager(await getConfig({ kubeconfig: flags.kubeconfig }), {
  ...managerOptionsOf(flags),
  leaderElectionId: "shop.example.com",
  leaderElectionReleaseOnCancel: true,
});
const client = mgr.getClient();

function childOf(kind, { metadata: { name, namespace } }, suffix = "") {
  return kind.create({ metadata: { name: `${name}${suffix}`, namespace, labels: { shop: name } } });
}

function deploymentOf(shop, deployment) {
  const labels = { shop: shop.metadata.name };
  const containers = [{ name: "web", image: "web:1" }];
  const spec = {
    replicas: shop.spec.replicas,
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers } },
  };
  return { ...deployment, spec: { ...deployment.spec, ...spec } };
}

async function update(shop, child, change) {
  await controllerutil.createOrUpdate(client, child, (found) =>
    controllerutil.setControllerReference(shop, {
      ...change(found),
      metadata: { ...found.metadata, ...child.metadata },
    }),
  );
}

async function applyPage(shop) {
  const page = controllerutil.setControllerReference(shop, {
    ...childOf(ConfigMap, shop, "-page"),
    data: { title: shop.spec.title },
  });
  await client.apply(page, { fieldOwner: FIELD_OWNER, force: true });
}

async function applyChildren(shop) {
  await update(shop, childOf(Deployment, shop), (found) => deploymentOf(shop, found));
  await update(shop, childOf(Service, shop), (found) => ({
    ...found,
    spec: { ...found.spec, selector: { shop: shop.metadata.name }, ports: [{ port: 80 }] },
  }));
  await applyPage(shop);
  await update(shop, childOf(ConfigMap, shop, "-theme"), (found) => ({
    ...found,
    immutable: true,
    data: { color: "light" },
  }));
}

async function setStatus(shop) {
  const { namespace, name, generation } = shop.metadata;
  const deployment = await client.get(Deployment, { namespace, name });
  const isReady = (deployment.status?.availableReplicas ?? 0) >= (shop.spec.replicas ?? 1);
  const [former] = shop.status?.conditions ?? [];
  const status = isReady ? "True" : "False";
  if (former?.status === status && shop.status?.observedGeneration === generation) return;
  const condition = { type: "Ready", status, reason: "Pods", message: "", lastTransitionTime: toTime(Date.now()) };
  await client.status().update({ ...shop, status: { observedGeneration: generation, conditions: [condition] } });
}

async function setFinalizers(shop, finalizers) {
  await client.update({ ...shop, metadata: { ...shop.metadata, finalizers } });
}

async function reconcile(request) {
  const shop = await ignoreNotFound(client.get(Shop, request));
  if (shop === undefined) return {};
  const { finalizers = [], deletionTimestamp } = shop.metadata;
  if (deletionTimestamp !== undefined) {
    await setFinalizers(
      shop,
      finalizers.filter((each) => each !== FINALIZER),
    );
    return {};
  }
  if (!finalizers.includes(FINALIZER)) {
    await setFinalizers(shop, [...finalizers, FINALIZER]);
    return {};
  }
  await applyChildren(shop);
  await setStatus(shop);
  return {};
}

const converter = {
  spoke: { group: GROUP, version: "v2", kind: "Shop" },
  convertTo: ({ spec: { heading, ...spec }, ...shop }) => ({
    ...shop,
    apiVersion: `${GROUP}/v1`,
    spec: { ...spec, title: heading },
  }),
  convertFrom: ({ spec: { title, ...spec }, ...shop }) => ({
    ...shop,
    apiVersion: `${GROUP}/v2`,
    spec: { ...spec, heading: title },
  }),
};

newWebhookManagedBy(mgr)
  .for(Shop)
  .withDefaulter({
    default: (shop) => {
      shop.spec.replicas ??= 1;
    },
  })
  .withDefaulterCustomPath("/mutate-shop")
  .withConversion(converter)
  .complete();
await newControllerManagedBy(mgr)
  .for(Shop)
  .owns(Deployment)
  .owns(Service)
  .owns(ConfigMap)
  .named("shop")
  .complete({ reconcile });
mgr.addReadyzCheck("readyz", ping);
await mgr.start(setupSignalHandler());
process.exit(0);
