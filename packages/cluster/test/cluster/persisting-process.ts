import { configMapOf, requestsOf } from "../../../apiserver/test/support/cluster-requests.ts";
// Creates and changes ConfigMaps in a cluster with a state folder, and prints a line for each acknowledged write, until it is killed.
import { createEmbeddedCluster } from "../../src/cluster/embedded-cluster.ts";

const [folder = "", run = ""] = process.argv.slice(2);
const { config } = createEmbeddedCluster({ persist: folder });
const requests = requestsOf(config);
const path = "/api/v1/namespaces/default/configmaps";

for (let index = 0; ; index += 1) {
  const name = `config-${run}-${String(index)}`;
  const created = await requests.post(path, configMapOf(name));
  process.stdout.write(`${String(created.status)} ${name}\n`);
  const previous = `config-${run}-${String(index - 3)}`;
  const changed = await requests.patch(`${path}/${previous}`, { data: { a: String(index) } });
  if (changed.status === 200) process.stdout.write(`200 ${previous} ${String(index)}\n`);
  // Lets the lines reach the reader.
  await new Promise((resolve) => setImmediate(resolve));
}
