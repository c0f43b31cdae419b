// Runs the DNS API to try the operator out: npx tsx test/dns/serve.ts
import { DnsServer } from "./dns_server.ts";

const { url } = await DnsServer.start({ token: "secret", port: 8053 });
console.log(`The DNS API listens on ${url}; its token is "secret". Stop it with Ctrl-C.`);
