// The commands of simulated containers that reach others, through the network of the cluster.
import { exchangeDatagram, exchangeText, fetchText } from "./http-client.mjs";

/** The commands by their names. */
export const NETWORK_COMMANDS = {
  nc: connectTo,
  curl: getUrl,
  wget: downloadUrl,
  nslookup: lookUp,
  dig: queryRecords,
  getent: findHost,
};

// Long enough for a server in the same process to answer.
const QUIET_MS = 300;

async function connectTo({ network, args, stdin, out, err }) {
  const words = args.filter((each, index) => !each.startsWith("-") && args[index - 1] !== "-w");
  const [host, port] = words;
  const isScan = args.includes("-z");
  try {
    if (args.includes("-u")) {
      out(await exchangeDatagram(network, { host, port: Number(port), text: stdin, timeoutMs: 2000 }));
      return 0;
    }
    const exchange = { host, port: Number(port), text: isScan ? "" : stdin, timeoutMs: isScan ? 1 : QUIET_MS };
    const received = await exchangeText(network, exchange);
    if (args.includes("-v")) err(`Connection to ${host} ${port} port [tcp/*] succeeded!\n`);
    out(received);
    return 0;
  } catch (error) {
    err(`nc: ${error.message}\n`);
    return 1;
  }
}

const COULD_NOT_RESOLVE = 6;
const COULD_NOT_CONNECT = 7;
const HTTP_ERROR = 22;
// Options of curl that take a value.
const VALUES = new Set([
  "--connect-timeout",
  "--max-time",
  "-m",
  "-o",
  "-w",
  "-H",
  "-X",
  "--retry",
  "--interface",
  "--cacert",
]);

async function getUrl({ network, args, out, err }) {
  const values = new Map();
  const words = [];
  args.forEach((each, index) => {
    if (VALUES.has(args[index - 1])) values.set(args[index - 1], each);
    else if (!each.startsWith("-")) words.push(each);
  });
  const [address = ""] = words;
  const url = address.includes("://") ? address : `http://${address}`;
  const seconds = Number(values.get("--max-time") ?? values.get("-m") ?? values.get("--connect-timeout") ?? 5);
  try {
    const { status, body } = await fetchText(network, url, {
      timeoutMs: seconds * 1000,
      method: values.get("-X") ?? "GET",
    });
    if (values.get("-o") === undefined) out(body);
    const format = values.get("-w") ?? "";
    out(format.replaceAll("%{http_code}", String(status)).replaceAll("\\n", "\n"));
    return args.some((each) => each === "-f" || each === "--fail") && status >= 400 ? HTTP_ERROR : 0;
  } catch (error) {
    if (!args.includes("-s")) err(`curl: ${error.message}\n`);
    return error.message.startsWith("lookup") ? COULD_NOT_RESOLVE : COULD_NOT_CONNECT;
  }
}

async function downloadUrl({ network, args, out, err }) {
  const address = args.findLast((each) => !each.startsWith("-")) ?? "";
  const data = args.find((each) => each.startsWith("--post-data="))?.slice("--post-data=".length);
  try {
    const url = address.includes("://") ? address : `http://${address}`;
    const { status, body } = await fetchText(network, url, { method: data === undefined ? "GET" : "POST", data });
    out(body);
    return status < 400 ? 0 : 1;
  } catch (error) {
    err(`wget: ${error.message}\n`);
    return 1;
  }
}

async function lookUp({ network, args: [name = ""], out, err }) {
  const addresses = await network.lookup(name);
  if (addresses.length === 0) {
    err(`** server can't find ${name}: NXDOMAIN\n`);
    return 1;
  }
  for (const address of addresses) out(`Name:\t${name}\nAddress: ${address}\n`);
  return 0;
}

// Names are absolute unless `+search` is given.
async function queryRecords({ network, args, out }) {
  const [name = "", type = "A"] = args.filter((each) => !each.startsWith("+"));
  const isSearched = args.includes("+search") && !name.endsWith(".");
  const records = await network.resolve(isSearched || name.endsWith(".") ? name : `${name}.`, type);
  const isShort = args.includes("+short");
  for (const record of records) out(isShort ? `${record}\n` : `${name}.\t5\tIN\t${type}\t${record}\n`);
  return 0;
}

const NOT_FOUND = 2;

// The file of hosts precedes DNS.
async function findHost({ network, files, args: [database = "", name = ""], out }) {
  if (database !== "hosts") return 1;
  const lines = (files.read("/etc/hosts")?.toString("utf8") ?? "").split("\n");
  const entry = lines
    .map((line) => line.replace(/#.*/u, "").trim().split(/\s+/u))
    .find((words) => words.slice(1).includes(name));
  const addresses = entry === undefined ? await network.lookup(name) : entry.slice(0, 1);
  for (const address of addresses) out(`${address}\t${name}\n`);
  return addresses.length === 0 ? NOT_FOUND : 0;
}
