// The operator whose copies get the faults of mutants.ts: a page, an entry that no owner reference protects, and a status that follows a warm-up.
import process from "node:process";

import { defineKind, ignoreNotFound, toTime } from "@kubescaffold/k8s";
import { ConfigMap } from "@kubescaffold/k8s/core/v1";
import {
  controllerutil,
  createManager,
  getConfig,
  newControllerManagedBy,
  setupSignalHandler,
} from "@kubescaffold/runtime";

const Site = defineKind({ group: "verify.example.com", version: "v1" }, "Site");
const FINALIZER = "verify.example.com/entry";
const WARM_UP_MS = 300;

const mgr = await createManager(await getConfig(), { metrics: { bindAddress: "0" }, healthProbeBindAddress: "0" });
const client = mgr.getClient();
const live = mgr.getApiReader();

function pageOf({ metadata: { name, namespace } }) {
  return ConfigMap.create({ metadata: { name: `${name}-page`, namespace, labels: { site: name } } });
}

function entryOf({ metadata: { name, namespace } }) {
  return ConfigMap.create({ metadata: { name: `entry-${name}`, namespace } });
}

function hostOf({ metadata: { name, namespace }, spec }) {
  return ConfigMap.create({ metadata: { name: `${name}-host-${spec.host}`, namespace, labels: { host: name } } });
}

async function applyPage(site) {
  await controllerutil.createOrUpdate(client, pageOf(site), (page) =>
    controllerutil.setControllerReference(site, { ...page, data: { title: site.spec.title } }),
  );
}

async function applyEntry(site) {
  await controllerutil.createOrUpdate(client, entryOf(site), (entry) => ({
    ...entry,
    data: { site: site.metadata.name },
  }));
}

async function applyHost(site) {
  await controllerutil.createOrUpdate(client, hostOf(site), (host) =>
    controllerutil.setControllerReference(site, host),
  );
  const { items } = await live.list(ConfigMap, {
    namespace: site.metadata.namespace,
    labels: { host: site.metadata.name },
  });
  for (const item of items.filter((each) => each.metadata.name !== hostOf(site).metadata.name))
    await ignoreNotFound(client.delete(item));
}

async function removeEntry(site) {
  await ignoreNotFound(client.delete(entryOf(site)));
}

async function setFinalizers(site, finalizers) {
  await client.update({ ...site, metadata: { ...site.metadata, finalizers } });
}

async function setStatus(site, status) {
  const found = await live.get(Site, { name: site.metadata.name, namespace: site.metadata.namespace });
  const { generation } = site.metadata;
  await client.status().update({ ...found, status: { ...found.status, observedGeneration: generation, ...status } });
}

function ready(status) {
  return [{ type: "Ready", status, reason: "WarmUp", message: "", lastTransitionTime: toTime(Date.now()) }];
}

function isReady({ metadata, status }) {
  return status?.conditions?.[0]?.status === "True" && status.observedGeneration === metadata.generation;
}

async function warmUp(site) {
  if (isReady(site)) return {};
  const since = site.status?.warmSince;
  if (since === undefined) {
    await setStatus(site, { warmSince: toTime(Date.now()), conditions: ready("False") });
    return { requeueAfterMs: WARM_UP_MS };
  }
  if (Date.now() - Date.parse(since) < WARM_UP_MS) return { requeueAfterMs: WARM_UP_MS };
  await setStatus(site, { conditions: ready("True") });
  return {};
}

async function reconcile(request) {
  const site = await ignoreNotFound(live.get(Site, request));
  if (site === undefined) return {};
  if (site.metadata.deletionTimestamp !== undefined) {
    if (!(site.metadata.finalizers ?? []).includes(FINALIZER)) return {};
    await removeEntry(site);
    await setFinalizers(site, []);
    return {};
  }
  if (!(site.metadata.finalizers ?? []).includes(FINALIZER)) {
    await setFinalizers(site, [FINALIZER]);
    return {};
  }
  await applyPage(site);
  await applyEntry(site);
  await applyHost(site);
  return await warmUp(site);
}

await newControllerManagedBy(mgr).for(Site).owns(ConfigMap).named("site").complete({ reconcile });
await mgr.start(setupSignalHandler());
process.exit(0);
