/**
 * The embedded API server as a program: the flags of kube-apiserver, and TLS.
 */
export { ServerFlagError, UnknownServerFlagError } from "../failures/errors.ts";
export { CLUSTER_FLAGS, SIMULATED_FLAGS, type FlagValue, type SimulatedFlag } from "./flag-table.ts";
export { serveKubeApiServer } from "./serve.ts";
export { serverVersionText, startKubeApiServerStandIn, type KubeApiServerStandIn } from "./server.ts";
