/** An amount in Kubernetes' notation: `100m`, `1.5`, `128Mi`, `1e3`. */
export type Quantity = string;
