import { ScaffoldError } from "@kubescaffold/k8s";

/** Is thrown when an object that a server should hold from the beginning is of a kind that is not built in. */
export class UnknownInitialKindError extends ScaffoldError {
  readonly code = "APISERVER_UNKNOWN_KIND";

  constructor(kind: string) {
    super(`cannot store an initial object of kind ${kind}: the kind is not built in`, {
      hint: "create objects of custom kinds once their CustomResourceDefinition is established",
    });
  }
}
