// Starts the embedded server in its own process and prints its address: `node serve-embedded.mjs [tls] [workloads]`.
import { createEmbeddedCluster } from "@kubescaffold/cluster";

const options = process.argv.slice(2);
const cluster = createEmbeddedCluster({ workloadSimulation: options.includes("workloads") });
const { config } = await cluster.listen({ tls: options.includes("tls") });
process.stdout.write(`${JSON.stringify({ server: config.server, ca: config.tls?.ca })}\n`);
