/** The address of the node, its API server, and the gateway of its Pods: the bridge that scripts/node/enter.sh adds. */
export const NODE_ADDRESS = "10.88.0.1";

/** The addresses of Pods. */
export const POD_RANGE = "10.88.0.0/16";

/** The URL of the API server. */
export const SERVER = `https://${NODE_ADDRESS}:6443`;

/** The name of the Node. */
export const NODE_NAME = "node-1";
