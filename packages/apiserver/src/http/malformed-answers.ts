import { goQuote } from "@kubescaffold/k8s";

/** An error of Node's HTTP parser. */
export interface ParserError {
  readonly code?: string | undefined;
  /** The bytes that it did not understand. */
  readonly rawPacket?: Uint8Array | undefined;
}

/** Returns what Go's HTTP client has against the head of an answer that Node's parser refused, or undefined when it would read it. */
export function headProblem({ code = "", rawPacket }: ParserError): string | undefined {
  if (!code.startsWith("HPE_") || rawPacket === undefined) return undefined;
  const [line = "", ...lines] = Buffer.from(rawPacket).toString("latin1").split(/\r?\n/u);
  const problem = statusLineProblem(line) ?? headerProblem(lines.slice(0, Math.max(0, lines.indexOf(""))));
  return problem === undefined ? undefined : `net/http: HTTP/1.x transport connection broken: ${problem}`;
}

function statusLineProblem(line: string): string | undefined {
  const space = line.indexOf(" ");
  if (space < 0) return `malformed HTTP response ${goQuote(line)}`;
  const [status = ""] = line.slice(space).trimStart().split(" ", 1);
  if (!/^\d{3}$/u.test(status)) return `malformed HTTP status code ${goQuote(status)}`;
  const version = line.slice(0, space);
  return /^HTTP\/\d\.\d$/u.test(version) ? undefined : `malformed HTTP version ${goQuote(version)}`;
}

function headerProblem(lines: readonly string[]): string | undefined {
  const broken = lines.find((line) => !line.includes(":"));
  if (broken !== undefined) return `malformed MIME header: missing colon: ${goQuote(broken)}`;
  const lengths = lines.flatMap((line) => {
    const colon = line.indexOf(":");
    return line.slice(0, colon).toLowerCase() === "content-length" ? line.slice(colon + 1).trim() : [];
  });
  if (new Set(lengths).size > 1) {
    const quoted = lengths.map((length) => goQuote(length)).join(" ");
    return `http: message cannot contain multiple Content-Length headers; got [${quoted}]`;
  }
  const [length] = lengths;
  return length === undefined || /^\d+$/u.test(length) ? undefined : `bad Content-Length ${goQuote(length)}`;
}

/** Returns what Go's HTTP client has against the body of an answer that did not arrive whole. */
export function bodyProblem(error: ParserError & Error): string | undefined {
  if (error.code === "ECONNRESET") return "unexpected EOF";
  return error.code === "HPE_INVALID_CHUNK_SIZE" ? "invalid byte in chunk length" : undefined;
}

/** Returns what Go's HTTP client has against the encoding of an answer. */
export function encodingProblem(encoding: string | undefined): string | undefined {
  return encoding === undefined || encoding.toLowerCase() === "chunked"
    ? undefined
    : `net/http: HTTP/1.x transport connection broken: unsupported transfer encoding: ${goQuote(encoding)}`;
}
