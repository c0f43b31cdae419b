// The servers over HTTP of Kubernetes' test image agnhost.
import { createServer } from "node:http";

/** What the servers answer, by command: the port by default, and the answer to a request. */
export const SERVERS = {
  netexec: { portFlag: "http-port", port: 8080, answer: answerNetexec },
  "serve-hostname": { portFlag: "port", port: 9376, answer: ({ container }) => text(container.env.HOSTNAME) },
  "test-webserver": { portFlag: "port", port: 80, answer: answerFile },
};

/** Starts a server of a container, and returns a function that resolves with its exit code when it has stopped. */
export function startServer({ container, files, flags }, { portFlag, port, answer }, stopped) {
  return new Promise((resolve) => {
    const server = createServer((request, response) => {
      const url = new URL(request.url, "http://container");
      const {
        status,
        type = "text/plain; charset=utf-8",
        body,
        headers,
        exitCode,
      } = answer({
        container,
        files,
        request,
        url,
      });
      container.log(`GET ${url.pathname}${url.search}`);
      response.writeHead(status, { "content-type": type, ...headers });
      response.end(body, () => {
        if (exitCode !== undefined) resolve(exitCode);
      });
    });
    const listen = (connection) => server.emit("connection", connection);
    container.ports.listen(Number(flags.get(portFlag) ?? port), listen);
    void stopped.then(resolve);
  });
}

function text(body, status = 200) {
  return { status, body };
}

function answerNetexec({ container, request, url }) {
  const parameter = (name) => url.searchParams.get(name) ?? "";
  switch (url.pathname) {
    case "/":
      return text(`NOW: ${new Date().toISOString()}`);
    case "/hostname":
    case "/hostName":
      return text(container.env.HOSTNAME);
    case "/echo":
      return text(parameter("msg"), Number(parameter("code") || 200));
    case "/header":
      return text(
        parameter("key") === ""
          ? JSON.stringify(request.headers)
          : (request.headers[parameter("key").toLowerCase()] ?? ""),
      );
    case "/redirect":
      return { ...text("", Number(parameter("code") || 302)), headers: { location: parameter("location") } };
    case "/healthz":
    case "/readyz":
      return text("", container.signal.aborted ? 503 : 200);
    case "/exit":
    case "/shutdown":
      return { ...text(""), exitCode: Number(parameter("code") || 0) };
    default:
      return text(`NOW: ${new Date().toISOString()}`);
  }
}

function answerFile({ files, url }) {
  const bytes = files.read(url.pathname);
  return bytes === undefined ? text("404 page not found\n", 404) : text(bytes);
}
