import {
  groupOf,
  isMap,
  type JsonMap,
  listAt,
  mapAt,
  type Manifest,
  nameOf,
  namespaceOf,
  textAt,
} from "kubescaffold/plugin";

import { ManagerNotFoundError } from "./errors.ts";

/** The objects of a project, and what a chart needs to know of them. */
export interface Bundle {
  readonly manager: Manifest;
  /** The container of the manager, and where it stands. */
  readonly container: JsonMap;
  readonly containerIndex: number;
  readonly namespace: string;
  /** What is in front of the names of objects, with the dash; empty for none. */
  readonly prefix: string;
  /** The value of the label app.kubernetes.io/name. */
  readonly appName: string;
  readonly serviceAccount: string;
  /** Everything but the manager, Namespaces, and objects of the project's own kinds. */
  readonly others: readonly Manifest[];
  /** Objects of kinds that the project defines: they are no part of its installation. */
  readonly ownObjects: readonly Manifest[];
}

/** Sorts the objects of a project. Fails: {@link ManagerNotFoundError} when it is not known which is the manager. */
export function sortBundle(manifests: readonly Manifest[], source: string): Bundle {
  const unique = [...new Map(manifests.map((each) => [keyOf(each), each])).values()];
  const deployments = unique.filter(({ kind }) => kind === "Deployment");
  const manager = findManager(deployments, source);
  const { container, containerIndex } = findContainer(manager, source);
  const groups = new Set(unique.filter(isCrd).map((each) => textAt(each, "spec", "group")));
  const rest = unique.filter((each) => each !== manager && each.kind !== "Namespace");
  const isOwn = (each: Manifest): boolean => groups.has(groupOf(each)) && groupOf(each) !== "";
  const name = nameOf(manager);
  return {
    manager,
    container,
    containerIndex,
    namespace: namespaceOf(manager) || nameOf(unique.find(({ kind }) => kind === "Namespace") ?? manager),
    prefix: name.endsWith("-controller-manager") ? name.slice(0, -"controller-manager".length) : "",
    appName: textAt(mapAt(manager, "metadata", "labels"), "app.kubernetes.io/name"),
    serviceAccount: textAt(manager, "spec", "template", "spec", "serviceAccountName"),
    others: rest.filter((each) => !isOwn(each)),
    ownObjects: rest.filter((each) => isOwn(each)),
  };
}

/** Reports whether an object defines a kind. */
export function isCrd({ kind }: Manifest): boolean {
  return kind === "CustomResourceDefinition";
}

function keyOf(manifest: Manifest): string {
  return [manifest.apiVersion, manifest.kind, namespaceOf(manifest), nameOf(manifest)].join("|");
}

// The signs of a manager, the surest first; an only Deployment needs none.
const SIGNS: readonly ((deployment: Manifest) => boolean)[] = [
  ({ metadata }) => textAt(metadata, "labels", "control-plane") === "controller-manager",
  (each) => defaultContainerOf(each) !== "",
  (each) => containersOf(each).some((container) => textAt(container, "name") === "manager"),
  (each) => nameOf(each).includes("controller-manager"),
];

function findManager(deployments: readonly Manifest[], source: string): Manifest {
  const [first, ...others] = deployments;
  if (first === undefined)
    throw new ManagerNotFoundError(`cannot create a chart from ${source}: there is no Deployment`, {
      hint: "restore config/manager, or pass --manifests with a file that contains the manager's Deployment",
    });
  const found = others.length === 0 ? first : SIGNS.map((sign) => deployments.find(sign)).find((each) => each);
  if (found !== undefined) return found;
  throw new ManagerNotFoundError(
    `cannot create a chart from ${source}: none of its ${deployments.length} Deployments has the manager's label`,
    { hint: "add the label control-plane: controller-manager to the manager's Deployment" },
  );
}

function findContainer(
  manager: Manifest,
  source: string,
): { readonly container: JsonMap; readonly containerIndex: number } {
  const containers = containersOf(manager);
  const name = defaultContainerOf(manager) || "manager";
  const index = Math.max(
    containers.findIndex((each) => textAt(each, "name") === name),
    0,
  );
  const container = containers[index];
  if (container !== undefined) return { container, containerIndex: index };
  throw new ManagerNotFoundError(
    `cannot create a chart from ${source}: the Deployment ${nameOf(manager)} has no container`,
    { hint: "add the manager's container" },
  );
}

function defaultContainerOf(deployment: Manifest): string {
  const annotations = mapAt(deployment, "spec", "template", "metadata", "annotations");
  return textAt(annotations, "kubectl.kubernetes.io/default-container");
}

function containersOf(deployment: Manifest): readonly JsonMap[] {
  return listAt(deployment, "spec", "template", "spec", "containers").filter((each): each is JsonMap => isMap(each));
}
