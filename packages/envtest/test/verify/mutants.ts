import type { OracleName } from "@kubescaffold/envtest/verify";

/** A fault that is seeded into a copy of the operator. */
export interface Mutant {
  readonly name: string;
  /** The text of the operator, and the one that replaces it. */
  readonly replaced: readonly (readonly [from: string, to: string])[];
  /** The oracle that finds it. */
  readonly oracle: OracleName;
  /** The object that the finding names; empty for the operator. */
  readonly object: string;
}

/** The faults, each with what finds it. */
export const MUTANTS: readonly Mutant[] = [
  {
    name: "missing owner reference",
    replaced: [
      [
        "controllerutil.setControllerReference(site, { ...page, data: { title: site.spec.title } })",
        "({ ...page, data: { title: site.spec.title } })",
      ],
    ],
    oracle: "leftover",
    object: "configmaps default/demo-page",
  },
  {
    name: "update loop",
    replaced: [
      [
        "  return await warmUp(site);",
        "  await setStatus(site, { seen: toTime(Date.now()) });\n  return await warmUp(site);",
      ],
      ["  if (isReady(site)) return {};", "  if (isReady(site)) return { requeueAfterMs: 50 };"],
    ],
    oracle: "rest",
    object: "",
  },
  {
    name: "finalizer removed first",
    replaced: [
      [
        "    await removeEntry(site);\n    await setFinalizers(site, []);",
        "    await setFinalizers(site, []);\n    await removeEntry(site);",
      ],
    ],
    oracle: "leftover",
    object: "configmaps default/entry-demo",
  },
  {
    name: "status before the object",
    replaced: [
      [
        "  await applyPage(site);\n  await applyEntry(site);",
        '  if (isReady(site)) return {};\n  await setStatus(site, { conditions: ready("True") });\n  await applyPage(site);\n  await applyEntry(site);',
      ],
    ],
    oracle: "end-state",
    object: "configmaps default/demo-page",
  },
  {
    name: "creation that is not idempotent",
    replaced: [
      [
        "  await controllerutil.createOrUpdate(client, entryOf(site), (entry) => ({\n    ...entry,\n    data: { site: site.metadata.name },\n  }));",
        "  if (site.status?.hasEntry) return;\n  await client.create({ ...entryOf(site), data: { site: site.metadata.name } });\n  await setStatus(site, { hasEntry: true });",
      ],
    ],
    oracle: "end-state",
    object: "configmaps default/demo-host-web",
  },
  {
    name: "generated name before the status",
    replaced: [
      [
        "  await applyEntry(site);\n  await applyHost(site);",
        '  await applyEntry(site);\n  if (site.status?.token === undefined) {\n    const token = ConfigMap.create({ metadata: { generateName: "token-", namespace: site.metadata.namespace } });\n    const { metadata } = await client.create(controllerutil.setControllerReference(site, token));\n    await setStatus(site, { token: metadata.name });\n  }\n  await applyHost(site);',
      ],
    ],
    oracle: "end-state",
    object: "configmaps default/token-* #2",
  },
  {
    name: "timer lost at restart",
    replaced: [
      [
        "    return { requeueAfterMs: WARM_UP_MS };\n  }\n  if",
        '    setTimeout(() => setStatus(site, { conditions: ready("True") }), WARM_UP_MS);\n    return {};\n  }\n  return {};\n  if',
      ],
    ],
    oracle: "ready",
    object: "sites.verify.example.com default/demo",
  },
  {
    name: "recreation at restart",
    replaced: [
      [
        "  await applyPage(site);\n  await applyEntry(site);",
        "  if (!known.has(site.metadata.uid)) await ignoreNotFound(client.delete(pageOf(site)));\n  known.add(site.metadata.uid);\n  await applyPage(site);\n  await applyEntry(site);",
      ],
      ["const WARM_UP_MS = 300;", "const WARM_UP_MS = 300;\nconst known = new Set();"],
    ],
    oracle: "replaced-object",
    object: "configmaps default/demo-page",
  },
  {
    name: "missing permission",
    replaced: [
      [
        "const { items } = await live.list(ConfigMap, {",
        "await live.list(Secret, {}).catch(() => {});\n  const { items } = await live.list(ConfigMap, {",
      ],
      ["import { ConfigMap }", "import { ConfigMap, Secret }"],
    ],
    oracle: "denied",
    object: "list secrets",
  },
  {
    name: "ignored change of a field",
    replaced: [["...page, data: { title: site.spec.title }", "...page, data: page.data ?? { title: site.spec.title }"]],
    oracle: "changed-state",
    object: "configmaps default/demo-page",
  },
  {
    name: "leak of a renamed object",
    replaced: [[".filter((each) => each.metadata.name !== hostOf(site).metadata.name)", ".slice(0, 0)"]],
    oracle: "changed-state",
    object: "configmaps default/demo-host-web",
  },
  {
    name: "finalizer after the object",
    replaced: [
      [
        "    await setFinalizers(site, [FINALIZER]);\n    return {};",
        "    await applyEntry(site);\n    await setFinalizers(site, [FINALIZER]);\n    return {};",
      ],
    ],
    oracle: "leftover",
    object: "configmaps default/entry-demo",
  },
  {
    name: "memory by name",
    replaced: [
      ["const WARM_UP_MS = 300;", "const WARM_UP_MS = 300;\nconst done = new Map();"],
      [
        "  if (site === undefined) return {};",
        "  if (site === undefined) {\n    done.delete(request.name);\n    return {};\n  }",
      ],
      [
        "  if (!(site.metadata.finalizers ?? []).includes(FINALIZER)) {\n    await setFinalizers(site, [FINALIZER]);\n    return {};\n  }",
        "  if (done.get(request.name) === site.metadata.generation) return {};",
      ],
      ["entryOf(site), (entry) => ({", "entryOf(site), (entry) => controllerutil.setControllerReference(site, {"],
      [
        '  await setStatus(site, { conditions: ready("True") });',
        '  await setStatus(site, { conditions: ready("True") });\n  done.set(site.metadata.name, site.metadata.generation);',
      ],
    ],
    oracle: "end-state",
    object: "configmaps default/demo-page",
  },
];
