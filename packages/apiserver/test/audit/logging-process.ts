// Logs events to standard output, which other parts of the process write to as well; with a longest wait, also a short one for each chunk of its input.
import { openAuditFile } from "../../src/audit/audit-file.ts";

const [count = "0", length = "0", longestWaitMs] = process.argv.slice(2);
process.stdout.write("start\n");
const file = openAuditFile("-", longestWaitMs === undefined ? undefined : Number(longestWaitMs));
for (let index = 0; index < Number(count); index += 1)
  file.write({ auditID: String(index), requestURI: "é".repeat(Number(length)) } as never);
if (longestWaitMs !== undefined) {
  process.stderr.write("all events have been written\n");
  for await (const _ of process.stdin) file.write({ auditID: "later", requestURI: "" } as never);
}
file.close();
