import type { Duplex } from "node:stream";

/** A port of a Service. */
export interface ServiceTarget {
  readonly namespace: string;
  readonly name: string;
  readonly port: number;
}

/** Address of a process, or a function that opens a connection to it. */
export type ServiceAddress = { readonly host: string; readonly port: number } | { readonly connect: () => Duplex };

/** Finds the address under which the pods of a service can be reached. */
export type ServiceResolver = (service: ServiceTarget) => ServiceAddress | undefined;
