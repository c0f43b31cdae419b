import { sendHostileValues } from "./send-hostile-values.ts";

sendHostileValues("packages/platform/src", { calls: {}, others: {} });
