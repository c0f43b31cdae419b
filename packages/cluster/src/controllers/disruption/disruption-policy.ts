/** The name of the service account of the controller of disruption budgets. */
export const DISRUPTION_CONTROLLER = "disruption-controller";
