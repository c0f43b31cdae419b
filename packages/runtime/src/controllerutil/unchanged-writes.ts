import type { ReadonlyObject } from "@kubescaffold/k8s/meta/v1";

import type { Client } from "../client/client.ts";
import { loggerFromContext } from "../log/call-scope.ts";
import { describeObject } from "./errors.ts";
import { differingFields, type SemanticOptions } from "./semantic.ts";

/** A write: the object before it, as it was sent, and as the server stored it. */
interface Write {
  readonly before: ReadonlyObject;
  readonly sent: ReadonlyObject;
  readonly stored: ReadonlyObject;
}

/**
 * Reports whether a write changed nothing, since the server completed what was sent to what it had stored. The fields that differ are logged once for each
 * kind: the next reconcile would send them again.
 */
export function isUnchangedWrite(client: Client, write: Write, options: SemanticOptions): boolean {
  const { before, sent, stored } = write;
  const { resourceVersion = "" } = stored.metadata ?? {};
  if (resourceVersion === "" || resourceVersion !== before.metadata?.resourceVersion) return false;
  const fields = differingFields(sent, stored, { ...options, most: MOST_FIELDS });
  if (fields.length > 0 && isNew(client, `${sent.apiVersion} ${sent.kind} ${fields.join(" ")}`)) {
    loggerFromContext().info("a write changed nothing, and each reconcile repeats it: the server stores other values", {
      object: describeObject(stored),
      fields,
      hint: "set these fields to the values that the server stores, such as its defaults, or change only the fields around them",
    });
  }
  return true;
}

const MOST_FIELDS = 10;
const MOST_MESSAGES = 1000;
const logged = new WeakMap<Client, Set<string>>();

function isNew(client: Client, message: string): boolean {
  const messages = logged.get(client) ?? new Set();
  logged.set(client, messages);
  if (messages.has(message) || messages.size >= MOST_MESSAGES) return false;
  messages.add(message);
  return true;
}
