// Starts the embedded server in its own process and says where it listens: `node serve-embedded.mjs [tls]`.
import { createEmbeddedCluster } from "@kubescaffold/apiserver";

const cluster = createEmbeddedCluster();
const { config } = await cluster.listen({ tls: process.argv[2] === "tls" });
process.stdout.write(`${JSON.stringify({ server: config.server, ca: config.tls?.ca })}\n`);
