/** Chains of calls with an object need two passes of the formatter, so the script of a project makes two. */
import { readFileSync } from "node:fs";
import path from "node:path";

import { format } from "oxfmt";
import { expect, it } from "vitest";

import { ROOT } from "../architecture/source-files.ts";

const STATUS =
  "status: { ...owner.status, observedGeneration: owner.metadata.generation, replicas: found.replicas ?? 0 }";
const IDIOMS = [
  `await this.client.status().patch({ ...owner, ${STATUS} }, patch.mergeFrom(owner));`,
  `await ignoreNotFound(this.client.status().patch({ ...owner, ${STATUS} }, patch.mergeFrom(owner)));`,
  `await this.client.status().update({ ...owner, ${STATUS} });`,
  `await suite.client.status().patch({ ...(await suite.client.get(Captain, key)), ${STATUS} }, patch.mergeFrom(owner));`,
  `newControllerManagedBy(mgr).for(Captain, { predicates: [generationChanged()] }).owns(Deployment).complete(reconciler);`,
];

async function formatted(code: string, printWidth: number): Promise<string> {
  return (await format("a.ts", code, { printWidth })).code;
}

it.each(IDIOMS.flatMap((idiom) => [80, 100, 120].map((width) => [width, idiom] as const)))(
  "at %d columns, two passes complete: %s",
  async (width, idiom) => {
    const once = await formatted(`async function a() {\n${idiom}\n}\n`, width);
    const twice = await formatted(once, width);
    expect(await formatted(twice, width)).toBe(twice);
  },
);

it("npm run fmt makes two passes", () => {
  const template = readFileSync(path.join(ROOT, "templates", "init", "package.json.hbs"), "utf8");
  expect(template).toContain('"fmt": "oxfmt && oxfmt",');
});
