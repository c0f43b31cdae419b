import type { RestConfig } from "@kubescaffold/k8s";

import type { WatchStream } from "./watch-stream.ts";

/** A part of a cluster that not every target has. */
export type Feature = "controllers" | "workloads" | "kubectl";

/** A plain JSON object. */
export type Json = Record<string, unknown>;

/** One row of the conformance list: what is asked of a server. The answers are its expectation, recorded from a real one. */
export interface Row {
  readonly row: number;
  /** A sentence about behavior. */
  readonly title: string;
  readonly needs?: readonly Feature[];
  /** Runs without other rows, whose webhooks would see its many reviews. */
  readonly isAlone?: boolean;
  readonly run: (context: RowContext) => Promise<void>;
}

/** One HTTP call. */
export interface Call {
  readonly method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly path: string;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as it is, in place of a body. */
  readonly text?: string;
  /** Sent as they are, in place of a body. */
  readonly bytes?: Uint8Array<ArrayBuffer>;
  readonly contentType?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Who calls; an administrator when absent. */
  readonly as?: RestConfig;
}

/** What a server answered. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed JSON, else the text. */
  readonly body: unknown;
}

/** What a row may do. */
export interface RowContext {
  /** A namespace of the row's own, which exists. */
  readonly namespace: string;
  /** Config of an administrator, with an address that other processes reach. */
  readonly admin: RestConfig;
  /** The kubectl to run, where the target has one. */
  readonly kubectl: string;
  /** Makes a call and records its answer under the name of the step. */
  readonly send: (step: string, call: Call) => Promise<Answer>;
  /** Makes a call that is no part of the transcript. */
  readonly quietly: (call: Call) => Promise<Answer>;
  /** Records a fact that the row worked out. */
  readonly note: (step: string, fact: unknown) => void;
  /** Opens a watch. Its events are not recorded by themselves. */
  readonly watch: (path: string) => Promise<WatchStream>;
  /** Repeats an unrecorded call until its answer is as wanted, and returns it. */
  readonly eventually: (call: Call, isWanted: (answer: Answer) => boolean) => Promise<Answer>;
  /** Returns the config of a user with its own credential. */
  readonly user: (name: string) => Promise<RestConfig>;
  /** Has work done when the row is over, whatever came of it. */
  readonly cleanUp: (work: () => Promise<unknown>) => void;
}

/** Returns the body of an answer as an object. */
export function objectOf(answer: Answer): KubeObject {
  return answer.body as KubeObject;
}

/** As much of an object's shape as rows look at. */
export interface KubeObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: Json & { readonly name: string; readonly uid: string; readonly resourceVersion: string };
  readonly spec?: Json;
  readonly status?: Json;
  readonly items?: readonly KubeObject[];
  readonly [field: string]: unknown;
}
