// `npm run clients`: installs the Kubernetes clients of Python, JavaScript, Rust, and Java in the user's cache folder, for the tests with them.
import { installClients } from "./clients.mjs";

const { installed, failed } = installClients();
console.log(`installed: ${installed.join(", ")}`);
process.exit(failed.length === 0 ? 0 : 1);
