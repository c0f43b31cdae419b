import { goUnmarshalError, ScaffoldError } from "@kubescaffold/k8s";

/** Is thrown when a value of a body cannot be read as its field's type; the server answers 400 with this message. */
export class TypeMismatchError extends ScaffoldError {
  readonly code = "APISERVER_TYPE_MISMATCH";

  constructor(mismatch: {
    readonly value: unknown;
    readonly step: { readonly goPath: string; readonly struct: string };
    readonly goType: string;
  }) {
    const { value, step, goType } = mismatch;
    const target = step.goPath === "" ? "value" : `struct field ${step.struct}.${step.goPath}`;
    super(goUnmarshalError(value, goType, target));
  }
}

/** Is thrown when a scalar of a body has the right JSON type and cannot be read all the same; the server answers 400. */
export class UnreadableScalarError extends ScaffoldError {
  readonly code = "APISERVER_UNREADABLE_SCALAR";
}
