// `agnhost guestbook`: a store of texts with replicas, and its web server.
import { fetchText } from "./http-client.mjs";

/** The server: replicas register with the primary that `--replicaof` names. */
export const guestbook = {
  portFlag: "http-port",
  port: 80,
  prepare: async ({ container, flags }) => {
    const state = { texts: {}, replicas: [], backendPort: flags.get("backend-port") ?? "6379" };
    const primary = flags.get("replicaof") ?? "";
    if (primary !== "") void register(container, state, primary);
    return state;
  },
  answer: async ({ container, url, state }) => {
    const parameter = (name) => url.searchParams.get(name) ?? "";
    switch (url.pathname) {
      case "/register":
        state.replicas.push(parameter("host"));
        return json({ data: state.texts });
      case "/get":
        return json({ data: parameter("key") === "" ? state.texts : (state.texts[parameter("key")] ?? "") });
      case "/set":
        return await set(container, state, { key: parameter("key"), value: parameter("value") });
      case "/guestbook":
        return await relay(container, state, parameter);
      default:
        return { status: 404, body: "404 page not found\n" };
    }
  },
};

const ATTEMPTS = 15;

async function register(container, state, primary) {
  const address = container.pod.status?.podIP ?? "";
  for (let attempt = 0; attempt < ATTEMPTS && !container.signal.aborted; attempt += 1) {
    try {
      const { body } = await fetchText(container, `http://${primary}:${state.backendPort}/register?host=${address}`);
      state.texts = JSON.parse(body).data;
      container.log(`Registered to node: ${primary}`);
      return;
    } catch (error) {
      container.log(`encountered error while registering to primary: ${error.message}. Retrying in 1s.`);
      await new Promise((resolve) => setTimeout(resolve, 1000));
    }
  }
}

async function set(container, state, { key, value }) {
  if (key === "") return { status: 400, body: "cannot set with empty key.\n" };
  state.texts[key] = value;
  const query = new URLSearchParams({ key, value }).toString();
  for (const replica of state.replicas)
    await fetchText(container, `http://${replica}:${state.backendPort}/set?${query}`);
  return json({ message: "Updated" });
}

async function relay(container, { backendPort }, parameter) {
  const command = parameter("cmd").toLowerCase();
  if (command !== "get" && command !== "set") return { status: 400, body: `unsupported cmd: '${command}'\n` };
  const host = command === "get" ? "agnhost-replica" : "agnhost-primary";
  const query = new URLSearchParams({ key: parameter("key"), value: parameter("value") }).toString();
  try {
    const { body } = await fetchText(container, `http://${host}:${backendPort}/${command}?${query}`);
    return { status: 200, body };
  } catch (error) {
    return { status: 417, body: `${error.message}\n` };
  }
}

function json(value) {
  return { status: 200, body: JSON.stringify(value) };
}
