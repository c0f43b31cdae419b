/** Other processes of this machine. */
export { isRunning, OWN_GROUP, signalGroup } from "./signals.ts";
