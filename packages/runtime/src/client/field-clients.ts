import type { Client } from "./client.ts";
import type { FieldValidation } from "./options.ts";
import { withWriteDefaults } from "./write-defaults.ts";

/** Returns a client whose writing calls, apply included, have a field owner unless a call names its own. */
export function withFieldOwner<C extends Client>(client: C, fieldOwner: string): C {
  const owned = (options: { readonly fieldOwner?: string } | undefined): { readonly fieldOwner: string } => ({
    fieldOwner: options?.fieldOwner ?? fieldOwner,
  });
  return withWriteDefaults(client, { write: owned, apply: owned, remove: () => ({}) });
}

/** Returns a client whose writing calls, except apply, have a field validation unless a call names its own. */
export function withFieldValidation<C extends Client>(client: C, fieldValidation: FieldValidation): C {
  return withWriteDefaults(client, {
    write: (options) => ({ fieldValidation: options?.fieldValidation ?? fieldValidation }),
    apply: () => ({}),
    remove: () => ({}),
  });
}
