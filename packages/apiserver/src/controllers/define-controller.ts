import type { GroupResource } from "@kubescaffold/k8s";
import { handledLater } from "@kubescaffold/platform";

import type { InProcessController, ServerContext } from "../pipeline/server-context.ts";
import { API_SERVER, type UserInfo } from "../request/request-context.ts";
import type { ApiObject } from "../storage/api-object.ts";
import type { StoreEvent } from "../storage/object-reader.ts";

/** A controller: its identity, its permissions, and how a server gets one. */
export interface Controller<Parts = unknown> extends ControllerIdentity {
  /** Permissions of its service account; empty for a controller without one. */
  readonly rules: readonly ControllerRule[];
  /** Creates the controller of a server, with the parts of the cluster that it needs. */
  readonly create: (context: ServerContext, parts: Parts) => InProcessController;
}

/** The identity of a controller, which its implementation receives. */
export interface ControllerIdentity {
  /** The name, also of its service account. */
  readonly name: string;
  /** The user that it acts as. */
  readonly user: UserInfo;
}

/** An action that a controller must be allowed to take; its role consists of these. */
export interface ControllerRule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  /** Default: objects of all names. */
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly string[];
}

/** The permission to write events. */
export const EVENT_RULE: ControllerRule = {
  apiGroups: ["", "events.k8s.io"],
  resources: ["events"],
  verbs: ["create", "patch", "update"],
};

/** Creates a controller of a server. */
export type CreateController<Parts = unknown> = (
  context: ServerContext,
  identity: ControllerIdentity,
  parts: Parts,
) => InProcessController;

/** How a controller is defined. */
export type ControllerDefinition<Parts> = {
  readonly name: string;
  /** The user that it acts as. Default: its service account in `kube-system` if it has rules, and the API server itself otherwise. */
  readonly user?: UserInfo;
  /** Permissions of its service account. */
  readonly rules?: readonly ControllerRule[];
} & (
  | {
      /** Imports the implementation, when the controller is needed. */
      readonly load: (parts: Parts) => Promise<ControllerModule<Parts>>;
      /** When the controller is needed. Default: when the server starts. */
      readonly demand?: Demand<Parts>;
    }
  | {
      /** The implementation of a controller that every cluster needs. */
      readonly create: CreateController<Parts>;
    }
);

/** A module that implements a controller. */
interface ControllerModule<Parts> {
  readonly createController: CreateController<Parts>;
}

/** When a controller is needed: once some objects exist, or by a condition outside of the store. */
type Demand<Parts = unknown> = ObjectDemand | OtherDemand<Parts>;

/** Objects that need a controller. */
export interface ObjectDemand {
  readonly resources: readonly GroupResource[];
  /** Default: all objects of the resources. */
  readonly isNeededBy?: (object: ApiObject) => boolean;
  /** Whether any change needs the controller, also of other objects. Default: false. */
  readonly isNeededByChanges?: boolean;
}

/** A condition that needs a controller. */
interface OtherDemand<Parts> {
  readonly isNeeded: (context: ServerContext, parts: Parts) => boolean;
  /** Calls back when the controller may have become needed; returns a function that ends that. */
  readonly onNeeded: (context: ServerContext, parts: Parts, begin: () => void) => () => void;
}

/** Defines a controller, whose implementation is imported when it is needed, so that servers without it start faster. */
export function defineController<Parts = unknown>(definition: ControllerDefinition<Parts>): Controller<Parts> {
  const { name, rules = [] } = definition;
  const identity = { name, user: definition.user ?? (rules.length === 0 ? API_SERVER : serviceAccountUser(name)) };
  return {
    ...identity,
    rules,
    create: (context, parts) => {
      if ("create" in definition) return definition.create(context, identity, parts);
      const load = async (): Promise<InProcessController> =>
        (await definition.load(parts)).createController(context, identity, parts);
      return loadedController(name, load, startingWhen(definition.demand, context, parts));
    },
  };
}

/** Returns the service account in `kube-system` that a controller acts as. */
export function serviceAccountUser(name: string): UserInfo {
  return {
    name: `system:serviceaccount:kube-system:${name}`,
    groups: ["system:serviceaccounts", "system:serviceaccounts:kube-system", "system:authenticated"],
  };
}

// Begins at once or later; returns a function that ends the waiting.
type Start = (begin: () => void) => () => void;

function startingWhen<Parts>(demand: Demand<Parts> | undefined, context: ServerContext, parts: Parts): Start {
  if (demand === undefined) return startingNow;
  const { isNeeded, onNeeded } = "resources" in demand ? objectDemand(demand) : demand;
  return (begin) => (isNeeded(context, parts) ? startingNow(begin) : onNeeded(context, parts, begin));
}

function startingNow(begin: () => void): () => void {
  begin();
  return () => undefined;
}

function objectDemand({
  resources,
  isNeededBy = () => true,
  isNeededByChanges = false,
}: ObjectDemand): OtherDemand<unknown> {
  return {
    isNeeded: ({ objects }) =>
      resources.some((resource) => objects.list(resource).some((object) => isNeededBy(object))),
    onNeeded: ({ objects }, _parts, begin) => {
      const onWrite = ({ object }: StoreEvent): void => {
        if (isNeededByChanges || isNeededBy(object)) begin();
      };
      const ends = resources.map((resource) => objects.observe(resource, onWrite));
      return () => ends.forEach((end) => end());
    },
  };
}

function loadedController(name: string, load: () => Promise<InProcessController>, start: Start): InProcessController {
  let controller: InProcessController | undefined;
  let loading: Promise<void> | undefined;
  let forget: () => void = () => undefined;
  const begin = async (): Promise<void> => {
    controller ??= await load();
    controller.start();
  };
  const beginOnce = (): void => {
    if (loading !== undefined) return;
    // `stop` and `idle` report why a module could not be loaded.
    loading = handledLater(begin());
  };
  return {
    name,
    start: () => {
      forget = start(beginOnce);
    },
    stop: async () => {
      forget();
      forget = () => undefined;
      const started = loading;
      loading = undefined;
      await started;
      if (started !== undefined) await controller?.stop();
    },
    idle: async () => {
      await loading;
      if (loading !== undefined) await controller?.idle();
    },
  };
}
