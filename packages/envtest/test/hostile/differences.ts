/** Requests that the embedded server answers otherwise than the real one. */
export interface Difference {
  readonly real: string;
  readonly embedded: string;
  /** Names of the requests. */
  readonly requests: RegExp;
  readonly reason: string;
}

const METHODS =
  "Paths without objects are for reading; the embedded server refuses other methods there before it looks for the path.";
const UNKNOWN_METHODS = "The parser of Node knows the registered methods alone.";
const TUNNELS = "The embedded server is no proxy: it closes the connection without an answer.";
const PARSER =
  "The parser of Node refuses what is ambiguous, obsolete, or broken on the level of HTTP, and closes the connection.";

function differs(real: string, embedded: string, requests: RegExp, reason: string): Difference {
  return { real, embedded, requests, reason };
}

/** All accepted differences: the embedded server refuses as well, or more; where it does not, the reason says why that is safe. */
export const DIFFERENCES: readonly Difference[] = [
  differs(
    "200",
    "405",
    /^(?:POST|PUT|PATCH|DELETE|OPTIONS|TRACE|LINK|PROPFIND|QUERY|M-SEARCH) \/(?:apis|healthz)?$/u,
    METHODS,
  ),
  differs("404", "405", /^(?:POST|PUT|PATCH|DELETE|OPTIONS|TRACE|LINK|PROPFIND|QUERY|M-SEARCH) \/nope$/u, METHODS),
  differs("200", "400", /^(?:FOO|get) /u, UNKNOWN_METHODS),
  differs("404", "400", /^(?:FOO|get) /u, UNKNOWN_METHODS),
  differs("405", "400", /^(?:FOO|get) |^raw longMethod$/u, UNKNOWN_METHODS),
  differs("200", "none", /^CONNECT /u, TUNNELS),
  differs("404", "none", /^CONNECT |^raw authority$/u, TUNNELS),
  differs("405", "none", /^CONNECT /u, TUNNELS),
  differs(
    "404",
    "501",
    /\/(?:log|exec|portforward|proxy\/)$/u,
    "The embedded server has no streams of pods, and says so before it looks for the pod.",
  ),
  differs("400", "404", /\/(?:\.|\.\.|%2e%2e)$/u, "No object has such a name, so that none is found."),
  differs("200", "400", /^raw (?:http12|onlyLf|folded|afterClose|absoluteFtp)$/u, PARSER),
  differs("404", "400", /^raw nonAsciiPath$/u, PARSER),
  differs("403", "400", /^raw h2$/u, PARSER),
  differs("422", "400", /^raw (?:sameLengths|lengthAndChunks)$/u, PARSER),
  differs("500", "400", /^raw chunk/u, PARSER),
  differs("501", "400", /^raw encoding/u, PARSER),
  differs(
    "400",
    "200",
    /^raw (?:leadingCrlf|twoSpaces)$/u,
    "The parser of Node ignores empty lines and spaces before and within the request line, as RFC 9112 lets it; what follows is the same request.",
  ),
  differs("200", "404", /^raw star$/u, "The embedded server has no answer for the server as a whole."),
  differs("200", "400", /^list labelSelector=%00$/u, "The embedded server takes no control characters in selectors."),
];
