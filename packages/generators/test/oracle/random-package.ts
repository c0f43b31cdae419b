import { randomCrdPackage } from "./crd-package.ts";
import type { Package } from "./package-model.ts";
import { randomRbacPackage } from "./rbac-package.ts";
import { randomWebhookPackage } from "./webhook-package.ts";

/** The generators that are compared. */
export type GeneratorName = Package["kind"];

const MAKERS: Readonly<Record<GeneratorName, (seed: number) => Package>> = {
  crd: randomCrdPackage,
  rbac: randomRbacPackage,
  webhook: randomWebhookPackage,
};

/** Makes the package of a seed: for one generator, or for all in turns, of every five packages three with kinds. */
export function randomPackage(seed: number, generator?: GeneratorName): Package {
  return MAKERS[generator ?? TURNS[seed % TURNS.length] ?? "crd"](seed);
}

const TURNS: readonly GeneratorName[] = ["crd", "rbac", "crd", "webhook", "crd"];
