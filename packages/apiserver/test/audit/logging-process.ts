// Logs events to standard output, which other parts of the process write to as well.
import { openAuditFile } from "../../src/audit/audit-file.ts";

const [count = "0", length = "0"] = process.argv.slice(2);
process.stdout.write("start\n");
const file = openAuditFile("-");
for (let index = 0; index < Number(count); index += 1)
  file.write({ auditID: String(index), requestURI: "é".repeat(Number(length)) } as never);
file.close();
