// Namespaces of the measured servers, and what is in them.
import { inFlight, objectName } from "./workload-parts.mjs";

const IN_FLIGHT = 32;
let created = 0;

/** Creates a namespace with `count` objects of `content`, each with its own name; returns the name of the namespace. */
export async function newNamespace(client, { content, count = 0 } = {}) {
  created += 1;
  const namespace = `bench-${String(created)}`;
  await client.create({ apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
  await inFlight(count, IN_FLIGHT, (index) =>
    client.create({ ...content, metadata: { namespace, name: objectName(index) } }),
  );
  return namespace;
}

/** Returns the content of a ConfigMap with a text. */
export function configMapOf(text) {
  return { apiVersion: "v1", kind: "ConfigMap", data: { text } };
}
